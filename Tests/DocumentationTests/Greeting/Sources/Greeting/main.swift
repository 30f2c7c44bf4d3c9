import Backlot

try await Server(makeRouter(), port: 8080).run()
