import TestSupport
import Testing

@testable import Backlot

/// A body beyond all limits is refused for its size only where bodies are taken.
@Suite(.timeLimit(.minutes(5))) struct LargeBodyTests {
    private static func withRoutes(_ body: (SocketAddress) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try folder.write("style", to: "style.css")
            let router = Router()
            router.get("/page") { _ in .text("page") }
            router.get("/notes/{id}") { _ in .text("note") }
            router.post("/notes/{id}") { .text("\(try await $0.body.collect().count)") }
            router.post("/form") { .text("\(try await $0.body.collect().count)") }
            router.post("/unread") { _ in .text("unread") }
            router.files(folder.path)
            try await withServer(router.handler()) { try await body($0) }
        }
    }

    private static let cases = [
        ("GET", "/missing", 404), ("POST", "/missing", 404), ("GET", "/page", 400), ("HEAD", "/page", 400),
        ("POST", "/page", 405), ("GET", "/notes/7", 400), ("POST", "/notes/7", 413), ("POST", "/form", 413),
        ("GET", "/form", 405), ("POST", "/unread", 200), ("GET", "/style.css", 400), ("POST", "/style.css", 405),
        ("GET", "/%FF/x", 400),
    ]

    @Test(arguments: cases)
    func `A body beyond all limits gets its route's status over HTTP/1`(
        method: String,
        path: String,
        status: Int
    ) async throws {
        try await Self.withRoutes { address in
            let client = try await RawClient.connect(to: address)
            try await client.send("\(method) \(path) HTTP/1.1\r\nHost: h\r\nContent-Length: 999999999\r\n\r\n")
            let response = try await client.receive(responseTo: method)
            #expect(response.status == status)
            // Whatever comes next may be that body.
            #expect(response["Connection"] == "close")
            #expect(try await client.receiveToEnd() == ([], .closed))
        }
    }

    @Test(arguments: cases)
    func `A body beyond all limits gets its route's status over HTTP/2`(
        method: String,
        path: String,
        status: Int
    ) async throws {
        try await Self.withRoutes { address in
            let request = HTTP2Request(method: method, path, [("content-length", "999999999")], isWhole: false)
            let found = try await request.status(at: address)
            #expect(found == status)
        }
    }

    @Test func `A body that fits does no harm where nobody reads it`() async throws {
        try await Self.withRoutes { address in
            let client = try await RawClient.connect(to: address)
            for path in ["/page", "/style.css", "/notes/7"] {
                try await client.send("GET \(path) HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody")
                #expect(try await client.receive().status == 200)
            }
            await client.close()
        }
    }
}
