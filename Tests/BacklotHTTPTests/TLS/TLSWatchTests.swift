import Logging
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

/// The files of certificates while a server runs: what changes in them is in use soon.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TLSWatchTests {
    private static let authority = TestAuthority()

    private func write(_ identity: TestIdentity, _ folder: TemporaryFolder) throws {
        try folder.write(identity.certificate, to: "cert.pem")
        try folder.write(identity.key, to: "key.pem")
    }

    /// Calls `body` while files are watched, with the folder, the certificates and the lines of the log.
    private func whileWatching(
        renewal: Duration = .seconds(86_400),
        renew: @escaping @Sendable () throws -> Void = {},
        check: @escaping @Sendable () throws -> Void = {},
        _ body: (TemporaryFolder, TLSCertificates, Recorder<String>) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            try write(Self.authority.issue("first"), folder)
            let certificates = try TLSCertificates(
                certificateFile: "\(folder.path)/cert.pem",
                keyFile: "\(folder.path)/key.pem"
            )
            let lines = Recorder<String>()
            let logger = Logger(label: "test") { _ in LogLines(lines: lines) }
            let watch = Task {
                await certificates.watch(
                    every: .milliseconds(10),
                    logger: logger,
                    renewal: renewal,
                    renew: renew,
                    check: check
                )
            }
            try await body(folder, certificates, lines)
            watch.cancel()
            await watch.value
        }
    }

    @Test func `Files that change are read again`() async throws {
        try await whileWatching { folder, certificates, _ in
            for _ in 0..<3 {
                let number = certificates.current.number
                try write(Self.authority.issue("next"), folder)
                #expect(try await eventually { certificates.current.number > number })
            }
        }
    }

    @Test func `A link that leads elsewhere is a change`() async throws {
        try await withTemporaryFolder { folder in
            for name in ["old", "new"] {
                let identity = Self.authority.issue(name)
                try folder.write(identity.certificate + identity.key, to: "\(name)/server.pem")
            }
            try folder.makeLink("current", to: "old")
            let file = "\(folder.path)/current/server.pem"
            let certificates = try TLSCertificates(certificateFile: file, keyFile: file)
            let watch = Task {
                await certificates.watch(every: .milliseconds(10), logger: Logger(label: "test"))
            }
            try folder.makeLink("next", to: "new")
            #expect(unsafe rename("\(folder.path)/next", "\(folder.path)/current") == 0)
            #expect(try await eventually { certificates.current.number == 1 })
            watch.cancel()
            await watch.value
        }
    }

    @Test func `A bad file is logged, and the former certificates stay`() async throws {
        try await whileWatching { folder, certificates, lines in
            try folder.write("nonsense", to: "cert.pem")
            #expect(
                try await eventually {
                    lines.events.contains { $0.contains("holds no certificate in PEM format") }
                }
            )
            #expect(lines.events.allSatisfy { $0.hasSuffix("the former certificates stay in use") })
            #expect(certificates.current.number == 0)
            try write(Self.authority.issue("next"), folder)
            #expect(try await eventually { certificates.current.number == 1 })
        }
    }

    @Test func `A hang-up renews the certificates and reads them again`() async throws {
        let renewals = Locked(0)
        try await whileWatching(renew: { renewals.withLock { $0 += 1 } }) { folder, certificates, _ in
            // The watch has begun once it has seen a change.
            try write(Self.authority.issue("next"), folder)
            #expect(try await eventually { certificates.current.number == 1 })
            #expect(renewals.withLock { $0 } == 0)
            kill(getpid(), SIGHUP)
            #expect(try await eventually { certificates.current.number == 2 })
            #expect(renewals.withLock { $0 } == 1)
        }
    }

    @Test func `A hang-up wakes those who wait for one, and so does their cancellation`() async throws {
        var first = HangUps()
        let second = Task { [hangUps = HangUps()] in
            await hangUps.wait()
            return Task.isCancelled
        }
        kill(getpid(), SIGHUP)
        await first.wait()
        let (wasTaken, isTakenAgain) = (first.take(), first.take())
        #expect(wasTaken && !isTakenAgain)
        #expect(await !second.value)
        let third = Task { [first] in await first.wait() }
        third.cancel()
        await third.value
    }

    @Test func `Certificates are renewed from time to time without a hang-up`() async throws {
        let renewals = Locked(0)
        let renew: @Sendable () throws -> Void = {
            renewals.withLock { $0 += 1 }
            throw TLSError("no", fix: "wait")
        }
        try await whileWatching(renewal: .milliseconds(20), renew: renew) { _, certificates, lines in
            let isRenewed = try await eventually { renewals.withLock { $0 } >= 3 }
            #expect(isRenewed && certificates.current.number == 0)
            #expect(lines.events.allSatisfy { $0.hasSuffix("TLS: no: wait; the certificates in use stay") })
        }
    }

    @Test func `Certificates that the check refuses aren't read`() async throws {
        let isRefused = Locked(true)
        let check: @Sendable () throws -> Void = {
            if isRefused.withLock({ $0 }) { throw TLSError("another's", fix: "wait") }
        }
        try await whileWatching(check: check) { folder, certificates, lines in
            try write(Self.authority.issue("next"), folder)
            #expect(try await eventually { lines.events.contains { $0.contains("TLS: another's: wait") } })
            #expect(certificates.current.number == 0)
            isRefused.withLock { $0 = false }
            try write(Self.authority.issue("third"), folder)
            #expect(try await eventually { certificates.current.number == 1 })
        }
    }
}

/// How long certificates are still valid.
@Suite(.timeLimit(.minutes(1))) struct TLSExpiryTests {
    @Test(
        arguments: [
            (30 * 86_400, nil), (14 * 86_400, nil), (14 * 86_400 - 1, "expires in 13 days: renew it"),
            (86_400 + 5, "expires in 1 day: renew it"), (3600, "expires today: renew it"), (0, "has expired: renew it"),
        ] as [(Int, String?)]
    )
    func `A certificate that expires soon is a warning`(left: Int, warning: String?) throws {
        let identity = TestAuthority("expiring").issue("a.example")
        let certificates = try TLSCertificates([
            TLSCertificates.Pair(certificates: .text(identity.certificate), key: .text(identity.key))
        ])
        let end = certificates.end
        #expect(end > FileTime.now.seconds)
        #expect(certificates.expiryWarning(at: end - left) == warning.map { "a certificate of the server \($0)" })
    }
}
