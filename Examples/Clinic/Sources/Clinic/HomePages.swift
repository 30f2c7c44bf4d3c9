import Applin
import Backlot

/// The list of appointments, and the way in.
struct HomePages {
    let store: ClinicStore

    struct LogIn: Decodable {
        var number: String
        var birthday: String
    }

    func add(to app: ApplinApp) {
        app.page("/", samples: ["/", PageSample("/", user: "1001")]) { request in
            guard let patient = try await request.session.user else { return Self.welcome }
            return Self.list(try await store.appointments(of: patient))
        }
        app.page("/log_in") { _ in
            navPage("Log In") {
                scroll {
                    form {
                        textfield("number").label("Patient number").allow(.numbers)
                        textfield("birthday").label("Birthday, as 1980-05-17")
                        formButton("Log In") {
                            rpc("/log_in/submit")
                            resetVar("birthday")
                            replaceAll("/")
                        }
                    }
                }
            }
        }
        app.rpc("/log_in/submit", LogIn.self) { input, request in
            guard try await store.isPatient(input.number, born: input.birthday) else {
                throw UserError("There is no patient with this number and birthday.")
            }
            try await request.session.logIn(user: input.number)
        }
        app.rpc("/log_out") { try await $0.session.logOut() }
    }

    private static let welcome = navPage("Clinic") {
        scroll {
            form {
                text("See your appointments, and ask for new ones.")
                navButton("Log In") { push("/log_in") }
            }
        }
    }

    /// Polled, since the clinic confirms appointments while patients look.
    private static func list(_ appointments: [Appointment]) -> any Page {
        navPage("Appointments") {
            scroll {
                form {
                    if appointments.isEmpty { text("You have no appointments.") }
                    for appointment in appointments {
                        navButton(appointment.reason) { push("/appointments/\(appointment.id ?? 0)") }
                            .subText("\(appointment.day), \(appointment.state)")
                    }
                    navButton("New Appointment") { push("/appointments/new") }
                    formButton("Log Out") {
                        rpc("/log_out")
                        replaceAll("/")
                    }
                }
            }
        }
        .poll(every: .seconds(10))
    }
}
