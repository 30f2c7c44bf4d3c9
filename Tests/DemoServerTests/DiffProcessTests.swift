import Backlot
import Foundation
import TestSupport
import Testing

/// `demo-server diff`.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DiffProcessTests {
    /// Answers each path with a page that has a text.
    ///
    /// - Parameter onHang: called when the page is asked for that has no answer.
    private static func server(
        _ text: String,
        hangsAt page: String? = nil,
        onHang: @escaping @Sendable () -> Void = {}
    ) throws -> RawServer {
        try RawServer { connection in
            let path = connection.receiveHead().split(separator: " ").dropFirst().first ?? ""
            if let page, path == page {
                onHang()
                _ = connection.receive(upTo: 1)
            }
            let widgets =
                path == "/"
                ? (1...3).map { #"{"typ":"form_button","text":"\#($0)","actions":[{"typ":"push","page":"/\#($0)"}]}"# }
                : [#"{"typ":"text","text":"\#(text)"}"#]
            let form = #"{"typ":"scroll","widget":{"typ":"form","widgets":[\#(widgets.joined(separator: ","))]}}"#
            let body = #"{"page":{"typ":"nav_page","title":"T","widget":\#(form)}}"#
            connection.send(
                "HTTP/1.1 200 OK\r\nContent-Type: application/vnd.applin_response\r\nContent-Length: \(body.utf8.count)\r\n"
                    + "Connection: close\r\n\r\n" + body
            )
        }
    }

    private func diff(_ arguments: [String]) throws -> ServerProcess.Outcome {
        try ServerProcess("demo-server", ["diff"] + arguments).outcome()
    }

    @Test func `diff has an exit status and each format`() throws {
        let (a, b) = (try Self.server("Hello"), try Self.server("Goodbye"))
        defer {
            a.stop()
            b.stop()
        }
        let urls = ["http://\(a.address)/", "http://\(b.address)/"]
        let equal = try diff([urls[0], urls[0]]).withStatus(0)
        #expect(equal.output.contains("4 pages: no findings"))
        let text = try diff(urls).withStatus(1)
        #expect(text.output.contains("4 pages, 3 with findings: 0 breaking, 3 visible\n"), "\(text.output)")
        #expect(text.output.contains(#"  visible: scroll › form › text "Goodbye""#), "\(text.output)")
        #expect(try diff(urls + ["--least", "breaking"]).status == 0)
        let json = try JSONValue(parsing: try diff(urls + ["--format", "json"]).output)
        #expect(json["findings"]?.array?.compactMap { $0["class"]?.string } == ["visible", "visible", "visible"])
        #expect(json["findings"]?[0]?["was"] == "\"Hello\"")
        #expect(try diff(urls + ["--format", "junit"]).output.contains(#"tests="4" failures="3""#))
        let sarif = try JSONValue(parsing: try diff(urls + ["--format", "sarif"]).output)
        #expect(sarif["runs"]?[0]?["results"]?[0]?["level"] == "warning")
    }

    @Test func `A side that can't be reached ends with 2 and is named`() throws {
        let server = try Self.server("x")
        defer { server.stop() }
        let url = "http://\(server.address)/"
        let b = try diff([url, "http://nowhere.invalid/"]).withStatus(2)
        #expect(b.errors.hasPrefix("Error: B (http://nowhere.invalid/) can't be reached: "), "\(b.errors)")
        let a = try diff(["http://nowhere.invalid/", url]).withStatus(2)
        #expect(a.errors.hasPrefix("Error: A (http://nowhere.invalid/) can't be reached: "), "\(a.errors)")
    }

    @Test func `A wrong path ends with 2, and isn't recorded`() async throws {
        try await withTemporaryFolder { folder in
            let server = try RawServer { connection in
                _ = connection.receiveHead()
                connection.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            }
            defer { server.stop() }
            let url = "http://\(server.address)/mok/"
            for arguments in [[url, url], [url, "--baseline", folder.path + "/a.json", "--record"]] {
                let outcome = try diff(arguments).withStatus(2)
                #expect(
                    outcome.errors == "Error: A has no app at \(url): the response is 404 Not Found. Correct the URL.\n"
                )
            }
            #expect(!folder.canRead("a.json"))
        }
    }

    @Test func `A baseline file can stand for A`() async throws {
        try await withTemporaryFolder { folder in
            let (a, b) = (try Self.server("Hello"), try Self.server("Goodbye"))
            defer {
                a.stop()
                b.stop()
            }
            let file = folder.path + "/a.json"
            let urls = ["http://\(a.address)/", "http://\(b.address)/"]
            let missing = try diff([urls[1], "--baseline", file]).withStatus(64)
            #expect(
                missing.errors.contains("--baseline: '\(file)' doesn't exist: write one with"),
                "\(missing.errors)"
            )
            try diff([urls[0], "--baseline", file, "--record"]).withStatus(0)
            #expect(try diff([urls[0], "--baseline", file]).status == 0)
            #expect(try diff([urls[1], "--baseline", file]).status == 1)
            let link = folder.path + "/link.json"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a.json")
            #expect(try diff([urls[1], urls[0], "--baseline", link]).status == 1)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "a.json")
            #expect(try diff([urls[1], "--baseline", file]).status == 0)
            // A link to a file that doesn't exist yet.
            try FileManager.default.removeItem(atPath: file)
            try diff([urls[0], "--baseline", link, "--record"]).withStatus(0)
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func `A file that isn't written ends with 2, after the report`() async throws {
        try await withTemporaryFolder { folder in
            let server = try Self.server("Hello")
            let slow = try Self.server("Hello", hangsAt: "/3")
            defer {
                server.stop()
                slow.stop()
            }
            // No system has names of this length.
            let long = folder.path + "/" + String(repeating: "x", count: 1000)
            for arguments in [["--record"], ["http://\(server.address)/"]] {
                let outcome = try diff(["http://\(server.address)/", "--baseline", long] + arguments).withStatus(2)
                #expect(outcome.output.contains("4 pages"), "\(outcome.output)")
                #expect(outcome.errors.contains("'\(long)' can't be written: "), "\(outcome.errors)")
                #expect(outcome.errors.contains("File name too long. Write --baseline"), "\(outcome.errors)")
                #expect(outcome.errors.contains("in a folder that this user may write."))
            }
            let file = folder.path + "/a.json"
            let cut = try diff(["http://\(slow.address)/", "--baseline", file, "--record", "--max-seconds", "1"])
            #expect(cut.status == 2)
            #expect(cut.output.contains("Stopped: the time was over."), "\(cut.output)")
            #expect(cut.errors.contains("'\(file)' is not written: the time ran out: raise --max-seconds."))
            #expect(!folder.canRead("a.json"))
            let two = try diff(["http://\(server.address)/", "http://\(slow.address)/", "--max-seconds", "1"])
            #expect(two.status == 2, "\(two.output)\(two.errors)")
        }
    }

    @Test func `Ctrl-C prints what was found so far, and leaves no file`() async throws {
        try await withTemporaryFolder { folder in
            let (hung, hangs) = AsyncStream<Void>.makeStream()
            let (a, b) = (
                try Self.server("Hello"), try Self.server("Goodbye", hangsAt: "/3", onHang: { hangs.yield() })
            )
            defer {
                a.stop()
                b.stop()
            }
            let file = folder.path + "/a.json"
            let urls = ["http://\(a.address)/", "http://\(b.address)/"]
            let process = try ServerProcess("demo-server", ["diff"] + urls + ["--baseline", file])
            for await _ in hung { break }
            process.signal(2)
            let outcome = process.outcome()
            #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.contains("Interrupted after 3 pages."), "\(outcome.output)")
            #expect(outcome.output.contains("2 visible"))
            #expect(!folder.canRead("a.json"))
        }
    }

}
