import Applin
import Backlot

/// The pages for people with the app. Handlers are functions, named where they are registered.
package struct GardenPages {
    private static var shown = 0
    private let plots: Plots
    private static let check = FormValidator(NewPlot.self) { new, errors, _ in
        if new.name.count < 3 { errors[\.name] = "Use 3 characters or more." }
        if new.size <= 0 || new.size > 500 { errors[\.size] = "Write square meters, up to 500." }
    }

    package init(_ plots: Plots) { self.plots = plots }

    package func add(to app: ApplinApp) {
        app.page("/", list)
        // `check` requests the page as this sample does, since it can't know a plot by itself.
        app.page("/plots/{id}", samples: ["/plots/1"], plot)
        app.page("/new", check: Self.check) { @MainActor form, _ in newPlot(form) }
        app.rpc("/add", check: Self.check) { [plots] new, _ in _ = try await plots.add(new) }
        app.rpc("/plots/{id}/take", take)
    }

    /// Adds a route that says how often the list of plots was shown.
    package func addHits(to routes: some Routes) { routes.get("/hits", hits) }

    private func hits(_ request: Request) -> [String: Int] { ["list": Self.shown] }

    private func list(_ request: Request) async -> any Page {
        let all = await plots.list()
        Self.shown += 1
        return formPage("Garden") {
            for plot in all {
                navButton(plot.name, push("/plots/\(plot.id)")).subText(plot.gardener ?? "free")
            }
            navButton("New Plot", push("/new"))
        }
    }

    private func plot(_ request: Request) async throws -> any Page {
        let plot = try await known(request)
        return formPage(plot.name) {
            text("\(plot.size) m² of \(plot.soil.rawValue)")
            if plot.gardener == nil {
                // The page below shows the change too.
                formButton("Take It", rpc("/plots/\(plot.id)/take"), pop(), poll())
            }
        }
    }

    private func newPlot(_ form: FormFields<NewPlot>) -> any Page {
        formPage("New Plot") {
            form.textfield("Name", \.name)
            form.textfield("Square meters", \.size)
            form.textfield("Soil: sand, clay or loam", \.soil)
            formButton("Add", rpc("/add", onUserErrorPoll: true), pop(), poll())
        }
    }

    private func take(_ request: Request) async throws {
        let id = try await known(request).id
        guard try await plots.take(id, by: "me") != nil else { throw UserError("Somebody was faster.") }
    }

    private func known(_ request: Request) async throws -> Plot {
        guard let plot = await plots.plot(try request.parameter("id", as: Int.self)) else {
            throw StatusError(.notFound, "There is no such plot.")
        }
        return plot
    }
}
