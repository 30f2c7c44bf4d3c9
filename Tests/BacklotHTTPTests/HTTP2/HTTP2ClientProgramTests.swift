import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// Other people's clients: nghttp and h2load, of Debian's nghttp2-client, and curl.
@Suite(.timeLimit(.minutes(5))) struct HTTP2ClientProgramTests {
    private static let handler = FunctionHandler { request in
        switch request.path {
        case "/large": return Response(body: .bytes([UInt8](repeating: UInt8(ascii: "x"), count: 5_000_000)))
        case "/stream":
            return Response(
                body: .stream { writer in
                    for line in 0..<10_000 { try await writer.write("line \(line)\n") }
                }
            )
        case "/small": return .text("small")
        default: return Response(body: .bytes(try await request.body.limited(to: 100_000_000).collect()))
        }
    }

    private static func run(_ program: String, _ arguments: [String]) async throws -> (status: Int32, output: [UInt8]) {
        let path = try #require(
            ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(program)" }
                .first(where: FileManager.default.isExecutableFile),
            "\(program) is missing: `make test` installs it, with nghttp2-client"
        )
        return try await Blocking.run {
            let process = Process()
            process.executableURL = URL(filePath: path)
            process.arguments = arguments
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = FileHandle.nullDevice
            try process.run()
            let output = process.limited {
                defer { process.waitUntilExit() }
                return pipe.fileHandleForReading.readDataToEndOfFile()
            }
            return (process.terminationStatus, Array(output))
        }
    }

    private static func run(
        _ program: String,
        _ arguments: String...,
        to path: String = "",
        at server: RunningServer
    )
        async throws -> [UInt8]
    {
        let (status, output) = try await run(program, arguments + ["http://\(server.address)\(path)"])
        #expect(status == 0)
        return output
    }

    @Test func `nghttp gets responses of each kind whole`() async throws {
        try await withTestServer(Self.handler) { server in
            let small = try await Self.run("nghttp", "--timeout=20", to: "/small", at: server)
            #expect(small == Array("small".utf8))
            let large = try await Self.run("nghttp", "--timeout=20", to: "/large", at: server)
            #expect(large == [UInt8](repeating: UInt8(ascii: "x"), count: 5_000_000))
            let streamed = try await Self.run("nghttp", "--timeout=20", "--window-bits=12", to: "/stream", at: server)
            #expect(streamed == (0..<10_000).flatMap { Array("line \($0)\n".utf8) })
        }
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 3_000_000])
    func `nghttp posts bodies of each size`(_ count: Int) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "backlot-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try Data(body).write(to: file)
        try await withTestServer(Self.handler) { server in
            #expect(try await Self.run("nghttp", "--timeout=20", "--data=\(file.path)", to: "/", at: server) == body)
            let trailers = try await Self.run(
                "nghttp",
                "--timeout=20",
                "--trailer=a: b",
                "--data=\(file.path)",
                "--no-content-length",
                "--expect-continue",
                to: "/",
                at: server
            )
            #expect(trailers == body)
        }
    }

    /// curl 7.88.1 lost the response: the server reset the stream at once.
    @Test(arguments: [200_000, 20_000_000])
    func `curl reads the response to an upload that nobody reads`(_ count: Int) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "backlot-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data([UInt8](repeating: 0, count: count)).write(to: file)
        try await withTestServer(FunctionHandler { _ in Response(status: .contentTooLarge) }) { server in
            let status = try await Self.run(
                "curl",
                "-sS",
                "--http2-prior-knowledge",
                "--max-time",
                "20",
                "-HExpect:",
                "--data-binary",
                "@\(file.path)",
                "-w%{http_code}",
                to: "/",
                at: server
            )
            #expect(status == Array("413".utf8))
        }
    }

    @Test(arguments: [("/small", 2000), ("/stream", 40), ("/large", 20)])
    func `h2load gets every response`(_ path: String, _ count: Int) async throws {
        try await withTestServer(Self.handler) { server in
            let output = try await Self.run("h2load", "-n\(count)", "-c4", "-m32", to: path, at: server)
            let text = String(decoding: output, as: UTF8.self)
            let counts = "\(count) total, \(count) started, \(count) done, \(count) succeeded, 0 failed, 0 errored"
            #expect(text.contains(counts), "\(text)")
        }
    }
}
