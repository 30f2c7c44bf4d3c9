import Backlot
import Foundation
import TestSupport
import Testing

/// `demo-server load`
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LoadProcessTests {
    private func load(_ arguments: String...) throws -> ServerProcess {
        try ServerProcess("demo-server", ["load"] + arguments)
    }

    private func server() -> (router: Router, requests: AsyncStream<Void>) {
        let (requests, asked) = AsyncStream.makeStream(of: Void.self)
        let router = Router()
        router.get("/fast") { _ in
            asked.yield()
            return .text("hello")
        }
        router.get("/bad") { _ in Response(status: .internalServerError) }
        return (router, requests)
    }

    @Test func `A flow of an app needs an app's URL`() async throws {
        try await withTemporaryFolder { folder in
            let flow = "\(folder.path)/flow.json"
            try #"["launch"]"#.write(toFile: flow, atomically: true, encoding: .utf8)
            let outcome = try load("http://127.0.0.1:1/app", "--flow", flow).outcome().withStatus(64)
            #expect(outcome.errors.contains("/app"), "\(outcome)")
        }
    }

    @Test func `Steps that no phone reaches end with 1, and phones that weren't launched have a line`() async throws {
        try await withTemporaryFolder { folder in
            let flow = "\(folder.path)/flow.json"
            try #"[{"request": "/fast"}, {"request": "/bad"}]"#.write(toFile: flow, atomically: true, encoding: .utf8)
            try await withServer(server().router.handler()) { address in
                let few = ["load", "http://\(address)/fast", "--phones", "10", "--seconds", "0.2"]
                let line = "9 of 10 phones weren't launched: the ramp takes 10 s (--ramp)."
                let plain = try ServerProcess("demo-server", few).outcome().withStatus(0)
                #expect(plain.output.contains(line), "\(plain)")
                let lost = try ServerProcess("demo-server", few + ["--flow", flow]).outcome().withStatus(1)
                #expect(lost.output.contains(line), "\(lost)")
                #expect(lost.output.contains("1 step of the flows was never reached: GET /bad."), "\(lost)")
            }
        }
    }

    @Test func `A report that can't be written ends with 2`() async throws {
        try await withTemporaryFolder { folder in
            // No system has names of this length.
            let file = folder.path + "/" + String(repeating: "x", count: 1000)
            let outcome = try await withServer(server().router.handler()) { address in
                try load("http://\(address)/fast", "--seconds", "0.2", "--rate", "50", "--report", file).outcome()
            }
            #expect(outcome.status == 2, "\(outcome)")
            let error =
                "x' can't be written: give this program write access to the file and its folder, and room on the disk.\n"
            #expect(outcome.errors.contains(error), "\(outcome)")
            #expect(outcome.output.contains("\nall requests "))
        }
        let unnamed = try load("http://127.0.0.1:1/", "--report", "").outcome().withStatus(64)
        #expect(unnamed.errors.contains("--report '': the name is missing. Name a file."), "\(unnamed)")
    }

    @Test func `A report keeps the mode of the one that it replaces, and the links to it`() async throws {
        try await withTemporaryFolder { folder in
            let file = try folder.write("an earlier report", to: "report.html")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            try folder.makeLink("latest.html", to: "report.html")
            _ = try await withServer(server().router.handler()) { address in
                let report = "\(folder.path)/latest.html"
                return try load("http://\(address)/fast", "--seconds", "0.2", "--rate", "50", "--report", report)
                    .outcome()
            }
            #expect(try folder.names() == ["latest.html", "report.html"])
            #expect(
                try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder.path)/latest.html") == "report.html"
            )
            #expect(try String(contentsOfFile: file, encoding: .utf8).hasSuffix("</html>\n"))
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `A server that can't be reached ends with 2`() throws {
        let server = try RawServer { _ in }
        let address = server.address
        server.stop()
        let outcome = try load("http://\(address)/").outcome().withStatus(2)
        #expect(outcome.errors.contains("can't be reached"))
        #expect(outcome.output == "")
    }

    @Test func `Each format has the figures, and the page is whole`() async throws {
        try await withTemporaryFolder { folder in
            try await checkFormats("\(folder.path)/report.html")
        }
    }

    private func checkFormats(_ file: String) async throws {
        try await withServer(server().router.handler()) { address in
            let few = ["--phones", "10", "--rate", "100", "--seconds", "0.5"]
            let text = try ServerProcess("demo-server", ["load", "http://\(address)/fast", "--report", file] + few)
                .outcome()
            // On a busy machine the last requests may be late.
            #expect(text.status == 0 || text.status == 1 && text.output.contains("[overloaded]"), "\(text)")
            #expect(text.output.contains("\nall requests "))
            #expect(text.errors == "")
            let json = try ServerProcess("demo-server", ["load", "http://\(address)/bad", "--format", "json"] + few)
                .outcome()
            #expect(json.status == 1, "\(json)")
            let report = try JSONValue(parsing: json.output)
            #expect(report["requests"]?.number?.int64 ?? 0 > 10)
            let counts = ["errors", "unanswered"].map { report[$0]?.number?.int64 ?? 0 }
            #expect(counts.reduce(0, +) == report["requests"]?.number?.int64)
            for key in ["p50", "p99", "p99.9", "p99.99"] { #expect(report["latency"]?[key]?.number != nil, "\(key)") }
            #expect(report["findings"]?[0]?["rule"]?.string == "server-error")
            let junit = try ServerProcess("demo-server", ["load", "http://\(address)/bad", "--format", "junit"] + few)
                .outcome()
            #expect(junit.output.contains("<failure type=\"server-error\""), "\(junit)")
            let sarif = try ServerProcess("demo-server", ["load", "http://\(address)/bad", "--format", "sarif"] + few)
                .outcome()
            #expect(
                try JSONValue(parsing: sarif.output)["runs"]?[0]?["results"]?[0]?["ruleId"]?.string == "server-error"
            )
        }
        let page = try String(contentsOfFile: file, encoding: .utf8)
        #expect(page.hasPrefix("<!doctype html>") && page.hasSuffix("</html>\n"))
    }

    /// SIGINT prints what was measured until then; SIGKILL leaves no half of a report.
    @Test(arguments: [(signal: Int32(2), isPrinted: true), (signal: 9, isPrinted: false)])
    func `A load that is ended early`(signal: Int32, isPrinted: Bool) async throws {
        try await withTemporaryFolder { folder in
            try await end(by: signal, isPrinted: isPrinted, "\(folder.path)/report.html")
        }
    }

    private func end(by signal: Int32, isPrinted: Bool, _ file: String) async throws {
        let (router, requests) = server()
        let outcome = try await withServer(router.handler()) { address in
            let process = try load(
                "http://\(address)/fast",
                "--phones",
                "10",
                "--rate",
                "100",
                "--seconds",
                "60",
                "--report",
                file
            )
            var count = 0
            for await _ in requests {
                count += 1
                if count == 20 { break }
            }
            process.signal(signal)
            return process.outcome()
        }
        if isPrinted {
            #expect(outcome.output.contains("Interrupted: these are the figures until then."), "\(outcome)")
            #expect(outcome.output.contains("\nall requests "))
            #expect(try String(contentsOfFile: file, encoding: .utf8).hasSuffix("</html>\n"))
        } else {
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }
}
