import TestSupport
import Testing

@testable import BacklotHTTP

/// Certificates and keys as people name them, right and wrong, and their exchange while a server runs.
@Suite(.timeLimit(.minutes(5))) struct TLSCertificatesTests {
    private let authority = TestTLS.authority

    /// Reads a certificate and a key from files with these texts.
    private func error(_ certificate: String?, _ key: String?) async throws -> String? {
        try await withTemporaryFolder { folder in
            if let certificate { try folder.write(certificate, to: "cert.pem") }
            if let key { try folder.write(key, to: "key.pem") }
            do throws(TLSError) {
                _ = try TLSCertificates(
                    certificateFile: folder.path + "/cert.pem",
                    keyFile: folder.path + "/key.pem"
                )
                return nil
            } catch {
                return error.description.replacing(folder.path + "/", with: "")
            }
        }
    }

    @Test func `An error names the file, the fault and what to do`() async throws {
        let good = authority.issue()
        #expect(try await error(good.certificate, good.key) == nil)
        #expect(try await error(good.certificate + authority.certificate, good.key) == nil)
        let missing =
            "can't be read (No such file or directory): name a file that exists and that the server's user may read"
        let cut = good.certificate.replacing("MII", with: "AAA", maxReplacements: 1)
        let encrypted = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIGj\n-----END ENCRYPTED PRIVATE KEY-----\n"
        let old = authority.issue(validity: -200_000...(-100_000))
        let new = authority.issue(validity: 100_000...200_000)
        let weak = authority.issue(key: .rsa(1024))
        let cases: [(certificate: String?, key: String?, start: String)] = [
            (nil, good.key, "'cert.pem' \(missing)"),
            (good.certificate, nil, "'key.pem' \(missing)"),
            (
                good.key, good.certificate,
                "'cert.pem' holds a key and no certificate: name the certificate's file here, and the key's as the key"
            ),
            ("", good.key, "'cert.pem' holds no certificate in PEM format: "),
            (cut, good.key, "'cert.pem' holds a certificate that can't be read: "),
            (good.certificate, "nonsense", "'key.pem' holds no private key in PEM format: "),
            (
                good.certificate, authority.issue().key,
                "'key.pem' is not the key of 'cert.pem': name the key that the certificate was made for; a chain begins with the server's own certificate"
            ),
            (good.certificate, encrypted, "'key.pem' is encrypted with a passphrase: decrypt it"),
            (old.certificate, old.key, "'cert.pem' has expired, on 20"),
            (new.certificate, new.key, "'cert.pem' is not valid before 20"),
            (weak.certificate, weak.key, "'cert.pem' is not secure enough ("),
        ]
        for (certificate, key, start) in cases {
            let error = try await error(certificate, key)
            #expect(error?.hasPrefix("TLS: \(start)") == true, "\(error ?? "it is accepted")")
        }
    }

    @Test func `A failed reload keeps the former certificate`() async throws {
        try await withTemporaryFolder { folder in
            let (first, second) = (authority.issue("first"), authority.issue("second"))
            try folder.write(first.certificate, to: "cert.pem")
            try folder.write(first.key, to: "key.pem")
            let certificates = try TLSCertificates(
                certificateFile: folder.path + "/cert.pem",
                keyFile: folder.path + "/key.pem"
            )
            #expect(certificates.files == [folder.path + "/cert.pem", folder.path + "/key.pem"])
            let before = certificates.current.identities[0]
            try folder.write(second.certificate, to: "cert.pem")
            #expect(throws: TLSError.self) { try certificates.reload() }
            #expect(certificates.current.identities[0] === before && certificates.current.number == 0)
            try folder.write(second.key, to: "key.pem")
            try certificates.reload()
            #expect(certificates.current.identities[0] !== before && certificates.current.number == 1)
        }
    }

    /// New connections get the new certificate. Open connections continue, and tickets stay valid.
    @Test func `A new certificate leaves open connections and tickets valid`() async throws {
        let certificates = try TestTLS.certificates(authority.issue("first"))
        let handler = FunctionHandler { request in .text("\(request.path)") }
        try await withTestClient(
            tls: TestTLS.http1,
            configure: { $0.tls = TLSConfiguration(certificates: certificates) },
            handler
        ) { early, server in
            #expect(try await early.response(to: request("GET /1")).text == "/1")
            #expect(await early.tls?.certificateName == "first")
            let second = authority.issue("second")
            try certificates.replace(
                with: [TLSCertificates.Pair(certificates: .text(second.certificate), key: .text(second.key))]
            )
            let late = try await RawClient.connect(to: server.address, tls: TestTLS.http1)
            #expect(await late.tls?.certificateName == "second")
            var settings = TestTLS.http1
            settings.ticket = await early.ticket
            let resumed = try await RawClient.connect(to: server.address, tls: settings)
            #expect(await resumed.tls?.isResumed == true)
            for client in [early, late, resumed] {
                #expect(try await client.response(to: request("GET /2")).text == "/2")
                await client.close()
            }
        }
    }

    /// Certificates change repeatedly while clients connect, with and without tickets, and every connection succeeds.
    @Test func `Certificates can change while clients connect`() async throws {
        let identities = (0..<4).map { authority.issue("certificate \($0)") }
        let certificates = try TestTLS.certificates(identities[0])
        let names = Recorder<String?>()
        // The clients continue until they have seen all certificates, however late these change.
        let isEnough: @Sendable () -> Bool = {
            let seen = names.events
            return seen.count >= 100 && Set(seen).count == identities.count || seen.count >= 10_000
        }
        try await withTestServer(
            configure: { $0.tls = TLSConfiguration(certificates: certificates) },
            FunctionHandler { _ in .text("here") }
        ) { server in
            let address = server.address
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let lasting = try await RawClient.connect(to: address, tls: TestTLS.http1)
                        var settings = TestTLS.http1
                        var round = 0
                        while round < 25 || !isEnough() {
                            let client = try await RawClient.connect(to: address, tls: settings)
                            names.record(await client.tls?.certificateName)
                            for client in [client, lasting] {
                                #expect(try await client.response(to: request("GET /")).text == "here")
                            }
                            settings.ticket = round.isMultiple(of: 2) ? await client.ticket : nil
                            round += 1
                        }
                        await lasting.close()
                    }
                }
                group.addTask {
                    var round = 0
                    while !isEnough() {
                        round += 1
                        let next = identities[round % identities.count]
                        try certificates.replace(
                            with: [TLSCertificates.Pair(certificates: .text(next.certificate), key: .text(next.key))]
                        )
                        let count = names.events.count
                        _ = try await eventually { names.events.count > count || isEnough() }
                    }
                }
                try await group.waitForAll()
            }
        }
        let all = Set(names.events)
        #expect(!all.contains(nil) && all.count == identities.count)
    }

    /// An ECDSA and an RSA key for the same names: the client's ciphers decide.
    @Test(arguments: [("ECDHE-RSA-AES128-GCM-SHA256", "rsa"), ("ECDHE-ECDSA-AES128-GCM-SHA256", "ecdsa")])
    func `The client's ciphers choose between keys for the same names`(_ cipher: String, _ name: String) async throws {
        let certificates = try TestTLS.certificates(authority.issue("ecdsa"), authority.issue("rsa", key: .rsa(2048)))
        try await withTestServer(
            configure: { $0.tls = TLSConfiguration(certificates: certificates) },
            FunctionHandler { _ in .text("") }
        ) { server in
            let settings = ClientTLSSettings(serverName: "localhost", newestVersion: .tls12, ciphers: cipher)
            let client = try await RawClient.connect(to: server.address, tls: settings)
            #expect(await client.tls?.certificateName == name)
        }
    }

    // MARK: Clients' certificates

    @Test func `A handler sees the client's certificate`() async throws {
        let trust = try TLSTrust(.text(authority.certificate))
        let handler = FunctionHandler { request in .text(request.peerCertificate?.subject ?? "nobody") }
        var configuration = TLSConfiguration(certificates: try TestTLS.certificates(authority.issue()))
        configuration.clientCertificates = .optional(trust)
        try await withTestServer(configure: { [configuration] in $0.tls = configuration }, handler) { server in
            var settings = TestTLS.http1
            for (identity, subject) in [(nil, "nobody"), (authority.issue("till 7"), "CN=till 7")] {
                settings.identity = identity
                settings.ticket = nil
                // A session that is taken up again has the certificate of the first.
                for _ in 0..<2 {
                    let client = try await RawClient.connect(to: server.address, tls: settings)
                    #expect(try await client.response(to: request()).text == subject)
                    settings.ticket = await client.ticket
                }
            }
        }
    }

    // MARK: Keys of tickets

    @Test func `A ticket key is good for two lifetimes`() {
        var ring = TicketKeyRing(lifetime: 100, at: 0)
        let first = ring.current(at: 0)
        #expect(ring.current(at: 99) == first)
        let second = ring.current(at: 100)
        #expect(second != first && second.name.count == 16)
        #expect(ring.key(named: first.name, at: 199) == first)
        #expect(ring.key(named: first.name, at: 200) == nil)
        #expect(ring.key(named: second.name, at: 200) == second)
        // After a long rest, nothing old is left.
        let third = ring.current(at: 1000)
        #expect(ring.key(named: second.name, at: 1000) == nil && ring.key(named: third.name, at: 1000) == third)
        #expect(ring.key(named: [], at: 1000) == nil)
    }
}
