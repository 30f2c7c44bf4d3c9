import Backlot
import BacklotChecks
import BacklotClients
import HTTPTypes
import TestSupport
import Testing

@testable import BacklotMocks
@testable import BacklotRecording

/// Backends that are recorded, and verified with what was recorded: by token, by session cookie, unchanged and changed.
@Suite(.timeLimit(.minutes(5))) struct RecordedBackendTests {
    /// A gym: classes and bookings, each user's own, with ids and tokens that are others each time.
    private final class Gym: Handler {
        private struct State {
            var users: [String: String] = [:]
            var bookings: [String: [String]] = [:]
            var count = 0
        }

        let usesCookies: Bool
        /// The type of a class's seats has changed.
        let isChanged: Bool
        private let state: Locked<State>
        private let start: Int

        init(usesCookies: Bool, isChanged: Bool = false, start: Int = 0) {
            (self.usesCookies, self.isChanged, self.start) = (usesCookies, isChanged, start)
            state = Locked(State())
        }

        func respond(to request: Request) throws -> HandlerResult {
            .pending { [self] in
                let body = try? JSONValue(parsing: try await request.body.collect(upTo: 10_000))
                return respond(request, body)
            }
        }

        private func respond(_ request: Request, _ body: JSONValue?) -> Response {
            state.withLock { state in
                state.count += 1
                if request.path == "/login", request.method == .post {
                    guard body?["password"]?.string == "open-\(body?["user"]?.string ?? "")" else {
                        return Response(json: ["error": "wrong password"], status: .unauthorized)
                    }
                    let token = "tok-\(start + state.count)-fedcba9876543210"
                    state.users[token] = body?["user"]?.string
                    guard usesCookies else { return Response(json: ["token": .string(token)]) }
                    var response = Response(json: ["ok": true])
                    response.headers[.setCookie] = "sid=\(token); Path=/; HttpOnly"
                    return response
                }
                let shown =
                    usesCookies
                    ? request.headers[.cookie].flatMap { $0.split(separator: "sid=").last.map(String.init) }
                    : request.headers[.authorization].map { String($0.dropFirst("Bearer ".count)) }
                guard let shown, let user = state.users[shown] else {
                    return Response(json: ["error": "log in"], status: .unauthorized)
                }
                let own = state.bookings[user] ?? []
                let last = request.path.split(separator: "/").last.map(String.init) ?? ""
                switch (request.method, request.path) {
                case (.get, "/classes"):
                    return Response(json: [["id": 1, "name": "Yoga", "seats": isChanged ? "12" : 12]])
                case (.get, "/bookings"): return Response(json: .array(own.map { ["id": .string($0)] }))
                case (.post, "/bookings"):
                    let id = "b\(start + state.count)00000"
                    state.bookings[user] = own + [id]
                    return Response(json: ["id": .string(id)], status: .created)
                case (.get, _) where own.contains(last): return Response(json: ["id": .string(last), "class": "Yoga"])
                case (.delete, _) where own.contains(last):
                    state.bookings[user] = own.filter { $0 != last }
                    return Response(status: .noContent)
                case (.post, "/logout"):
                    state.users[shown] = nil
                    var response = Response(status: .noContent)
                    if usesCookies { response.headers[.setCookie] = "sid=; Path=/; Max-Age=0" }
                    return response
                default: return Response(json: ["error": "nothing"], status: .notFound)
                }
            }
        }
    }

    /// The files of a recorded session, by their paths.
    private static func recording(of gym: Gym) async throws -> [String: String] {
        var exchanges: [RecordedExchange] = []
        var token: String?
        func send(_ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil) async throws -> Response {
            var headers = HTTPFields()
            if let token {
                headers[gym.usesCookies ? .cookie : .authorization] = (gym.usesCookies ? "sid=" : "Bearer ") + token
            }
            if body != nil { headers[.contentType] = "application/json" }
            let bytes = body?.bytes ?? []
            let response = try await gym(Request(method, path, headers: headers, body: bytes))
            guard case .bytes(let found) = response.body else {
                exchanges.append(exchange(response, []))
                return response
            }
            exchanges.append(exchange(response, found))
            return response
            func exchange(_ response: Response, _ found: [UInt8]) -> RecordedExchange {
                RecordedExchange(
                    method,
                    path,
                    requestHeaders: headers,
                    requestBody: bytes,
                    status: response.status.code,
                    responseHeaders: response.headers,
                    responseBody: found
                )
            }
        }
        func document(_ response: Response) -> JSONValue? {
            if case .bytes(let bytes) = response.body { try? JSONValue(parsing: bytes) } else { nil }
        }
        _ = try await send(.get, "/classes")
        _ = try await send(.post, "/login", ["user": "ann", "password": "guess-1234"])
        let login = try await send(.post, "/login", ["user": "ann", "password": "open-ann"])
        token =
            document(login)?["token"]?.string
            ?? login.headers[.setCookie].map { String($0.dropFirst(4).prefix { $0 != ";" }) }
        _ = try await send(.get, "/classes")
        _ = try await send(.get, "/bookings")
        let booked = document(try await send(.post, "/bookings", ["class": 1]))?["id"]?.string ?? ""
        _ = try await send(.get, "/bookings")
        _ = try await send(.get, "/bookings/\(booked)")
        _ = try await send(.delete, "/bookings/\(booked)")
        _ = try await send(.get, "/bookings")
        _ = try await send(.post, "/logout")
        var redaction = Redaction()
        let files = RouteRecording(redaction.redacted(exchanges), formats: []).files
        return files.reduce(into: [:]) { $0[$1.path] = String(decoding: $1.bytes, as: UTF8.self) }
    }

    private static func report(
        usesCookies: Bool,
        isChanged: Bool = false,
        _ change: (inout ComparisonOptions) -> Void
    ) async throws -> MocksComparisonReport {
        let files = try await recording(of: Gym(usesCookies: usesCookies))
        return try await withTemporaryFolder { folder in
            for (name, text) in files { try folder.write(text, to: name) }
            let mocks = MockBackend(MockConfiguration(), logger: .silent)
            try RouteFiles(folder.path, backend: mocks).load()
            var options = ComparisonOptions()
            change(&options)
            // The backend of today has other tokens and ids.
            let backend = Gym(usesCookies: usesCookies, isChanged: isChanged, start: 5000)
            let transport = try InProcessTransport(backend)
            return try await MocksComparison(
                mocks,
                with: InProcessTransport.root,
                transport: transport,
                options: options
            )
            .report()
        }
    }

    @Test(arguments: [false, true])
    func `An unchanged backend has no findings, and most of it is verified`(usesCookies: Bool) async throws {
        let report = try await Self.report(usesCookies: usesCookies) { options in
            options.callsRPCs = true
            options.variables = ["user": "ann", "password": "open-ann"]
        }
        #expect(report.findings.isEmpty, "\(report)")
        #expect(report.compared >= 8 && report.unverified.count <= 2, "\(report)")
    }

    @Test(arguments: [false, true])
    func `A type that has changed behind a log-in is found`(usesCookies: Bool) async throws {
        let report = try await Self.report(usesCookies: usesCookies, isChanged: true) { options in
            options.callsRPCs = true
            options.variables = ["user": "ann", "password": "open-ann"]
        }
        #expect(report.findings.map(\.path.pointer) == ["/0/seats"], "\(report)")
    }

    @Test(arguments: [false, true])
    func `Without a password, or without --rpc, nothing is found, and what isn't verified is counted`(
        usesCookies: Bool
    ) async throws {
        for callsRPCs in [false, true] {
            let report = try await Self.report(usesCookies: usesCookies) { $0.callsRPCs = callsRPCs }
            #expect(report.findings.isEmpty, "\(report)")
            #expect(report.unverified.contains { $0.request == "GET /classes" })
            let all = report.compared + report.unverified.count
            #expect("\(report)".contains("not verified: \(report.unverified.count) of \(all) responses"))
        }
    }
}
