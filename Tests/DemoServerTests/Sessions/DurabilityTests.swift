import Backlot
import BacklotTesting
import Foundation
import TestSupport
import Testing

/// demo-server keeps its sessions, even if it is killed.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DurabilityTests {
    private func start(_ folder: TemporaryFolder, port: UInt16 = 0) throws -> (ServerProcess, SocketAddress) {
        let server = try ServerProcess(
            "demo-server",
            [
                "--port", "\(port)", "--log-level", "critical", "--sessions", "sqlite:\(folder.path)/s.sqlite",
                "--feeds",
                "sqlite:\(folder.path)/f.sqlite",
            ]
        )
        return (server, try #require(server.address()))
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `Who was logged in still is after a restart`(signal: Int32) async throws {
        try await withTemporaryFolder { folder in
            let (server, address) = try start(folder, port: FreePort.find())
            let client = try ApplinClient(url: "http://\(address)/")
            try await client.launch(at: "/log_in")
            try await client.enter("ada", into: "Name")
            try await client.enter("secret", into: "Password")
            try await client.tap("Log In")
            #expect(client.texts.contains("You are logged in as ada."), "\(client.screen)")
            server.signal(signal)
            _ = server.outcome()
            let (again, _) = try start(folder, port: address.port)
            try await client.relaunch()
            #expect(client.texts.contains("You are logged in as ada."), "\(client.screen)")
            again.signal(SIGTERM)
            #expect(again.outcome().status == 0)
            #expect(try folder.names() == ["f.sqlite", "s.sqlite"])
        }
    }

    @Test func `A server that can't start leaves no journal of its sessions`() async throws {
        try await withTemporaryFolder { folder in
            try folder.write("no database, and longer than the head of one would be", to: "f.sqlite")
            let options = [
                "--port", "0", "--sessions", "sqlite:\(folder.path)/s.sqlite", "--feeds",
                "sqlite:\(folder.path)/f.sqlite",
            ]
            #expect(try ServerProcess("demo-server", options).outcome().status != 0)
            #expect(try folder.names() == ["f.sqlite", "s.sqlite"])
        }
    }

    @Test func `Every log-in that was answered outlives a crash in the middle of many`() async throws {
        try await withTemporaryFolder { folder in
            let (server, address) = try start(folder)
            let cookies = Locked<[String]>([])
            let identifier = server.identifier
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask { try? await Self.logIn(at: address, cookies, killing: identifier) }
                }
            }
            #expect(server.outcome().status == -SIGKILL)
            let kept = cookies.withLock { $0 }
            #expect(kept.count >= Self.enough)
            let (again, second) = try start(folder)
            let client = try await RawClient.connect(to: second)
            for cookie in kept {
                try await client.send("GET /members HTTP/1.1\r\nHost: h\r\nCookie: \(cookie)\r\n\r\n")
                let status = try await client.receive().status
                if status != 200 { Issue.record("a session that was acknowledged is gone: \(status)") }
            }
            await client.close()
            again.signal(SIGTERM)
            #expect(again.outcome().status == 0)
        }
    }

    /// The number of log-ins with a response before the crash.
    private static let enough = 100

    /// Logs in repeatedly. The caller that gets the last of enough responses kills the server.
    private static func logIn(
        at address: SocketAddress,
        _ cookies: Locked<[String]>,
        killing server: Int32
    ) async throws {
        let body = #"{"log_in_name": "ada", "log_in_password": "x"}"#
        let client = try await RawClient.connect(to: address)
        while true {
            try await client.send(
                "POST /log_in/submit HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            guard let cookie = try await client.receive()["Set-Cookie"] else { return }
            let count = cookies.withLock { cookies in
                cookies.append(String(cookie.prefix { $0 != ";" }))
                return cookies.count
            }
            if count == enough { kill(server, SIGKILL) }
        }
    }
}
