import Backlot
import Foundation
import TestSupport
import Testing

/// demo-server with https, as those see it who start it. They run programs and block their thread.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TLSProcessTests {
    private static func demo(_ folder: TemporaryFolder, _ arguments: [String]) throws -> ServerProcess {
        try ServerProcess(
            "demo-server",
            arguments + ["--port", "0", "--log-level", "error"],
            environment: ["XDG_STATE_HOME": folder.path]
        )
    }

    private static func port(_ line: String?) throws -> String {
        let line = try #require(line)
        return String(try #require(line.wholeMatch(of: /listening on https:\/\/[0-9.]+:(\d+)\//)?.output.1, "\(line)"))
    }

    /// Runs curl, and returns its output and exit status.
    private static func curl(_ arguments: String...) throws -> (output: String, status: Int32) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["curl", "--silent", "--show-error", "--max-time", "10"] + arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (text, process.terminationStatus)
    }

    @Test func `Programs that trust the authority connect, others don't, and it survives a restart`() async throws {
        try await withTemporaryFolder { folder in
            let authority = "\(folder.path)/backlot/tls/authority.pem"
            var fingerprints: [String] = []
            for _ in 0..<2 {
                let demo = try Self.demo(folder, ["--tls-self-signed"])
                let port = try Self.port(demo.firstLine())
                for host in ["127.0.0.1", "localhost"] {
                    let response = try Self.curl("--cacert", authority, "https://\(host):\(port)/healthz")
                    #expect(response.output == "success")
                }
                let version = try Self.curl(
                    "--cacert",
                    authority,
                    "--output",
                    "/dev/null",
                    "--write-out",
                    "%{http_version}",
                    "https://127.0.0.1:\(port)/"
                )
                #expect(version.output == "2")
                // 60: the authority isn't trusted.
                #expect(try Self.curl("https://127.0.0.1:\(port)/healthz").status == 60)
                #expect(try Self.curl("http://127.0.0.1:\(port)/__tls").output.contains("Trust this server"))
                #expect(try Self.curl("http://127.0.0.1:\(port)/healthz").output.hasPrefix("speak https here"))
                let health = try ServerProcess("demo-server", ["health", "--tls-self-signed", "--port", port]).outcome()
                #expect(health.status == 0 && health.output == "success\n")
                demo.signal(SIGTERM)
                let outcome = demo.outcome()
                #expect(outcome.status == 0)
                let lines = outcome.output.split(separator: "\n").map(String.init)
                #expect(lines.contains("Applin, documented dialect: https://127.0.0.1:\(port)/"))
                #expect(lines.contains("to trust it on a device: http://127.0.0.1:\(port)/__tls"))
                fingerprints += lines.filter { $0.hasPrefix("SHA-256 fingerprint of the authority: ") }
            }
            #expect(fingerprints.count == 2 && Set(fingerprints).count == 1)
        }
    }

    @Test func `tls trust prints the way to trust it, and tls forget the way back`() async throws {
        try await withTemporaryFolder { folder in
            let environment = ["XDG_STATE_HOME": folder.path]
            let none = try ServerProcess("demo-server", ["tls", "trust"], environment: environment).outcome()
            let missing =
                "Error: TLS: there is no authority in '\(folder.path)/backlot/tls': start the server with --tls-self-signed, which makes one\n"
            #expect(none.status == 1 && none.errors == missing)
            let demo = try Self.demo(folder, ["--tls-self-signed"])
            _ = try Self.port(demo.firstLine())
            demo.signal(SIGTERM)
            let shown = demo.outcome().output.split(separator: "\n")
            let trust = try ServerProcess(
                "demo-server",
                ["tls", "trust", "--host", "192.168.1.5", "--port", "8443"],
                environment: environment
            ).outcome()
            #expect(trust.output.hasPrefix("to trust it on a device: http://192.168.1.5:8443/__tls\n"))
            let fingerprint = try #require(shown.first { $0.hasPrefix("SHA-256 fingerprint") })
            #expect(trust.output.contains(fingerprint))
            #expect(trust.output.contains("  4. Open https://192.168.1.5:8443/ in Safari"))
            let forget = try ServerProcess("demo-server", ["tls", "forget"], environment: environment).outcome()
            #expect(forget.output.contains("Devices that trust it still do."))
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/backlot/tls") == [])
            let again = try ServerProcess("demo-server", ["tls", "forget"], environment: environment).outcome()
            #expect(again.status == 1 && again.errors == missing)
        }
    }

    @Test func `Files that change are in use soon, and clients of http are sent to https`() async throws {
        try await withTemporaryFolder { folder in
            let (first, second) = (TestAuthority("first"), TestAuthority("second"))
            for (name, authority) in [("first", first), ("second", second)] {
                try folder.write(authority.certificate, to: "\(name).pem")
            }
            let identity = first.issue()
            let (certificate, key) = try (
                folder.write(identity.certificate, to: "cert.pem"), folder.write(identity.key, to: "key.pem")
            )
            let demo = try Self.demo(
                folder,
                ["--tls-cert", certificate, "--tls-key", key, "--redirect-to-https", "0"]
            )
            let port = try Self.port(demo.firstLine())
            let url = "https://127.0.0.1:\(port)/healthz"
            #expect(try Self.curl("--cacert", "\(folder.path)/first.pem", url).output == "success")
            var line = demo.nextLine()
            while let text = line, !text.hasPrefix("redirects http clients to https: ") { line = demo.nextLine() }
            let clear = try #require(line?.split(separator: " ").last)
            let redirected = try Self.curl("--location", "--cacert", "\(folder.path)/first.pem", "\(clear)healthz")
            #expect(redirected.output == "success")
            let next = second.issue()
            try folder.write(next.certificate, to: "cert.pem")
            try folder.write(next.key, to: "key.pem")
            // With a SIGHUP it happens at the next look, and without one soon after.
            demo.signal(SIGHUP)
            var response = try Self.curl("--cacert", "\(folder.path)/second.pem", url)
            for _ in 0..<1000 where response.status != 0 {
                response = try Self.curl("--cacert", "\(folder.path)/second.pem", url)
            }
            #expect(response.output == "success")
            demo.signal(SIGTERM)
            #expect(demo.outcome().status == 0)
        }
    }

    @Test func `An authority that can't be written keeps the server from starting`() async throws {
        try await withTemporaryFolder { folder in
            try folder.write("a file", to: "backlot")
            let outcome = try Self.demo(folder, ["--tls-self-signed"]).outcome()
            #expect(outcome.status == 1 && outcome.output == "")
            #expect(
                outcome.errors.hasPrefix(
                    "Error: TLS: '\(folder.path)/backlot/tls' can't be written (Not a directory): make room"
                )
            )
        }
    }
}
