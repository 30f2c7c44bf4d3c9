import Backlot
import BacklotTesting
import Testing

@testable import clinic

@Suite(.timeLimit(.minutes(5))) struct ClinicTests {
    private let store: ClinicStore
    private let router = Router()

    init() throws {
        store = try ClinicStore(path: nil)
        Clinic.register(on: router, store, sessions: MemorySessionStore())
    }

    private static func logIn(_ app: ApplinClient, birthday: String = "1980-05-17") async throws {
        try await app.launch()
        try await app.tap("Log In")
        try await app.enter("1001", into: "Patient number")
        try await app.enter(birthday, into: "Birthday, as 1980-05-17")
        try await app.tap("Log In")
    }

    @Test func `Every page is as clients want it`() async {
        let report = await router.check()
        #expect(!report.hasErrors, "\(report)")
    }

    @Test(arguments: ClientReach.allCases)  // in process, and over a socket
    func `Another birthday lets nobody in`(reach: ClientReach) async throws {
        try await withApplinClient(router, over: reach) { app in
            try await Self.logIn(app, birthday: "1980-05-18")
            #expect(app.errorText == "There is no patient with this number and birthday.")
        }
    }

    @Test(arguments: ClientReach.allCases)
    func `A new appointment is confirmed while its patient looks`(reach: ClientReach) async throws {
        try await withApplinClient(router, over: reach) { app in
            try await Self.logIn(app)
            try await app.tap("New Appointment")
            try await app.enter("tomorrow", into: "Day")
            try await app.tap("Ask for it")
            try await app.back()
            #expect(
                app.errors == [
                    "Say why you come.", "Write year, month and day: 2027-03-01.", "Write a number where we reach you.",
                ]
            )
            try await app.enter("Cough", into: "Reason")
            try await app.enter("2027-03-02", into: "Day")
            try await app.enter("555 0199", into: "Phone")
            try await app.tap("Ask for it")
            #expect(app.texts.contains("2027-03-02, waiting for the clinic"))

            var appointment = try #require(try await store.appointments(of: "1001").last)
            appointment.isConfirmed = true
            try await store.save(appointment)
            try await app.wait(.seconds(10))
            #expect(app.texts.contains("2027-03-02, confirmed"))
        }
    }

    @Test(arguments: ClientReach.allCases)
    func `A photo is sent and shown, and an appointment is cancelled`(reach: ClientReach) async throws {
        try await withApplinClient(router, over: reach) { app in
            try await Self.logIn(app)
            try await app.tap("Check-up")
            try await app.tap("Send a Photo of the Referral")
            try await app.uploadPhoto()
            let image = try #require(app.imageURLs.first)
            #expect(try await app.loadImage(image).status == .ok)
            try await app.tap("Cancel the Appointment…")
            try await app.tap("Cancel It")
            #expect(app.texts.contains("You have no appointments."))
            #expect(try await app.loadImage(image).status == .notFound)
        }
    }
}
