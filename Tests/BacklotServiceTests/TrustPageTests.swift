import Backlot
import BacklotPreview
import Foundation
import TestSupport
import Testing

@testable import BacklotService

/// What devices get at `/__tls`, and what terminals show.
@Suite(.timeLimit(.minutes(5))) struct TrustPageTests {
    private static let authority = Result {
        let made = try CertificateAuthority.make(for: [], named: "Backlot on <studio>", at: SelfSignedCertificates.now)
        return try CertificateAuthority(certificate: .text(made.certificate), key: .text(made.key))
    }

    private static func page(_ host: String, agent: String = "") async throws -> (Response, String) {
        var headers: HTTPFields = [.userAgent: agent]
        headers[try #require(HTTPField.Name("Host"))] = host
        let request = try Request(.get, "/__tls", headers: headers)
        let response = TrustPage(try authority.get(), for: request).response(to: request)
        guard case .bytes(let bytes) = response.body else { return (response, "") }
        return (response, String(decoding: bytes, as: UTF8.self))
    }

    @Test func `The page has the fingerprint and four steps for each kind of device, and needs nothing else`()
        async throws
    {
        let (response, html) = try await Self.page("192.168.1.5:8443")
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        let fingerprint = try Self.authority.get().fingerprint
        #expect(html.replacing("<wbr>", with: "").contains(fingerprint))
        #expect(html.contains("Backlot on &lt;studio&gt;") && !html.contains("<studio>"))
        #expect(html.contains("<a href=\"https://192.168.1.5:8443/\">"))
        let sections = html.split(separator: "<section id=\"").dropFirst()
        #expect(sections.map { $0.prefix { $0 != "\"" } } == ["chromium", "ios", "android", "macos"])
        for section in sections { #expect(section.split(separator: "<li>").count == 5, "\(section)") }
        // No script, and nothing from elsewhere.
        #expect(!html.contains("<script") && !html.contains("<link") && !html.contains("src=\"h"))
    }

    @Test(
        arguments: [
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)", "ios"),
            ("Mozilla/5.0 (Linux; Android 15; Pixel 9)", "android"),
            ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", "macos"),
            ("Mozilla/5.0 (X11; Linux x86_64)", "chromium"),
        ]
    )
    func `The client's own device comes first`(agent: String, id: String) async throws {
        let html = try await Self.page("localhost", agent: agent).1
        let first = try #require(html.firstRange(of: "<section id=\""))
        #expect(html[first.upperBound...].hasPrefix("\(id)\""))
    }

    @Test func `A Host is no markup`() async throws {
        let html = try await Self.page("a&b'c").1
        #expect(html.contains("Open https://a&amp;b&#39;c/ in Safari"))
        #expect(!html.contains("a&b"))
    }

    @Test func `The profile is the same for the same authority, and holds its certificate`() throws {
        let authority = try Self.authority.get()
        let response = TrustFiles.profile(of: authority)
        #expect(response.headers[.contentType] == "application/x-apple-aspen-config")
        guard case .bytes(let bytes) = response.body, case .bytes(let again) = TrustFiles.profile(of: authority).body
        else { throw CancellationError() }
        #expect(bytes == again)
        let list = try #require(
            try unsafe PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any]
        )
        #expect(list["PayloadType"] as? String == "Configuration")
        #expect(list["PayloadDisplayName"] as? String == "Backlot on <studio>")
        let content = try #require((list["PayloadContent"] as? [[String: Any]])?.first)
        #expect(content["PayloadType"] as? String == "com.apple.security.root")
        #expect(content["PayloadContent"] as? Data == Data(authority.der))
        for identifier in [list["PayloadUUID"], content["PayloadUUID"]] {
            #expect(UUID(uuidString: try #require(identifier as? String)) != nil)
        }
        #expect(list["PayloadUUID"] as? String != content["PayloadUUID"] as? String)
    }

    @Test func `The certificate goes out in the form that devices install`() throws {
        let authority = try Self.authority.get()
        let response = TrustFiles.certificate(of: authority)
        #expect(response.headers[.contentType] == "application/x-x509-ca-cert")
        guard case .bytes(let bytes) = response.body else { throw CancellationError() }
        #expect(bytes == authority.der && bytes.first == 0x30)
    }

    // MARK: Terminals

    @Test func `A phone gets a code, and a machine that only reaches itself none`() throws {
        let authority = try Self.authority.get()
        func lines(_ address: SocketAddress, isTerminal: Bool) -> [String] {
            AuthorityFolder(path: "/state/tls").trustLines(authority, address, isTerminal: isTerminal)
        }
        let near = try #require(SocketAddress(host: "127.0.0.1", port: 8443))
        let far = try #require(SocketAddress(host: "192.168.1.5", port: 8443))
        let plain = lines(far, isTerminal: false)
        #expect(
            plain == [
                "to trust it on a device: http://192.168.1.5:8443/__tls",
                "its authority: Backlot on <studio>, in /state/tls/authority.pem",
                "SHA-256 fingerprint of the authority: \(authority.fingerprint)",
            ]
        )
        #expect(lines(near, isTerminal: true).count == 3)
        let code = try #require(QRCode("http://192.168.1.5:8443/__tls"))
        #expect(lines(far, isTerminal: true) == plain + code.lines(colors: true))
        let abroad = try #require(SocketAddress(host: "203.0.113.9", port: 8443))
        #expect(
            lines(abroad, isTerminal: false).last?.hasPrefix("the certificate isn't for 203.0.113.9, which")
                == true
        )
    }
}
