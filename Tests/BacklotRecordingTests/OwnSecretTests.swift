import Backlot
import TestSupport
import Testing

@testable import BacklotMocks
@testable import BacklotRecording

/// What lets in to administration and preview stays on this server, over sockets.
@Suite(.timeLimit(.minutes(5))) struct OwnSecretTests {
    private static let token = "open-sesame-1234"

    /// A backend that responds with the head that it has got.
    private static func echo() throws -> RawServer {
        try RawServer { connection in
            while case let head = connection.receiveHead(), !head.isEmpty {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(head.utf8.count)\r\n\r\n\(head)")
            }
        }
    }

    private enum Way: CaseIterable {
        case stub, recording, recordingBelow, capture
    }

    private static func handler(_ way: Way, to backend: RawServer) throws -> any Handler {
        let access = LocalAccess(host: "127.0.0.1", token: token)
        var configuration = MockConfiguration()
        configuration.allowRecording()
        if way == .recordingBelow { configuration.path = "/mock/" }
        let mocks = MockBackend(configuration)
        let router = Router()
        let admin = MockAdmin(mocks, journal: Journal(path: configuration.path), faults: FaultBoard(), access: access)
        router.use(admin)
        router.mocks(mocks)
        let url = "http://\(backend.address)"
        switch way {
        case .stub:
            mocks.stubs.add(
                try mocks.stub(json: ["request": ["urlPath": "/x"], "response": ["proxyBaseUrl": .string(url)]])
            )
        case .recording, .recordingBelow: #expect(mocks.record(url, Recording.Settings()) != nil)
        case .capture: #expect(router.capture(url, for: mocks, Recording.Settings()) != nil)
        }
        return router.handler()
    }

    @Test(arguments: Way.allCases, HTTPVersions.each)
    private func `No backend gets the token or preview's cookie`(way: Way, version: HTTPVersions) async throws {
        let backend = try Self.echo()
        defer { backend.stop() }
        let access = LocalAccess(host: "127.0.0.1", token: Self.token)
        let cookie = try #require(access.previewCookie)
        try await withServer(Self.handler(way, to: backend)) { address in
            func seen(_ cookies: String, _ authorization: String) async throws -> String {
                let response = try await address.exchange(
                    version,
                    way == .recordingBelow ? "/mock/x" : "/x",
                    [.cookie: cookies, .authorization: authorization]
                )
                #expect(response.status == .ok)
                return response.text
            }
            var head = try await seen("a=1; backlot-preview=\(cookie); b=2", "Bearer \(Self.token)")
            #expect(
                !head.contains("backlot-preview") && !head.contains(cookie) && !head.contains(Self.token),
                "\(head)"
            )
            #expect(head.contains("a=1; b=2") && !head.lowercased().contains("\nauthorization:"), "\(head)")
            head = try await seen("backlot-preview=\(Self.token)", "bearer  \(Self.token)")
            #expect(!head.lowercased().contains("\ncookie:") && !head.contains(Self.token), "\(head)")
            // What is meant for the backend goes on.
            for own in ["Bearer other", "Basic b3BlbjpzZXNhbWU=", "Bearer \(Self.token)2"] {
                head = try await seen("backlot-preview2=x; not-backlot-preview=y", own)
                #expect(head.contains(own) && head.contains("backlot-preview2=x; not-backlot-preview=y"), "\(head)")
            }
        }
    }

    @Test func `Preview's cookie is no token`() throws {
        let access = LocalAccess(host: "127.0.0.1", token: Self.token)
        let cookie = try #require(access.previewCookie)
        #expect(cookie.utf8.count == 64 && !access.isToken(cookie) && access.isToken(Self.token))
        #expect(LocalAccess(host: "0.0.0.0", token: Self.token).previewCookie == cookie)
        #expect(LocalAccess(host: "0.0.0.0", token: Self.token + "2").previewCookie != cookie)
        #expect(LocalAccess(host: "127.0.0.1").previewCookie == nil)
    }
}
