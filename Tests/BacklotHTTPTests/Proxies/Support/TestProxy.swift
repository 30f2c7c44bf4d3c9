import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// Runs `body` against a server that is a proxy before another one.
func withProxy(
    to backend: SocketAddress,
    scheme: String = "http",
    path: String = "",
    versions: HTTPVersions = .any,
    bounds: ClientBounds = ClientBounds(head: 1000, body: .max, idle: .seconds(10), total: nil),
    observedBodyLimit: Int = 1000,
    over transport: TestTransport = .clearText,
    configure: @escaping (inout ServerConfiguration) -> Void = { _ in },
    observed: Recorder<ProxiedExchange> = Recorder(),
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (RunningServer) async throws -> Void
) async throws {
    let host = scheme == "https" ? "localhost:\(backend.port)" : backend.description
    let proxy = ReverseProxy(
        origin: try #require(Origin("\(scheme)://\(host)\(path)")),
        connector: .trusting(.only(try TLSTrust(.text(TestTLS.authority.certificate)))),
        versions: versions,
        bounds: bounds,
        observedBodyLimit: observedBodyLimit
    )
    try await withTestServer(
        configure: { configuration in
            transport.configure(&configuration)
            configure(&configuration)
        },
        sourceLocation: sourceLocation,
        FunctionHandler { request in await proxy.respond(to: request) { observed.record($0) } },
        body
    )
}

/// A backend that takes requests apart with code of its own, remembers those that are whole, and answers `ok` or what it is told.
final class RecordingBackend: Sendable {
    struct Received: Equatable {
        var line: String
        /// The fields but for `Via` and `Forwarded`, in their order.
        var fields: [String]
        var body: String
    }

    let requests = Recorder<Received>()
    /// How many connections there were.
    let connections = Recorder<Void>()
    let server: RawServer

    /// - Parameter answer: the bytes to answer with; nil closes the connection.
    init(
        tls: TestIdentity? = nil,
        _ response: @escaping @Sendable (Received) -> String? = { _ in "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        }
    ) throws {
        let (requests, connections) = (requests, connections)
        server = try RawServer(tls: tls) { connection in
            connections.record(())
            while let request = Self.read(connection) {
                requests.record(request)
                guard let response = response(request), connection.send(bytes(response)) else { return }
            }
        }
    }

    var address: SocketAddress { server.address }

    private static func read(_ connection: RawServer.Connection) -> Received? {
        let head = connection.receiveHead()
        guard head.hasSuffix("\r\n\r\n") else { return nil }
        var lines = head.split(separator: "\r\n").map { String($0) }
        let line = lines.removeFirst()
        guard let body = Self.body(lines, connection) else { return nil }
        let fields = lines.filter { !$0.hasPrefix("Via: ") && !$0.hasPrefix("Forwarded: ") }
        return Received(line: line, fields: fields, body: spelled(body))
    }

    private static func body(_ fields: [String], _ connection: RawServer.Connection) -> [UInt8]? {
        func values(_ name: String) -> [String] {
            fields.filter { $0.lowercased().hasPrefix(name + ":") }.map { String($0.dropFirst(name.count + 2)) }
        }
        let (lengths, codings) = (values("content-length"), values("transfer-encoding"))
        // A request that could be read in two ways is none.
        guard lengths.count + codings.count < 2 else { return nil }
        if let length = lengths.first {
            guard let count = Int(length) else { return nil }
            let body = connection.receive(exactly: count)
            return body.count == count ? body : nil
        }
        guard codings == ["chunked"] else { return codings.isEmpty ? [] : nil }
        var body: [UInt8] = []
        while true {
            var line: [UInt8] = []
            while !line.suffix(2).elementsEqual([13, 10]) {
                let byte = connection.receive(upTo: 1)
                if byte.isEmpty { return nil }
                line += byte
            }
            guard let size = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16) else { return nil }
            let piece = connection.receive(exactly: size + 2)
            guard piece.count == size + 2, piece.suffix(2).elementsEqual([13, 10]) else { return nil }
            if size == 0 { return body }
            body += piece.dropLast(2)
        }
    }
}
