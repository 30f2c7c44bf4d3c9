import Backlot
import BacklotTesting
import Testing

/// In process, a client gets the response that a server would send.
@Suite(.timeLimit(.minutes(5))) struct InProcessTransportTests {
    private func response(
        limits: ClientLimits = ClientLimits(),
        method: HTTPRequest.Method = .get,
        path: String = "/",
        body: [UInt8] = [],
        _ handler: @escaping @Sendable (Request) async throws -> Response
    ) async throws -> ClientResponse {
        let url = try HTTPURL(InProcessTransport.root).resolving(path)
        let request = ClientRequest(method, url, body: body, waitsForContinue: !body.isEmpty)
        return try await InProcessTransport(FunctionHandler(handler)).response(to: request, limits: limits)
    }

    @Test func `Errors become responses, as in a server`() async throws {
        let refused = try await response { _ in throw StatusError(.forbidden, "no") }
        #expect(refused.status == .forbidden)
        #expect(refused.text == "no")
        #expect(refused.mediaType == "text/plain")
        let failed = try await response { _ in throw CancellationError() }
        #expect(failed.status == .internalServerError)
        let large = try await response(method: .put, body: [UInt8](repeating: 1, count: 2_000_000)) { request in
            _ = try await request.body.collect()
            return Response()
        }
        #expect(large.status == .contentTooLarge)
    }

    @Test func `A streamed body is gathered, and HEAD and 204 have none`() async throws {
        let stream = try await response { _ in
            Response(
                body: .stream { writer in
                    try await writer.write("one, ")
                    try await writer.write("two")
                }
            )
        }
        #expect(stream.text == "one, two")
        #expect(try await response(method: .head) { _ in .text("x") }.body == [])
        #expect(try await response { _ in Response(status: .noContent, body: .bytes([1])) }.body == [])
    }

    @Test func `A streamed body that fails, or has another length, is cut short`() async throws {
        await #expect(throws: ClientError.cutShort(bodyBytes: 3)) {
            _ = try await response { _ in
                Response(
                    body: .stream { writer in
                        try await writer.write("one")
                        throw CancellationError()
                    }
                )
            }
        }
        await #expect(throws: ClientError.cutShort(bodyBytes: 3)) {
            _ = try await response { _ in Response(body: .stream(length: 4) { try await $0.write("one") }) }
        }
    }

    @Test func `A body that is too large, or has no end, is not taken`() async throws {
        var limits = ClientLimits()
        limits.body = 1000
        await #expect(throws: ClientError.bodyTooLarge(limit: 1000)) {
            _ = try await response(limits: limits) { _ in Response(body: .bytes([UInt8](repeating: 1, count: 1001))) }
        }
        await #expect(throws: ClientError.bodyTooLarge(limit: 1000)) {
            _ = try await response(limits: limits) { _ in
                Response(body: .stream { writer in while true { try await writer.write("endless") } })
            }
        }
    }

    @Test func `A handler that doesn't answer is not waited for for ever`() async throws {
        var limits = ClientLimits()
        limits.total = .milliseconds(20)
        let failure = await #expect(throws: ClientError.self) {
            _ = try await response(limits: limits) { _ in
                try await Task.sleep(for: .seconds(600))
                return Response()
            }
        }
        #expect(failure == .timedOut("the handler hadn't responded after 20 ms"))
    }

    @Test func `Who is cancelled doesn't wait`() async throws {
        let transport = try InProcessTransport(
            FunctionHandler { _ in
                try await Task.sleep(for: .seconds(600))
                return Response()
            }
        )
        let request = ClientRequest(.get, try HTTPURL(InProcessTransport.root))
        let task = Task { try await transport.response(to: request, limits: ClientLimits()) }
        task.cancel()
        await #expect(throws: ClientError.cancelled) { _ = try await task.value }
    }

    @Test func `Other hosts can't be reached`() async throws {
        let url = try HTTPURL("http://example.com/")
        await #expect(throws: ClientError.outsideOfProcess(url)) {
            let transport = try InProcessTransport(FunctionHandler { _ in Response() })
            _ = try await transport.response(to: ClientRequest(.get, url), limits: ClientLimits())
        }
    }
}
