@testable import BacklotHTTP

/// Requests around some bytes, read by the same parser as those from a socket.
enum RequestWith {
    /// With a field of that value; nil where no field can have it.
    static func field(_ name: String, _ value: [UInt8]) -> Request? {
        // A line break in it would begin another field.
        value.contains(ASCII.carriageReturn)
            ? nil : make("GET / HTTP/1.1\r\nHost: h\r\n\(name): ", value, "\r\n\r\n")
    }

    /// With that target; nil where it is none.
    static func target(_ target: [UInt8]) -> Request? {
        make("GET ", target, " HTTP/1.1\r\nHost: h\r\n\r\n")
    }

    private static func make(_ start: String, _ middle: [UInt8], _ end: String) -> Request? {
        let bytes = Array(start.utf8) + middle + Array(end.utf8)
        var parser = HeadParser(limits: .init())
        guard let head = try? parser.parse(bytes.span), head.length == bytes.count,
            let address = SocketAddress(host: "127.0.0.1", port: 1)
        else { return nil }
        return Request(head: head, body: RequestBody(), remoteAddress: address)
    }
}
