import ArgumentParser
import BacklotMocks
import Foundation
import Logging
import TestSupport
import Testing

@testable import demo_server

/// `demo-server import`
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ImportProcessTests {
    private static func entry(
        _ method: String,
        _ url: String,
        _ response: String,
        post: String? = nil,
        status: Int = 200
    ) -> String {
        let data = post.map { #","postData":{"mimeType":"application/json","text":"\#($0)"}"# } ?? ""
        return
            #"{"startedDateTime":"2026-01-01T00:00:00Z","time":1500,"request":{"method":"\#(method)","url":"\#(url)"\#(data)},"#
            + #""response":{"status":\#(status),"headers":[],"content":{"mimeType":"application/json","text":"\#(response)"}}}"#
    }

    private static let har: String = {
        let base = "https://api.example"
        let entries = [
            entry("POST", "\(base)/log_in", #"{\"token\":\"token-77-abcdef\"}"#, post: #"{\"password\":\"hunter22\"}"#),
            entry("GET", "\(base)/tasks", "[]"),
            entry("POST", "\(base)/tasks", #"{\"id\":1}"#, post: #"{\"text\":\"bread\"}"#, status: 201),
            entry("GET", "\(base)/tasks", #"[{\"id\":1}]"#),
            entry("GET", "\(base)/tasks/1", #"{\"id\":1}"#), entry("GET", "\(base)/tasks/2", #"{\"id\":2}"#),
            entry("GET", "\(base)/tasks/3", #"{\"id\":3}"#), entry("GET", "https://cdn.example/a", "1"),
            entry("OPTIONS", "\(base)/tasks", ""),
        ]
        return #"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#
    }()

    private func run(_ arguments: [String]) throws -> ServerProcess.Outcome {
        try ServerProcess("demo-server", ["import"] + arguments).outcome()
    }

    @Test func `A capture becomes a folder that is served`() async throws {
        try await withTemporaryFolder { folder in
            let file = try folder.write(Self.har, to: "capture.har")
            let into = "\(folder.path)/Routes"
            let outcome = try run([file, "--into", into]).withStatus(0)
            #expect(
                outcome.output == """
                    written: log_in.post.json
                    written: tasks.get.yaml
                    written: tasks.post.yaml
                    written: tasks/[id].get.yaml
                    folded: /tasks/[id] stands for 1, 2, 3
                    redacted: password: POST /log_in, request's body, key password
                    redacted: token: POST /log_in, response's body, key token
                    skipped: 1 entry of cdn.example: name another backend with --base-url
                    skipped: OPTIONS /tasks: files can't respond to OPTIONS
                    4 routes in \(into). Next: demo-server mock --routes \(into)

                    """
            )
            let site = try MockSite.load(MockOptions.parse([]), from: into, path: "/", logger: .init(label: "test"))
            #expect(site?.backend.stubs.count == 7)
            // What is there stays.
            let again = try run([file, "--into", into, "--with-delays", "--no-fold"]).withStatus(1)
            #expect(
                again.errors
                    == "Error: nothing was written: these files are there already; --update replaces them: log_in.post.json, tasks.get.yaml, tasks.post.yaml\n"
            )
            #expect(!FileManager.default.fileExists(atPath: "\(into)/tasks/1.get.yaml"))
            #expect(try run([file, "--into", into, "--update"]).status == 0)
        }
    }

    @Test func `An import takes another base URL, more secrets, and a list to check`() async throws {
        try await withTemporaryFolder { folder in
            let file = try folder.write(Self.har, to: "capture.har")
            let list = try folder.write("nowhere at all\n\nbread\n", to: "secrets.txt")
            let into = "\(folder.path)/Routes"
            let other = try run([file, "--into", into, "--base-url", "https://cdn.example"])
            #expect(other.output.hasPrefix("written: a.get.json\n"), "\(other)")
            let checked = try run([file, "--into", into, "--check-secrets", list, "--redact", "text", "--redact", "id"])
            #expect(checked.status == 0, "\(checked.errors)")
            let tokens = try folder.write("\u{FEFF} \r\n log_in \r\n", to: "tokens.txt")
            let leak = try run([file, "--into", into, "--update", "--check-secrets", tokens]).withStatus(1)
            #expect(
                leak.errors == "Error: nothing was written: secret 1 of the list would be in the name of a file\n"
            )
        }
    }

    @Test func `What can't be imported`() async throws {
        try await withTemporaryFolder { folder in
            let into = "\(folder.path)/Routes"
            let missing = try run(["\(folder.path)/none.har", "--into", into]).withStatus(64)
            #expect(missing.errors.contains("none.har' can't be read: name an existing file, or -"))
            let cases = [
                ("{}", "the file isn't a HAR: it has no list log.entries; export it as HAR again"),
                (String(Self.har.dropLast(9)), "the file isn't JSON, or is incomplete"),
                (#"{"log":{"entries":[]}}"#, "the HAR has no entries: record some traffic first"),
            ]
            for (text, message) in cases {
                let file = try folder.write(text, to: "bad.har")
                let outcome = try run([file, "--into", into]).withStatus(1)
                #expect(outcome.errors.hasPrefix("Error: \(file): ") && outcome.errors.contains(message), "\(outcome)")
            }
            #expect(!FileManager.default.fileExists(atPath: into))
            let file = try folder.write(Self.har, to: "capture.har")
            let blocked = try run([file, "--into", file]).withStatus(1)
            #expect(blocked.errors == "Error: '\(file)' is a file: name a folder\n")
            #expect(try run([file]).status == 64)
        }
    }
}
