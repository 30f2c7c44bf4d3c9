import BacklotRedis
import TestSupport
import Testing

@testable import Backlot

/// Sessions on a server that speaks TLS.
@Suite(.needsRedis, .timeLimit(.minutes(5))) struct RedisOverTLSTests {
    private static let authority = TestAuthority.shared

    private func withServer(
        _ identity: TestIdentity = authority.issue(),
        _ body: (RedisServer) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let pair = try folder.write(identity.certificate + identity.key, to: "pair.pem")
            let trusted = try folder.write(Self.authority.certificate, to: "authority.pem")
            try await body(RedisServer(password: "secret", tls: (pair, trusted)))
        }
    }

    private func store(
        _ server: RedisServer,
        host: String = "localhost",
        trusting trust: ServerTrust? = nil,
        timeout: Duration = .seconds(60)
    ) throws -> RedisSessionStore {
        RedisSessionStore(
            try RedisAddress("rediss://:secret@\(host):\(server.port)/1"),
            trusting: try trust ?? Self.authority.trust,
            timeout: timeout,
            logger: .silent
        )
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `Sessions are kept`(host: String) async throws {
        try await withServer { server in
            let (one, other) = try (store(server, host: host), store(server, host: host))
            // More than one record of TLS, and more than one read.
            let values = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
            try await one.insert(SampleRecord.make("a", values: values))
            #expect(try await other.session("a")?.values == values)
            try await withThrowingTaskGroup { group in
                for index in 0..<200 { group.addTask { try await one.insert(SampleRecord.make("b\(index)")) } }
                try await group.waitForAll()
            }
            #expect(try await other.names("b0", "b199", "b200") == ["b0", "b199"])
        }
    }

    @Test func `A server that was away is found again`() async throws {
        try await withServer { server in
            let store = try store(server)
            try await store.insert(SampleRecord.make("a"))
            server.stop()
            try server.start()
            // It keeps nothing on the disk.
            #expect(try await store.names("a") == [])
            try await store.insert(SampleRecord.make("b"))
            #expect(try await store.names("b") == ["b"])
        }
    }

    @Test func `A server that isn't trusted is refused`() async throws {
        try await withServer(TestAuthority().issue()) { server in
            try await expect(
                "it isn't secure: no trusted authority has issued the server's certificate",
                store(server, timeout: .seconds(1))
            )
            try await store(server, trusting: .anyone).insert(SampleRecord.make("a"))
        }
        try await withServer(Self.authority.issue(names: "DNS:cache")) { server in
            try await expect(
                "it isn't secure: the server's certificate is for another host",
                store(server, timeout: .seconds(1))
            )
        }
    }

    @Test func `A server without TLS is no server`() async throws {
        let server = try RedisServer()
        let failure = await #expect(throws: RedisError.self) {
            _ = try await store(server, timeout: .milliseconds(300)).session("a")
        }
        guard case .away? = failure else {
            Issue.record(Comment(rawValue: "\(failure, default: "no failure")"))
            return
        }
    }

    private func expect(_ reason: String, _ store: RedisSessionStore) async throws {
        let found = try await failureReason(containing: reason) { _ = try await store.session("a") }
        #expect(found == "\(RedisError.away(reason))")
    }
}
