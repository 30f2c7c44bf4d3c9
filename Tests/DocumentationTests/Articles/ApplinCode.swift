import Applin
import Backlot

/// Code of the article "Applin".
enum ApplinCode {
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
            app.page("/") { _ in
                navPage("Travel") {
                    scroll {
                        form {
                            text("Where to?")
                            navButton("New trip") { push("/trips/new") }
                        }
                    }
                }
            }
            app.page("/trips/new") { _ in
                navPage("New trip") {
                    form {
                        textfield("city").label("City")
                        formButton("Save") {
                            rpc("/trips/save")
                            pop()
                        }
                    }
                }
            }
            app.rpc("/trips/save", Trip.self) { trip, request in
                guard trip.city != "" else { throw UserError("Please write a city.") }
            }
        }
    }

    static func mountChecked(on router: Router) {
        router.applin("/") { app in
            let check = FormCheck(Trip.self) { trip, request in
                trip.city == "" ? ["city": "Please write a city."] : [:]
            }
            app.page("/trips/new", check: check) { errors, request in
                navPage("New trip") {
                    form {
                        textfield("city").label("City").error(errors["city"])
                        formButton("Save") {
                            rpc("/trips/save", onUserErrorPoll: true)
                            pop()
                        }
                    }
                }
            }
            app.rpc("/trips/save", check: check) { trip, request in
                await trips.add(trip)
            }
        }
    }
}
