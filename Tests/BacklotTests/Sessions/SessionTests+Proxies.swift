import Testing

@testable import Backlot

extension SessionTests {
    /// When the cookie is `Secure`, and whom to believe about it.
    struct Proxies {
        private func isSecure(_ headers: HTTPFields, trusting proxies: [AddressRange]) async throws -> Bool {
            let app = SessionApp.make(configure: { $0.trustedProxies = proxies })
            let cookie = try #require(try await app.get("log_in", headers: headers).setCookies.first)
            return cookie.hasSuffix("; HttpOnly; SameSite=Lax; Secure")
        }

        private func headers(_ fields: [(String, String)]) throws -> HTTPFields {
            var headers: HTTPFields = [:]
            for (name, value) in fields {
                headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
            }
            return headers
        }

        @Test(arguments: [
            ([("X-Forwarded-Proto", "https")], true),
            ([("X-Forwarded-Proto", "HTTPS")], true),
            ([("X-Forwarded-Proto", "http")], false),
            ([("X-Forwarded-Proto", "http, https")], true),
            ([("X-Forwarded-Proto", "https, http")], false),
            ([("X-Forwarded-Proto", "https"), ("X-Forwarded-Proto", "http")], false),
            ([("X-Forwarded-Proto", "https,")], false),
            ([("X-Forwarded-Proto", "")], false),
            ([("Forwarded", "for=192.0.2.60;proto=https;by=203.0.113.43")], true),
            ([("Forwarded", "Proto=HTTPS")], true),
            ([("Forwarded", "proto=\"https\"")], true),
            ([("Forwarded", "proto=http, proto=https")], true),
            ([("Forwarded", "proto=https, for=192.0.2.60")], false),
            ([("Forwarded", "proto=https"), ("Forwarded", "proto=http")], false),
            ([("Forwarded", "for=\"a,proto=http\";proto=https")], true),
            ([("Forwarded", "proto=https;for=\", proto=http")], false),
            ([("Forwarded", "for=\"\\\", proto=https\"")], false),
            ([("Forwarded", "proto=https;proto=https")], false),
            ([("Forwarded", "proto")], false),
            ([("Forwarded", "")], false),
            ([("Forwarded", "proto=https"), ("X-Forwarded-Proto", "http")], false),
            ([("Forwarded", "proto=https"), ("X-Forwarded-Proto", "https")], true),
            ([("X-Forwarded-Ssl", "on")], false),
            ([], false),
        ])
        func `The nearest proxy's word counts, if it is trusted`(
            fields: [(String, String)],
            expected: Bool
        ) async throws {
            let headers = try headers(fields)
            #expect(try await isSecure(headers, trusting: AddressRange.loopback) == expected)
            #expect(try await !isSecure(headers, trusting: []))
            #expect(try await !isSecure(headers, trusting: [AddressRange("10.0.0.0/8")]))
        }

        @Test func `Clearing the cookie is Secure too`() async throws {
            let app = SessionApp.make(configure: { $0.trustedProxies = AddressRange.loopback })
            let cookies = try await app.get("log_out", headers: headers([("X-Forwarded-Proto", "https")])).setCookies
            #expect(cookies.first?.hasSuffix("; Secure") == true)
        }

        @Test(arguments: [
            ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false),
            ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("192.168.4.0/22", "192.168.7.255", true), ("192.168.4.0/22", "192.168.8.0", false),
            ("192.0.2.6/31", "192.0.2.7", true), ("192.0.2.6/31", "192.0.2.8", false),
            ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "::1", false), ("::/0", "127.0.0.1", false),
            ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
            ("::1", "::1", true), ("::1/128", "::2", false), ("fe80::/10", "febf::1", true),
            ("2001:DB8::/33", "2001:db8:8000::", false),
        ])
        func `A range contains its addresses`(range: String, address: String, expected: Bool) throws {
            let address = try #require(SocketAddress(host: address, port: 4711))
            #expect(try AddressRange(range).contains(address) == expected)
        }

        @Test(arguments: [
            ("", AddressRangeError.notAnAddress("")),
            ("localhost", .notAnAddress("localhost")),
            ("[::1]", .notAnAddress("[::1]")),
            ("10.0.0", .notAnAddress("10.0.0")),
            ("10.0.0.256", .notAnAddress("10.0.0.256")),
            ("127.0.0.1\u{0}", .notAnAddress("127.0.0.1\u{0}")),
            (" 10.0.0.1", .notAnAddress(" 10.0.0.1")),
            ("/8", .notAnAddress("/8")),
            ("10.0.0.0/33", .badPrefixLength("10.0.0.0/33", maximum: 32)),
            ("10.0.0.0/", .badPrefixLength("10.0.0.0/", maximum: 32)),
            ("10.0.0.0/+8", .badPrefixLength("10.0.0.0/+8", maximum: 32)),
            ("10.0.0.0/8/8", .badPrefixLength("10.0.0.0/8/8", maximum: 32)),
            ("10.0.0.0/99999999999999999999", .badPrefixLength("10.0.0.0/99999999999999999999", maximum: 32)),
            ("::/129", .badPrefixLength("::/129", maximum: 128)),
            ("10.1.0.0/8", .bitsBeyondPrefix("10.1.0.0/8")),
            ("2001:db8::1/32", .bitsBeyondPrefix("2001:db8::1/32")),
        ])
        func `What is no range is refused with a reason`(text: String, error: AddressRangeError) {
            #expect(throws: error) { try AddressRange(text) }
            #expect(error.description.contains("'\(text)'"))
            #expect(error.description.contains("write"))
        }
    }
}
