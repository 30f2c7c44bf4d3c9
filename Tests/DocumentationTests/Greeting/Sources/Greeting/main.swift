import Backlot

await Server(makeRouter(), port: 8080).runOrExit()
