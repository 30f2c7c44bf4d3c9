import TestSupport
import Testing

@testable import BacklotHTTP

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The authority of a machine: what it may vouch for, and what it issues.
@Suite(.timeLimit(.minutes(5))) struct CertificateAuthorityTests {
    private static let now = time(nil)
    private static let hosts = ["studio-7", "studio-7.local", "build.example.com", "dev", "203.0.113.9"]

    private static let authority = Result {
        let issue = try CertificateAuthority.make(for: hosts, named: "Backlot on studio-7", at: now)
        return try CertificateAuthority(certificate: .text(issue.certificate), key: .text(issue.key))
    }

    @Test(
        arguments: [
            ("localhost", true), ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("10.1.2.3", true),
            ("172.16.0.1", true), ("172.31.255.255", true), ("192.168.178.20", true), ("169.254.3.4", true),
            ("fd00::7", true), ("fe80::1", true), ("studio-7", true), ("studio-7.local", true), ("other.local", true),
            ("build.example.com", true), ("203.0.113.9", true), ("8.8.8.8", false), ("172.32.0.1", false),
            ("192.169.0.1", false), ("203.0.113.10", false), ("2001:db8::1", false), ("::2", false),
            ("example.com", false), ("www.example.org", false), ("local.example.org", false), ("dev", false),
            ("mail.dev", false), ("", false), ("a b", false), ("-a", false), ("a,DNS:example.org", false),
        ]
    )
    func `An authority permits only this machine and private addresses`(host: String, isPermitted: Bool) throws {
        #expect(try Self.authority.get().permits(host, at: Self.now) == isPermitted)
    }

    @Test func `A certificate is for the permitted hosts`() throws {
        let authority = try Self.authority.get()
        let issue = try authority.issue(for: ["localhost", "127.0.0.1", "8.8.8.8", "studio-7"], at: Self.now)
        let issued = try IssuedCertificate(.text(issue.certificate))
        #expect(issued.isFor("localhost") && issued.isFor("127.0.0.1") && issued.isFor("studio-7"))
        #expect(!issued.isFor("8.8.8.8") && !issued.isFor("127.0.0.2") && !issued.isFor("studio-8"))
        #expect(issued.isIssued(by: authority))
        #expect(issued.end <= Self.now + 397 * 86_400 && issued.end > Self.now + 396 * 86_400)
    }

    @Test func `A certificate ends with its authority`() throws {
        let authority = try Self.authority.get()
        let late = authority.end - 86_400
        let issued = try IssuedCertificate(.text(authority.issue(for: ["localhost"], at: late).certificate))
        #expect(issued.end == authority.end)
    }

    @Test func `Another authority's certificate isn't its own`() throws {
        let made = try CertificateAuthority.make(for: [], named: "Backlot on studio-7", at: Self.now)
        let other = try CertificateAuthority(certificate: .text(made.certificate), key: .text(made.key))
        let issue = try other.issue(for: ["localhost"], at: Self.now)
        #expect(try !IssuedCertificate(.text(issue.certificate)).isIssued(by: Self.authority.get()))
        #expect(try other.fingerprint != Self.authority.get().fingerprint)
    }

    @Test func `Clients that trust the authority trust its server`() throws {
        let made = try CertificateAuthority.make(for: [], named: "Backlot on studio-7", at: Self.now)
        let authority = try CertificateAuthority(certificate: .text(made.certificate), key: .text(made.key))
        let issue = try authority.issue(for: ["localhost"], at: Self.now)
        let server = try TLSPair.server(TestIdentity(certificate: issue.certificate, key: issue.key))
        let client = try TLSContext.client(trust: TLSTrust(.text(made.certificate)), protocols: ["h2"], identity: nil)
        let (serverStep, clientStep) = TLSPair(server, client).shakeHands()
        #expect(serverStep == .done && clientStep == .done)
    }

    @Test func `An authority has the name and fingerprint that devices show`() throws {
        let authority = try Self.authority.get()
        #expect(authority.name == "Backlot on studio-7")
        #expect(authority.fingerprint.wholeMatch(of: /([0-9A-F]{2}:){31}[0-9A-F]{2}/) != nil)
        let hash = SHA256.hash(authority.der).map { ($0 < 16 ? "0" : "") + String($0, radix: 16).uppercased() }
        #expect(authority.fingerprint == hash.joined(separator: ":"))
    }
}
