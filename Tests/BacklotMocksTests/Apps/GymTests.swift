import Applin
import Backlot
import BacklotHTTP
import HTTPTypes
import TestSupport
import Testing

@testable import BacklotMocks

/// A gym of eight pages with bookings, and the same as a JSON API, in files as a client developer writes them (`Gym/`): two clients,
/// each with its own seats and bookings, told apart by their cookies or by a header field.
@Suite(.timeLimit(.minutes(5))) struct GymTests {
    /// A client of the gym.
    private struct Guest {
        let handler: any Handler
        var headers: HTTPFields = [:]
        var keepsCookies = true

        /// The status and the body of a response.
        mutating func ask(
            _ method: HTTPRequest.Method,
            _ path: String,
            _ json: JSONValue? = nil
        ) async throws -> String {
            var own = headers
            if json != nil { own[.contentType] = "application/json" }
            let response = try await handler.response(to: Request(method, path, headers: own, body: json?.bytes ?? []))
            if keepsCookies {
                for cookie in response.headers[values: .setCookie] {
                    headers[.cookie] = "\(cookie.prefix { $0 != ";" })"
                }
            }
            return "\(response.status.code) \(response.text)"
        }

        mutating func get(_ path: String) async throws -> String { try await ask(.get, path) }
        mutating func rpc(_ path: String, _ json: JSONValue = [:]) async throws -> String {
            try await ask(.post, path, json)
        }
    }

    private static func backend(_ configure: (inout MockConfiguration) -> Void = { _ in }) throws -> MockBackend {
        var configuration = MockConfiguration(formats: [.applin()])
        configure(&configuration)
        let backend = MockBackend(configuration, logger: .silent)
        let folder = #filePath.split(separator: "/").dropLast(2).map { "/\($0)" }.joined()
        try RouteFiles("\(folder)/Gym", backend: backend).load()
        return backend
    }

    @Test func `No page is rejected, and every link leads somewhere`() async throws {
        let report = await (try Self.backend()).check()
        #expect(report.pages.flatMap(\.findings).isEmpty, "\(report)")
        #expect(report.pages.count + report.unchecked.count == 8, "\(report)")
    }

    /// Cookies; tokens of apps that keep no cookies; a field of a test's own beside the same token.
    @Test(arguments: ["cookie", "Authorization", "X-Client"])
    func `Two clients book, each for itself`(stateBy: String) async throws {
        let handler = try Self.backend { $0.stateKey = StateKey(stateBy) }.handler()
        var (ann, bob) = (Guest(handler: handler), Guest(handler: handler))
        if let name = HTTPField.Name(stateBy), stateBy != "cookie" {
            (ann.keepsCookies, bob.keepsCookies) = (false, false)
            (ann.headers[name], bob.headers[name]) = ("Bearer a", "Bearer b")
        }
        #expect(try await ann.get("/bookings") == "403 Please log in to see your bookings.")
        #expect(try await ann.rpc("/classes/1/book") == "403 Please log in before you book.")
        #expect(try await ann.rpc("/account/log_in", ["username": " "]) == "422 Please enter your name.")
        let wrong = try await ann.rpc("/account/log_in", ["username": "ann", "password": "open-bob"])
        #expect(try await bob.rpc("/account/log_in", ["username": "eve", "password": "x"]) == wrong)
        #expect(wrong == "422 The password is wrong.")
        #expect(try await ann.get("/account") == "403 Please log in.")
        #expect(try await ann.rpc("/account/log_in", ["username": "ann", "password": "open-ann"]) == "200 ")
        #expect(try await bob.rpc("/account/log_in", ["username": "bob", "password": "open-bob"]) == "200 ")
        #expect(try await ann.get("/").contains("\"text\":\"ann\""))
        #expect(try await ann.rpc("/classes/1/book") == "200 ")
        #expect(try await ann.rpc("/classes/1/book") == "422 You have booked this class already.")
        #expect(try await ann.rpc("/classes/3/book") == "422 This class is full.")
        #expect(try await ann.rpc("/classes/9/book") == "404 This class was cancelled.")
        #expect(try await ann.get("/classes/9") == "404 This class was cancelled.")
        #expect(try await ann.rpc("/classes/2/book") == "200 ")
        let classes = try await ann.get("/classes")
        #expect(classes.contains("Monday, 1 seats") && classes.contains("Tuesday, full"), "\(classes)")
        #expect(try await ann.get("/account").contains("You are ann and have 2 bookings."))
        // Nothing of it concerns the other.
        #expect(try await bob.get("/classes").contains("Monday, 2 seats"))
        #expect(try await bob.get("/bookings").contains("You have booked nothing."))
        #expect(try await bob.get("/bookings/1") == "404 This booking is gone.")
        #expect(try await bob.rpc("/bookings/1/cancel") == "404 This booking is gone.")
        #expect(try await bob.get("/classes").contains("Monday, 2 seats"))
        #expect(try await ann.get("/bookings/1").contains("Yoga on Monday"))
        #expect(try await ann.rpc("/bookings/1/cancel") == "200 ")
        #expect(try await ann.get("/classes").contains("Monday, 2 seats"))
        let bookings = try await ann.get("/bookings")
        #expect(bookings.contains("Boxing") && !bookings.contains("Yoga"), "\(bookings)")
        #expect(try await ann.rpc("/account/log_out") == "200 ")
        #expect(try await ann.get("/bookings") == "403 Please log in to see your bookings.")
        #expect(try await bob.get("/account").contains("You are bob and have 0 bookings."))
    }

    @Test func `As a JSON API each token is a client`() async throws {
        let handler = try Self.backend().handler()
        var (ann, bob) = (Guest(handler: handler, keepsCookies: false), Guest(handler: handler, keepsCookies: false))
        #expect(try await ann.get("/api/bookings") == "401 {\"error\":\"log in\"}")
        let wrong = try await ann.rpc("/api/login", ["user": "ann", "password": "guess"])
        #expect(wrong == "401 {\"error\":\"wrong password\"}")
        #expect(
            try await ann.rpc("/api/login", ["user": "ann", "password": "open-ann"]) == "200 {\"token\":\"tok-ann\"}"
        )
        #expect(
            try await bob.rpc("/api/login", ["user": "bob", "password": "open-bob"]) == "200 {\"token\":\"tok-bob\"}"
        )
        (ann.headers[.authorization], bob.headers[.authorization]) = ("Bearer tok-ann", "Bearer tok-bob")
        #expect(try await ann.get("/api/bookings") == "200 []")
        let booked = #"{"id":1,"class":2,"name":"Boxing","day":"Tuesday"}"#
        #expect(try await ann.rpc("/api/bookings", ["class": 2]) == "201 \(booked)")
        #expect(try await ann.rpc("/api/bookings", ["class": 2]) == "409 {\"error\":\"full\"}")
        #expect(try await ann.get("/api/bookings") == "200 [\(booked)]")
        #expect(try await ann.get("/api/me") == #"200 {"user":"ann","bookings":1}"#)
        #expect(try await ann.get("/api/classes/2").contains("\"seats\":0"))
        #expect(try await bob.get("/api/classes?seats_gte=1&sort=-seats").contains("Boxing"))
        #expect(try await bob.get("/api/bookings") == "200 []")
        #expect(try await bob.ask(.delete, "/api/bookings/1").hasPrefix("404 "))
        #expect(try await ann.ask(.delete, "/api/bookings/1") == "204 ")
        #expect(try await ann.get("/api/classes/2").contains("\"seats\":1"))
        #expect(try await ann.rpc("/api/logout") == "204 ")
        #expect(try await ann.get("/api/bookings") == "401 {\"error\":\"log in\"}")
        #expect(try await bob.get("/api/bookings") == "200 []")
    }
}
