import Backlot
import TestSupport
import Testing

/// `demo-server explore`.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ExploreProcessTests {
    /// Answers each path with a page that has a text.
    private static func server(_ text: String) throws -> RawServer {
        try RawServer { connection in
            _ = connection.receiveHead()
            let form =
                #"{"typ":"scroll","widget":{"typ":"form","widgets":[{"typ":"text","text":"\#(text)"},"#
                + #"{"typ":"form_button","text":"Next","actions":[{"typ":"replace_all","page":"/next"}]}]}}"#
            let body = #"{"page":{"typ":"nav_page","title":"T","widget":\#(form)}}"#
            connection.send(
                "HTTP/1.1 200 OK\r\nContent-Type: application/vnd.applin_response\r\n"
                    + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n" + body
            )
        }
    }

    private func explore(_ arguments: [String]) throws -> ServerProcess.Outcome {
        try ServerProcess("demo-server", ["explore"] + arguments).outcome()
    }

    @Test func `explore has an exit status and each format`() throws {
        let (good, bad) = (try Self.server("Hello"), try Self.server("Hello, Optional(1)"))
        defer {
            good.stop()
            bad.stop()
        }
        let options = ["--protocol", "applin", "--seed", "1", "--steps", "20"]
        let clean = try explore(["http://\(good.address)/"] + options).withStatus(0)
        #expect(clean.output.hasPrefix("no findings\n"))
        let text = try explore(["http://\(bad.address)/"] + options).withStatus(1)
        #expect(
            text.output.contains("[developer-text]\n  1 step:\n  @Test func `developer-text at /`()"),
            "\(text.output)"
        )
        let json = try JSONValue(
            parsing: try explore(["http://\(bad.address)/", "--format", "json"] + options).output
        )
        #expect(json["seed"] == "1")
        #expect(json["findings"]?[0]?["flow"] == ["launch()"])
        try explore(["http://\(bad.address)/", "--expect", "developer-text"] + options).withStatus(0)
        let sarif = try JSONValue(
            parsing: try explore(["http://\(bad.address)/", "--format", "sarif"] + options).output
        )
        #expect(sarif["runs"]?[0]?["results"]?[0]?["ruleId"] == "developer-text")
        #expect(try explore(["http://\(bad.address)/", "--format", "junit"] + options).output.contains("<failure"))
    }

    @Test func `A host elsewhere is refused, and one that isn't there can't be reached`() throws {
        let elsewhere = try explore(["http://backend.invalid/"]).withStatus(64)
        #expect(elsewhere.errors.contains("--i-own-this"), "\(elsewhere.errors)")
        #expect(try explore(["http://127.0.0.1:1/"]).status == 2)
        #expect(try explore(["http://backend.invalid/", "--i-own-this"]).status == 2)
    }
}
