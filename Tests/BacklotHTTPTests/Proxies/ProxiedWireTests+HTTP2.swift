import TestSupport
import Testing

@testable import BacklotHTTP

/// The same through a proxy that is asked over HTTP/2: what HTTP/1.1 can't spell, or what would be read in two ways there,
/// reaches no backend.
extension ProxiedWireTests {
    /// A request as a wire case spells it, however wrong it is: whatever HTTP/2 can carry of it.
    private struct Spelled {
        let method: String
        let target: String
        let fields: [(String, String)]
        let body: [UInt8]

        /// nil where there is no line to take apart.
        init?(_ wireCase: WireCase) {
            let text = spelled(wireCase.wire)
            let end = text.firstRange(of: "\r\n\r\n")
            var lines = text[..<(end?.lowerBound ?? text.endIndex)].split(separator: "\r\n" as Character)
            guard let line = lines.first, let first = line.firstIndex(of: " "), let last = line.lastIndex(of: " "),
                first < last
            else { return nil }
            lines.removeFirst()
            method = String(line[..<first])
            target = String(line[line.index(after: first)..<last])
            fields = lines.map { line in
                let colon = line.firstIndex(of: ":") ?? line.endIndex
                let value = line[colon...].dropFirst()
                return (line[..<colon].lowercased(), String(value.hasPrefix(" ") ? value.dropFirst() : value))
            }
            body = bytes(String(end.map { text[$0.upperBound...] } ?? ""))
        }

        /// The header list, with `Host` as a field or as `:authority`.
        func list(hasAuthority: Bool) -> [(String, String)] {
            let host = fields.first { $0.0 == "host" }?.1
            let rest = hasAuthority ? fields.filter { $0.0 != "host" } : fields
            return Frame.get(target, method: method, authority: hasAuthority ? host : nil) + rest
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `Over HTTP/2 each reaches the backend as it was said, or not at all`(_ transport: TestTransport) async throws {
        let backend = try RecordingBackend()
        var (passed, refused) = (0, 0)
        try await withProxy(to: backend.address, over: transport) { server in
            // A handshake for each takes its time.
            for index in stride(from: 0, to: WireCase.all.count, by: transport == .tls ? 8 : 1) {
                let wireCase = WireCase.all[index]
                // This backend would make room for all of a body that is too large.
                guard wireCase.responses.last != "413", let said = Spelled(wireCase) else { continue }
                for hasAuthority in [true, false] {
                    let before = backend.requests.events.count
                    let list = said.list(hasAuthority: hasAuthority)
                    let status = try await status(of: list, said.body, server, transport)
                    let arrived = backend.requests.events[before...]
                    #expect(arrived.count == (status == 200 ? 1 : 0), "\(wireCase.title): \(arrived)")
                    guard let request = arrived.first else {
                        refused += 1
                        continue
                    }
                    passed += 1
                    #expect(request.line == "\(said.method) \(said.target) HTTP/1.1", "\(wireCase.title)")
                    #expect(request.body == spelled(said.body), "\(wireCase.title)")
                    for field in request.fields {
                        let name = field.prefix { $0 != ":" }.lowercased()
                        let value = String(field.dropFirst(name.count + 2))
                        let isOwn = ["host", "content-length", "transfer-encoding", "expect"].contains(name)
                        let isSaid = list.contains { $0.0 == name && Self.decoded($0.1) == value }
                        #expect(isOwn || isSaid, "\(wireCase.title): \(field)")
                    }
                }
            }
        }
        #expect(passed > 20 && refused > 20, "\(passed) passed, \(refused) were refused")
    }

    /// A body may hold whatever it likes, and it ends where the stream does.
    @Test(arguments: TestTransport.allCases)
    func `Over HTTP/2 chunk lines are bytes of a body`(_ transport: TestTransport) async throws {
        let backend = try RecordingBackend()
        try await withProxy(to: backend.address, over: transport) { server in
            // A handshake for each takes its time.
            for index in stride(from: 0, to: ChunkLineTests.examples.count, by: transport == .tls ? 8 : 1) {
                let example = ChunkLineTests.examples[index]
                for length in [nil, example.body.count, example.body.count - 1] {
                    let before = backend.requests.events.count
                    let fields = length.map { [("content-length", "\($0)")] } ?? []
                    let status = try await status(of: Frame.post() + fields, example.body, server, transport)
                    let isRight = length.map { $0 == example.body.count } ?? true
                    #expect((status == 200) == isRight)
                    let arrived = backend.requests.events[before...].map(\.body)
                    #expect(arrived == (isRight ? [spelled(example.body)] : []))
                }
            }
        }
    }

    /// Trailers that look like what frames a message, or makes one.
    @Test(arguments: TestTransport.allCases)
    func `Over HTTP/2 no trailer reaches the backend`(_ transport: TestTransport) async throws {
        let trailers = [
            ("content-length", "5"), ("transfer-encoding", "chunked"), ("host", "evil"), (":path", "/smuggled"),
            ("a", "b"), ("a", "b\r\n\r\nGET /smuggled HTTP/1.1"), ("\r\nGET /smuggled HTTP/1.1\r\nhost", "evil"),
            ("connection", "close"), ("te", "chunked"), ("a\0", "b"), ("A", "b"), ("", "b"), ("a ", "b"),
        ]
        let backend = try RecordingBackend()
        try await withProxy(to: backend.address, over: transport) { server in
            for trailer in trailers {
                let before = backend.requests.events.count
                let client = try await HTTP2Client.connect(to: server.address, tls: transport.http2)
                try await client.send(
                    .headers(1, Frame.post(), endStream: false),
                    .data(1, bytes("hello"), endStream: false),
                    .headers(1, [trailer])
                )
                let status = try? await client.response().status
                await client.close()
                let arrived = backend.requests.events[before...]
                #expect(arrived.count <= 1 && (status != 200 || arrived.count == 1), "\(trailer)")
                #expect(arrived.allSatisfy { $0.line == "POST / HTTP/1.1" && $0.body == "hello" }, "\(trailer)")
                #expect(!arrived.contains { "\($0.fields)".contains("evil") }, "\(trailer)")
            }
            #expect(backend.requests.events.count >= 2)
        }
    }

    /// A value as the backend reads it.
    private static func decoded(_ value: String) -> Substring {
        String(decoding: bytes(value), as: UTF8.self)[...].trimmed
    }

    /// - Returns: nil where there was no answer.
    private func status(
        of list: [(String, String)],
        _ body: [UInt8],
        _ server: RunningServer,
        _ transport: TestTransport
    ) async throws -> Int? {
        let client = try await HTTP2Client.connect(to: server.address, tls: transport.http2)
        try await client.send(.headers(1, list, endStream: body.isEmpty))
        let pieces = stride(from: 0, to: body.count, by: 16_000).map { Array(body[$0..<min(body.count, $0 + 16_000)]) }
        for (index, piece) in pieces.enumerated() {
            try? await client.send(.data(1, piece, endStream: index == pieces.count - 1))
        }
        let status = try? await client.response().status
        await client.close()
        return status
    }
}
