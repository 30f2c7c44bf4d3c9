import Backlot
import Foundation
import GardenPages

/// The gardener who sends a request.
enum Gardener: RequestAttribute { typealias Value = String }

/// The API for programs.
struct GardenAPI {
    struct Filter: Decodable, Sendable { var soil: Plot.Soil? }

    let plots: Plots
    let photos: String

    func add(to api: RouteGroup) {
        api.get("/plots", query: Filter.self, summary: "Lists the plots.") { [plots] filter, _ in
            await plots.list(soil: filter.soil)
        }
        api.get("/plots/{id}", summary: "Finds a plot.") { [plots] request in
            await plots.plot(try request.parameter("id", as: Int.self))
        }
        api.post("/plots", body: NewPlot.self, summary: "Adds a plot.", status: .created) { [plots] new, _ in
            let plot = try await plots.add(new)
            return JSONResponse(plot, headers: [.location: "/api/plots/\(plot.id)"])
        }
        api.get("/changes") { [plots] _ in
            let changes = await plots.changes()
            return .events { events in
                for await plot in changes { try await events.send(ServerSentEvent(json: plot, type: "plot")) }
            }
        }
        let known = RequestValue(Gardener.self) { request in
            guard let name = request.bearerToken else {
                throw StatusError(.unauthorized, "Send your name as a bearer token.")
            }
            return name
        }
        let gardeners = api.group("/mine", known)
        gardeners.put("/plots/{id}", summary: "Takes a free plot.") { [plots] request -> Plot in
            let id = try request.parameter("id", as: Int.self)
            guard let plot = try await plots.take(id, by: try request[Gardener.self]) else {
                throw ProblemDetails(.conflict, "Plot \(id) isn't free.", title: "Not free")
            }
            return plot
        }
        gardeners.post("/photos", status: .created) { [photos] request -> [String: String] in
            let form = try await request.form()
            guard let photo = form.file("photo") else { throw StatusError(.badRequest, "the form has no file 'photo'") }
            let name = "\(UUID()).jpg"
            try await photo.move(to: "\(photos)/\(name)")
            return ["name": name]
        }
    }
}
