import HTTPTypes
import Testing

@testable import BacklotHTTP

/// Requests made in process come from 127.0.0.1.
@Suite(.timeLimit(.minutes(5))) struct ClientAddressTests {
    @Test(arguments: [
        // Nobody is named.
        ([:], "127.0.0.1"),
        (["X-Forwarded-For": ""], "127.0.0.1"),
        // The nearest proxy's word counts; what stands before it can be anybody's.
        (["X-Forwarded-For": "192.0.2.7"], "192.0.2.7"),
        (["X-Forwarded-For": "203.0.113.1, 192.0.2.7"], "192.0.2.7"),
        (["X-Forwarded-For": "nonsense ,\t192.0.2.7"], "192.0.2.7"),
        // Several trusted proxies, one behind the other.
        (["X-Forwarded-For": "203.0.113.1, 192.0.2.7, 10.1.2.3"], "192.0.2.7"),
        (["X-Forwarded-For": "10.1.2.4, 10.1.2.3"], "10.1.2.4"),
        // What can't be read ends the way.
        (["X-Forwarded-For": "192.0.2.7, nonsense, 10.1.2.3"], "10.1.2.3"),
        (["X-Forwarded-For": "192.0.2.7,"], "127.0.0.1"),
        (["X-Forwarded-For": "localhost"], "127.0.0.1"),
        // Ports, and IPv6 with and without brackets.
        (["X-Forwarded-For": "192.0.2.7:4711"], "192.0.2.7"),
        (["X-Forwarded-For": "2001:db8::1"], "2001:db8::1"),
        (["X-Forwarded-For": "[2001:db8::1]"], "2001:db8::1"),
        (["X-Forwarded-For": "[2001:db8::1]:4711"], "2001:db8::1"),
        // An IPv4 address that is written as IPv6 is the same client, and the same proxy.
        (["X-Forwarded-For": "::ffff:192.0.2.7"], "192.0.2.7"),
        (["X-Forwarded-For": "192.0.2.7, ::ffff:10.1.2.3"], "192.0.2.7"),
        (["Forwarded": "for=\"[::ffff:192.0.2.7]:4711\""], "192.0.2.7"),
        (["X-Forwarded-For": "192.0.2.7:port"], "127.0.0.1"),
        (["X-Forwarded-For": "192.0.2.7:65536"], "127.0.0.1"),
        (["X-Forwarded-For": "[2001:db8::1]4711"], "127.0.0.1"),
        (["X-Forwarded-For": "[2001:db8::1"], "127.0.0.1"),
        // RFC 7239's own field, which goes before the other.
        (["Forwarded": "for=192.0.2.7"], "192.0.2.7"),
        (["Forwarded": "for=203.0.113.1;proto=https, For=\"[2001:db8::1]:4711\";by=10.0.0.1"], "2001:db8::1"),
        // Proxies write one field, and pass the other on as a client has sent it.
        (["Forwarded": "for=192.0.2.7", "X-Forwarded-For": "203.0.113.1"], "127.0.0.1"),
        (["Forwarded": "for=\"192.0.2.7:4711\"", "X-Forwarded-For": "203.0.113.1, 192.0.2.7"], "192.0.2.7"),
        (["Forwarded": "for=192.0.2.7, for=unknown"], "127.0.0.1"),
        (["Forwarded": "for=192.0.2.7, for=_hidden"], "127.0.0.1"),
        (["Forwarded": "for=192.0.2.7, proto=http"], "127.0.0.1"),
        (["Forwarded": "for=192.0.2.7;for=192.0.2.8"], "127.0.0.1"),
        (["Forwarded": "for=\"192.0.2.7"], "127.0.0.1"),
    ])
    func `The client is the first that is no trusted proxy`(fields: [String: String], expected: String) throws {
        var headers = HTTPFields()
        for (name, value) in fields { try headers.set(name, to: value) }
        let request = try Request(headers: headers)
        let proxies = AddressRange.loopback + [try AddressRange("10.0.0.0/8")]
        #expect(request.clientAddress(trusting: proxies).host == expected)
        #expect(request.clientAddress(trusting: [try AddressRange("10.0.0.0/8")]).host == "127.0.0.1")
    }
}

extension Request {
    fileprivate init(headers: HTTPFields) throws {
        try self.init(.get, "/", headers: headers)
    }
}
