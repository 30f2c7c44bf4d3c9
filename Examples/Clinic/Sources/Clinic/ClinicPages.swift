import Applin
import Backlot

/// The pages of a patient.
struct ClinicPages {
    let store: ClinicStore

    struct LogIn: Decodable {
        var number: String
        var birthday: String
    }

    /// The list of appointments, and the way in.
    func add(to app: ApplinApp) {
        let check = FormValidator(LogIn.self)
        let enter = app.rpc("/log_in/submit", check: check) { input, request in
            guard try await store.isPatient(input.number, born: input.birthday) else {
                throw UserError("There is no patient with this number and birthday.")
            }
            try await request.session.logIn(user: input.number)
        }
        let logIn = app.page("/log_in", check: check) { form, _ in
            formPage("Log In") {
                form.textfield("Patient number", \.number).allow(.numbers)
                form.textfield("Birthday, as 1980-05-17", \.birthday)
                formButton("Log In", rpc(enter), form.reset(\.birthday), replaceAll("/"))
            }
        }
        let logOut = app.rpc("/log_out") { try await $0.session.logOut() }
        let (new, appointment) = addAppointments(to: app)
        app.page("/", samples: ["/", CheckSample("/", user: "1001")]) { request in
            guard let patient = try await request.session.user else {
                return formPage("Clinic") {
                    text("See your appointments, and ask for new ones.")
                    navButton("Log In", push(logIn))
                }
            }
            let appointments = try await store.appointments(of: patient)
            // Polled, since the clinic confirms appointments while patients look.
            return formPage("Appointments", poll: .seconds(10)) {
                if appointments.isEmpty { text("You have no appointments.") }
                for one in appointments {
                    navButton(one.reason, push(appointment, id: one.id ?? 0)).subText("\(one.day), \(one.state)")
                }
                navButton("New Appointment", push(new))
                formButton("Log Out", rpc(logOut), replaceAll("/"))
            }
        }
    }

    struct Wish: Decodable {
        var reason: String
        var day: String
        var phone: String
    }

    /// What is wrong with the form, field by field.
    private static let check = FormValidator(Wish.self) { wish, errors, _ in
        if wish.reason.isEmpty { errors[\.reason] = "Say why you come." }
        if wish.day.wholeMatch(of: /20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])/) == nil {
            errors[\.day] = "Write year, month and day: 2027-03-01."
        }
        if wish.phone.filter(\.isNumber).count < 6 { errors[\.phone] = "Write a number where we reach you." }
    }

    /// One appointment, and the form for a new one.
    private func addAppointments(to app: ApplinApp) -> (new: PageRoute<Never>, appointment: PageRoute<Int64>) {
        let add = app.rpc("/appointments/add", check: Self.check) { wish, request in
            let patient = try await request.session.requireLogin("Please log in.")
            try await store.save(Appointment(patient: patient, reason: wish.reason, day: wish.day, phone: wish.phone))
        }
        let samples = ["/appointments/new", "/appointments/1"].map { CheckSample($0, user: "1001") }
        let new = app.page("/appointments/new", check: Self.check, samples: [samples[0]]) { form, _ in
            formPage("New Appointment") {
                form.textfield("Reason", \.reason).maxChars(200)
                form.textfield("Day", \.day)
                form.textfield("Phone", \.phone).allow(.tel)
                // Variables outlive their page: the next form begins empty.
                formButton("Ask for it", rpc(add), form.reset(\.reason), form.reset(\.day), replaceAll("/"))
            }
        }
        let photo = app.upload("/appointments/{id}/photo", id: Int64.self, limit: 5_000_000, formats: [.jpeg]) {
            var appointment = try await store.appointment($0, of: $1)
            appointment.photo = try await $1.body.collect()
            try await store.save(appointment)
        }
        let cancel = app.rpc("/appointments/{id}/cancel", id: Int64.self) { id, request in
            try await store.remove(try await store.appointment(id, of: request))
        }
        let appointment = app.page("/appointments/{id}", id: Int64.self, samples: [samples[1]]) { id, request in
            let appointment = try await store.appointment(id, of: request)
            return formPage(appointment.reason) {
                text("\(appointment.day), \(appointment.state)")
                text("We call \(appointment.phone) if it has to change.")
                if appointment.photo != nil { image("/photos/\(id)", aspectRatio: 1, disposition: .fit) }
                formButton("Send a Photo of the Referral", choosePhoto(photo, id: id), poll())
                formButton("Cancel the Appointment…") {
                    modal("Cancel this appointment?") {
                        modalButton("Cancel It", rpc(cancel, id: id), replaceAll("/")).destructive()
                        modalButton("Keep It") {}
                    }
                    .message("\(appointment.reason), \(appointment.day)")
                }
            }
        }
        app.get("/photos/{id}") { request in
            let appointment = try await store.appointment(request.parameter("id", as: Int64.self), of: request)
            guard let photo = appointment.photo else { throw StatusError(.notFound, "This appointment has no photo.") }
            return Response(headers: [.contentType: "image/jpeg", .cacheControl: "private"], body: .bytes(photo))
        }
        return (new, appointment)
    }
}

extension ClinicStore {
    /// The appointment of a request's user.
    ///
    /// - Throws: `StatusError` with 404 where the user has no such appointment.
    fileprivate func appointment(_ id: Int64, of request: Request) async throws -> Appointment {
        guard let patient = try await request.session.user, let appointment = try await appointment(id, of: patient)
        else { throw StatusError(.notFound, "This appointment is not here: it may have been cancelled.") }
        return appointment
    }
}
