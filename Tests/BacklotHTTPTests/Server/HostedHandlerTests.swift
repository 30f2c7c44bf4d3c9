import HTTPTypes
import Logging
import Testing

@testable import BacklotHTTP

/// A handler inside another server.
@Suite(.timeLimit(.minutes(5))) struct HostedHandlerTests {
    /// The response to a request that another server has read.
    private static func response(
        of handler: FunctionHandler,
        to method: HTTPRequest.Method = .get,
        from address: SocketAddress? = nil
    ) async throws -> Response {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let hosted = try HostedHandler(handler, logger: logger)
        let head = HTTPRequest(method: method, scheme: "http", authority: "h", path: "/")
        return await hosted.respond(to: head, body: RequestBody(), from: address)
    }

    @Test(arguments: [
        ("::ffff:192.0.2.7", "192.0.2.7:4711"), ("2001:db8::1", "[2001:db8::1]:4711"), ("192.0.2.7", "192.0.2.7:4711"),
    ])
    func `An IPv4 client of an IPv6 socket has an IPv4 address`(_ host: String, _ expected: String) async throws {
        let address = try #require(SocketAddress(host: host, port: 4711))
        let handler = FunctionHandler { request in .text("\(request.remoteAddress)") }
        guard case .bytes(let bytes) = try await Self.response(of: handler, from: address).body else {
            Issue.record("the response has no text")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    /// RFC 9110, sections 6.4.1 and 15.3.6. The other server writes the length of a body that it is given.
    @Test(
        arguments: [
            (.noContent, .get, nil), (.noContent, .head, nil), (.notModified, .get, nil), (.notModified, .head, nil),
            (.resetContent, .get, nil), (.resetContent, .head, "0"), (.ok, .head, "7"),
        ] as [(HTTPResponse.Status, HTTPRequest.Method, String?)]
    )
    func `Some responses have no body`(
        _ status: HTTPResponse.Status,
        _ method: HTTPRequest.Method,
        _ length: String?
    ) async throws {
        let handler = FunctionHandler { _ in .text("content", status: status) }
        let response = try await Self.response(of: handler, to: method)
        guard case .empty = response.body else {
            Issue.record("the response has a body")
            return
        }
        #expect(response.headers[.contentLength] == length)
    }
}
