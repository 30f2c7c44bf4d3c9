import Backlot
import Foundation
import TestSupport
import Testing

/// A demo-server whose disk is full, or whose folder of state goes away.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DiskProcessTests {
    /// In blocks of 512 bytes, for `ulimit -f`; with the signal the system would kill the program.
    private static let fourMegabytes = "trap '' XFSZ; ulimit -f 8192"

    private static func exchange(
        _ address: SocketAddress,
        _ method: String,
        _ target: String,
        _ body: [UInt8] = []
    ) async throws -> ReceivedResponse {
        let client = try await RawClient.connect(to: address)
        let fields = "Host: localhost\r\nContent-Length: \(body.count)"
        try await client.send("\(method) \(target) HTTP/1.1\r\n\(fields)\r\n\r\n")
        try await client.send(body)
        return try await client.receive(responseTo: method)
    }

    @Test func `An upload that the disk has no room for is 507, and the next one that fits is kept`() async throws {
        let arguments = ["--port", "0", "--sessions", "memory"]
        let demo = try ServerProcess("demo-server", arguments, prelude: Self.fourMegabytes)
        let address = try #require(demo.address())
        func upload(_ size: Int) async throws -> ReceivedResponse {
            let picture = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: size - 4)
            return try await Self.exchange(address, "PUT", "/photos/add", picture)
        }
        let refused = try await upload(5_000_000).withStatus(507)
        #expect(refused.text == "the server's disk has no room for this upload")
        #expect(try await upload(1_000_000).status == 200)
        demo.signal(SIGTERM)
        #expect(demo.outcome().errors.contains("an upload couldn't be kept: can't use the file"))
    }

    @Test func `Without its folder of state the server isn't ready, and the log says why`() async throws {
        try await withTemporaryFolder { folder in
            let demo = try ServerProcess("demo-server", ["--port", "0"], environment: ["XDG_STATE_HOME": folder.path])
            let address = try #require(demo.address())
            #expect(try await Self.exchange(address, "GET", "/readyz").status == 200)
            try folder.remove("backlot")
            var response = try await Self.exchange(address, "GET", "/readyz")
            let end = ContinuousClock.now + .seconds(20)
            while response.status == 200, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(50))
                response = try await Self.exchange(address, "GET", "/readyz")
            }
            #expect(response.status == 503)
            #expect(response.text == "not ready: the check of sessions failed")
            #expect(try await Self.exchange(address, "GET", "/healthz").status == 200)
            demo.signal(SIGTERM)
            let errors = demo.outcome().errors
            #expect(errors.contains("demo-server.sqlite: it was removed or replaced while"), "\(errors)")
        }
    }

    @Test func `A disk that is full at the start is named`() async throws {
        try await withTemporaryFolder { folder in
            let mount = "mount -t tmpfs -o size=16k tmpfs '\(folder.path)'"
            let attempt = Process()
            attempt.executableURL = URL(filePath: "/bin/sh")
            attempt.arguments = ["-c", "unshare -m sh -c \"\(mount)\""]
            attempt.standardError = Pipe()
            try attempt.run()
            attempt.waitUntilExit()
            guard attempt.terminationStatus == 0 else {
                print("LEFT OUT: the test of a disk that is full at the start: it needs root and Linux's unshare")
                return
            }
            let own = "unshare -m sh -c \"\(mount)\"' && exec \"$0\" \"$@\"' \"$0\" \"$@\""
            let sessions = "\(folder.path)/new/s.sqlite"
            let outcome = try ServerProcess(
                "demo-server",
                ["--port", "0", "--sessions", "sqlite:\(sessions)"],
                prelude: "exec \(own)"
            ).outcome()
            #expect(outcome.status != 0)
            #expect(outcome.errors.contains(sessions), "\(outcome.errors)")
            let reason = "the disk that holds the folder \(folder.path)/new is full"
            #expect(outcome.errors.contains(reason), "\(outcome.errors)")
            #expect(outcome.errors.contains("make room there"), "\(outcome.errors)")
        }
    }
}
