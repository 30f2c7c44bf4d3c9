// A2UI: a surface with a data model, a list by template, and an action with values. The client gets what changes.
// Run it with `swift run --package-path Examples/Small a2ui-poll`, then `curl http://127.0.0.1:8080/assistant/surfaces/poll`.
import A2UIServing
import Backlot

struct Place: Codable, Sendable {
    var name: String
    var votes = 0
}

struct Poll: Codable, Sendable {
    var question = "Where do we eat?"
    var places = [Place(name: "Garden"), Place(name: "Harbour")]
}

struct Vote: Codable, Sendable {
    var name: String
}

func makeRouter() -> Router {
    let router = Router()
    let vote = SurfaceAction<Vote>("vote")
    router.a2ui("/assistant/", sessions: MemorySessionStore()) { app in
        let poll = app.surface("poll") { _ in
            Poll()
        } tree: { m in
            column {
                text(m.question, .h2)
                list(m.places) { place in
                    row {
                        text("\(place.name): \(place.votes)")
                        button("Vote", vote.event { $0.name = place.name })
                    }
                }
            }
        }
        poll.on(vote) { vote, turn in
            guard let index = turn.model.places.firstIndex(where: { $0.name == vote.name }) else {
                throw UserError("There is no such place.")
            }
            turn.model.places[index].votes += 1
        }
    }
    return router
}

await Server(makeRouter(), port: 8080).runOrExit()
