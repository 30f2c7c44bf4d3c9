import Applin
import Backlot

/// One appointment, and the form for a new one.
struct AppointmentPages {
    let store: ClinicStore

    struct Input: Decodable {
        var reason: String
        var day: String
        var phone: String
    }

    /// What is wrong with the form, field by field.
    private static let check = FormCheck(Input.self) { input, _ in
        var errors = FormErrors()
        if input.reason.isEmpty { errors["reason"] = "Say why you come." }
        if input.day.wholeMatch(of: /20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])/) == nil {
            errors["day"] = "Write year, month and day: 2027-03-01."
        }
        if input.phone.filter(\.isNumber).count < 6 { errors["phone"] = "Write a number where we reach you." }
        return errors
    }

    func add(to app: ApplinApp) {
        app.page("/appointments/new", check: Self.check, samples: [PageSample("/appointments/new", user: "1001")]) {
            errors,
            _ in
            navPage("New Appointment") {
                scroll {
                    form {
                        textfield("reason").label("Reason").maxChars(200).error(errors["reason"])
                        textfield("day").label("Day").error(errors["day"])
                        textfield("phone").label("Phone").allow(.tel).error(errors["phone"])
                        formButton("Ask for it") {
                            rpc("/appointments/add", onUserErrorPoll: true)
                            // Variables outlive their page: the next form begins empty.
                            resetVar("reason")
                            resetVar("day")
                            replaceAll("/")
                        }
                    }
                }
            }
        }
        app.rpc("/appointments/add", check: Self.check) { input, request in
            guard let patient = try await request.session.user else { throw StatusError(.forbidden, "Please log in.") }
            let (reason, day, phone) = (input.reason, input.day, input.phone)
            try await store.save(Appointment(patient: patient, reason: reason, day: day, phone: phone))
        }
        app.page("/appointments/{id}", samples: [PageSample("/appointments/1", user: "1001")]) { request in
            Self.page(try await store.appointment(of: request))
        }
        app.upload("/appointments/{id}/photo", limit: 5_000_000, formats: [.jpeg]) { request in
            var appointment = try await store.appointment(of: request)
            appointment.photo = try await request.body.collect()
            try await store.save(appointment)
        }
        app.rpc("/appointments/{id}/cancel") { request in
            try await store.remove(try await store.appointment(of: request))
        }
    }

    private static func page(_ appointment: Appointment) -> any Page {
        let id = appointment.id ?? 0
        return navPage(appointment.reason) {
            scroll {
                form {
                    text("\(appointment.day), \(appointment.state)")
                    text("We call \(appointment.phone) if it has to change.")
                    if appointment.photo != nil {
                        image("/photos/\(id)", aspectRatio: 1, disposition: .fit)
                    }
                    formButton("Send a Photo of the Referral") {
                        choosePhoto("/appointments/\(id)/photo")
                        poll()
                    }
                    formButton("Cancel the Appointment…") {
                        modal("Cancel this appointment?") {
                            modalButton("Cancel It") {
                                rpc("/appointments/\(id)/cancel")
                                replaceAll("/")
                            }
                            .destructive()
                            modalButton("Keep It") {}
                        }
                        .message("\(appointment.reason), \(appointment.day)")
                    }
                }
            }
        }
    }
}
