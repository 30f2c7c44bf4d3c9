// A form with errors at its fields, and a list of the saved bookings.
// Run it with `swift run --package-path Examples/Small form`.
import Applin
import Backlot

struct Booking: Codable, Sendable {
    enum Room: String, Codable, CaseIterable, Sendable { case attic, cellar, garden }

    var name: String
    var nights: Int  // what isn't a number is refused by itself
    var room: Room
    var breakfast: Bool
}

actor Bookings {
    private(set) var all: [Booking] = []

    func add(_ booking: Booking) { all.append(booking) }
}

func makeRouter(_ bookings: Bookings = Bookings()) -> Router {
    let router = Router()
    router.applin("/", dialect: .objects) { app in  // for clients since 0.31
        let check = FormValidator(Booking.self) { booking, errors, _ in
            if booking.name.isEmpty { errors[\.name] = "Enter your name." }
            if !(1...14).contains(booking.nights) { errors[\.nights] = "Stay from 1 to 14 nights." }
        }
        let save = app.rpc("/bookings/save", check: check) { booking, _ in await bookings.add(booking) }
        let new = app.page("/bookings/new", check: check) { form, _ in
            formPage("New booking") {
                form.textfield("Name", \.name)
                form.textfield("Nights", \.nights)
                form.selector("Room", \.room)
                form.checkbox("With breakfast", \.breakfast)
                formButton("Book", rpc(save), form.reset(\.nights), pop(), poll())
            }
        }
        app.page("/") { _ in
            let all = await bookings.all
            return formPage("Bookings") {
                for one in all { text("\(one.name): \(one.nights) nights, \(one.room.rawValue)") }
                navButton("New booking", push(new))
            }
        }
    }
    return router
}

await Server(makeRouter(), port: 8080).runOrExit()
