import Applin
import Backlot
import BacklotJSON
import Testing

/// Code of the article "Applin".
@Suite(.timeLimit(.minutes(5))) struct ApplinCode {
    struct Trip: Decodable, Sendable {
        var city: String
    }

    actor Trips {
        private var trips: [Trip] = []

        func add(_ trip: Trip) { trips.append(trip) }
    }

    static let trips = Trips()

    static func mount(on router: Router) {
        router.applin("/travel/", dialect: .objects, sessions: MemorySessionStore()) { app in
            let trip = FormValidator(Trip.self)
            let save = app.rpc("/trips/save", check: trip) { trip, request in
                guard trip.city != "" else { throw UserError("Please write a city.") }
            }
            let new = app.page("/trips/new", check: trip) { form, _ in
                formPage("New trip") {
                    form.textfield("City", \.city)
                    formButton("Save", rpc(save), pop(), poll())
                }
            }
            app.page("/") { _ in
                formPage("Travel") {
                    text("Where to?")
                    navButton("New trip", push(new))
                }
            }
        }
    }

    actor Plots {
        func water(_ id: Int) {}
    }

    static let plots = Plots()

    static func link(_ app: ApplinApp) {
        let water = app.rpc("/plots/{id}/water", id: Int.self) { id, request in await plots.water(id) }
        let plot = app.page("/plots/{id}", id: Int.self) { id, request in
            formPage("Plot \(id)") {
                formButton("Water", rpc(water, id: id), poll())
            }
        }
        app.page("/plots") { _ in
            listPage("Plots", poll: .seconds(30)) {
                for id in 1...9 { navButton("Plot \(id)", push(plot, id: id)) }
            }
        }
    }

    static func extend(_ router: Router) {
        struct StarRating: Widget {
            let variable: String
            var typ: StaticString { "star_rating" }

            func encode(into writer: inout JSONWriter) {
                writer.object {
                    $0.field("typ", "star_rating")
                    $0.field("var_name", variable)
                }
            }
        }

        let extensions: [ApplinExtension] = [
            .widget("star_rating", keys: [.required("var_name", .string), .optional("stars", .wholeNumber(0...5))]),
            .action("share", argument: "text", keys: [.required("text", .string)]),
        ]
        router.applin("/", extensions: extensions) { app in
            app.page("/rate") { _ in navPage("Rate") { StarRating(variable: "stars") } }
        }
    }

    static func samples(_ app: ApplinApp) {
        app.page("/trips/{id}", samples: [CheckSample("/trips/1", user: "ann")]) { request in
            let id = try request.parameter("id", as: Int.self)
            return navPage("Trip \(id)") { text("To Rome") }
        }
    }

    static func createForm() -> NavPage {
        navPage("New trip") {
            form {
                textfield("City", varName: "city")
                formButton("Save", rpc("/trips/save"), resetVar("city"), pop(), poll())
            }
        }
    }

    static func addGroup(to app: ApplinApp) {
        app.group("/members", RequireLogin(), checkedAs: "ann") { members in
            members.page("/list") { request in navPage("Members") { text("Ann") } }  // /members/list
            members.get("/list.csv") { request in .text("Ann") }
        }
    }

    struct PriceTag: Component {
        let name: String
        let price: Int

        var body: any Widget {
            column {
                text(name)
                if price == 0 { text("free") } else { text("\(price) kr") }
            }
        }
    }

    static func shop(_ items: [(name: String, price: Int)]) -> NavPage {
        formPage("Shop") { for item in items { PriceTag(name: item.name, price: item.price) } }
    }

    @Test func `A price tag has no findings`() {
        #expect(PriceTag(name: "Tea", price: 0).findings() == [])
    }

    static func mountChecked(on router: Router) {
        router.applin("/") { app in
            let check = FormValidator(Trip.self) { trip, errors, request in
                if trip.city == "" { errors[\.city] = "Please write a city." }
            }
            let save = app.rpc("/trips/save", check: check) { trip, request in
                await trips.add(trip)
            }
            app.page("/trips/new", check: check) { form, request in
                formPage("New trip") {
                    form.textfield("City", \.city)
                    formButton("Save", rpc(save), form.reset(\.city), pop(), poll())
                }
            }
        }
    }
}
