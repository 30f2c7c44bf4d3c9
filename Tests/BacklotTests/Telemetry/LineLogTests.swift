import Foundation
import Logging
import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct LineLogTests {
    private struct Broken: Error, CustomDebugStringConvertible {
        let debugDescription = "Broken(password missing)"
    }

    private func json(_ log: (inout Logger) -> Void) throws -> JSONObject {
        let lines = LoggedLines()
        var logger = lines.output.logger(label: "test", format: .json, level: .trace)
        log(&logger)
        let text = lines.text
        #expect(text.hasSuffix("\n") && !text.dropLast().contains("\n"))
        return try #require(try JSONValue(parsing: Array(text.utf8)).object)
    }

    private func text(_ log: (inout Logger) -> Void) -> Substring {
        let lines = LoggedLines()
        var logger = lines.output.logger(label: "test", format: .text)
        log(&logger)
        // After the time of day.
        return lines.text.dropFirst("20:17:12.345 ".count)
    }

    @Test func `A JSON line has the level, the logger, the message and all metadata`() throws {
        let line = try json { logger in
            logger[metadataKey: "app"] = "demo"
            logger.notice(
                "two\nlines",
                metadata: [
                    "count": .stringConvertible(3), "time-ms": .stringConvertible(1.5),
                    "is-new": .stringConvertible(true),
                    "list": ["a", ["b": "c"]], "level": "mine",
                ]
            )
        }
        #expect(line["level"] == "notice")
        #expect(line["logger"] == "test")
        #expect(line["message"] == "two\nlines")
        #expect(line["app"] == "demo")
        #expect(line["count"] == 3)
        #expect(line["time-ms"] == 1.5)
        #expect(line["is-new"] == true)
        #expect(line["list"] == ["a", ["b": "c"]])
        #expect(line["metadata.level"] == "mine")
        let time = try #require(line["time"]?.string)
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(time)")
    }

    @Test func `Members of metadata keep the names that a line's own members have`() throws {
        let line = try json { $0.info("m", metadata: ["job": ["level": "3", "time": "12"]]) }
        #expect(line["job"]?["level"] == "3")
        #expect(line["job"]?["time"] == "12")
    }

    @Test func `A text line has the level, the message and sorted metadata`() {
        let line = text { $0.warning("mind this", metadata: ["b": "2", "a": "1"]) }
        #expect(line == "warning mind this a=1 b=2\n")
    }

    @Test func `Control characters in a message are escaped`() {
        let line = text { $0.info("a\nfake: line\r\u{1B}[2J\u{202E}", metadata: ["k": "\u{7F}ü"]) }
        #expect(line == "info a\\nfake: line\\r\\u{1b}[2J\\u{202e} k=\\u{7f}ü\n")
    }

    @Test(arguments: ["password", "Authorization", "set-cookie", "admin_token", "clientSecret", "X-API-Key"])
    func `Values of fields with a secret's name are redacted`(_ name: String) throws {
        let line = try json { $0.info("m", metadata: [name: "hunter2"]) }
        #expect(line[name] == "[redacted]")
        #expect(text { $0.info("m", metadata: [name: "hunter2"]) } == "info m \(name)=[redacted]\n")
        let inside = try json { $0.info("m", metadata: ["outer": [name: "hunter2"]]) }
        #expect(inside["outer"] == .object([name: "[redacted]"]))
        #expect(text { $0.info("m", metadata: ["outer": [name: "hunter2"]]) } == "info m outer={\(name): [redacted]}\n")
    }

    @Test func `An error is written with its description`() throws {
        let line = try json { $0.error("failed", error: Broken()) }
        #expect(line["error"] == "Broken(password missing)")
    }

    @Test func `A long text is cut, and says how much is missing`() throws {
        let line = try json { $0.info("\(String(repeating: "é", count: 10_000))") }
        let message = try #require(line["message"]?.string)
        #expect(message.utf8.count < 8 * 1024 + 50 && message.hasSuffix("… (11808 more bytes)"))
    }

    @Test func `Messages below the level are not written`() {
        let lines = LoggedLines()
        let logger = lines.output.logger(label: "test", format: .text, level: .warning)
        logger.info("hidden")
        logger.warning("shown")
        #expect(lines.text.hasSuffix(" warning shown\n"))
    }

    @Test func `Lines for a slow reader are dropped and counted in a warning`() {
        let lines = LoggedLines(limit: 150)
        let logger = lines.output.logger(label: "test", format: .text)
        let long = Logger.Message(stringLiteral: String(repeating: "x", count: 150))
        for _ in 0..<3 { logger.info(long) }
        lines.output.flush()
        logger.info("next")
        let text = lines.text
        #expect(text.contains(" info next\n"))
        #expect(text.contains("warning 3 lines of the log were dropped, since it is read too slowly\n"))
        #expect(!text.contains("xxx"))
    }

    /// Lines are written where others wait already, with room for those that are usual.
    @Test(arguments: [0, 100, 383, 384, 385, 5000])
    func `A line of any length stands whole between its neighbours`(count: Int) throws {
        let lines = LoggedLines()
        let logger = lines.output.logger(label: "test", format: .json)
        let messages = ["first", String(repeating: "x", count: count), "last"]
        for message in messages { logger.info("\(message)") }
        let found = try lines.text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8))["message"] }
        #expect(found == messages.map { .string($0) })
    }

    @Test func `Lines of each thread keep their order, and none is lost`() async throws {
        let lines = LoggedLines()
        let logger = lines.output.logger(label: "test", format: .text)
        await withTaskGroup { group in
            for writer in 0..<4 { group.addTask { for number in 0..<200 { logger.info("\(writer) \(number)") } } }
        }
        var numbers: [Substring: [Int]] = [:]
        for line in lines.text.split(separator: "\n") {
            let words = line.split(separator: " ")
            numbers[words[2], default: []].append(try #require(Int(words[3])))
        }
        #expect(numbers.count == 4 && numbers.values.allSatisfy { $0 == Array(0..<200) })
    }

    @Test func `The thread writes lines by itself, and the rest when the output is given up`() throws {
        let pipe = Pipe()
        var output: LogOutput? = LogOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        output?.logger(label: "test", format: .text).info("first")
        #expect(String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self).hasSuffix(" info first\n"))
        output?.logger(label: "test", format: .text).info("last")
        output = nil
        #expect(String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self).hasSuffix(" info last\n"))
    }

    @Test func `A dropped line leaves the waiting lines whole`() throws {
        let lines = LoggedLines(limit: 300)
        let logger = lines.output.logger(label: "test", format: .json)
        logger.info("first")
        logger.info("\(String(repeating: "x", count: 300))")
        let line = lines.text
        #expect(try JSONValue(parsing: Array(line.utf8))["message"] == "first")
        logger.info("next")
        let text = lines.text
        #expect(text.contains("1 line of the log was dropped") && text.contains("next"), "\(text)")
    }

    @Test func `A message of several lines has them on a terminal, and blanks before each but the first`() {
        for (isTerminal, expected) in [
            (true, "notice one\n    two\\r x=a\\nb\n"), (false, "notice one\\ntwo\\r x=a\\nb\n"),
        ] {
            let lines = LoggedLines(isTerminal: isTerminal)
            lines.output.logger(label: "test", format: .text).notice("one\ntwo\r", metadata: ["x": "a\nb"])
            #expect(lines.text.dropFirst(13) == expected)
        }
    }

    @Test(arguments: [
        ("plain", "plain"), ("", "\"\""), ("two words", "\"two words\""), ("a=b", "\"a=b\""), ("a\\b", "\"a\\\\b\""),
        ("say \"hi\"", "\"say \\\"hi\\\"\""), ("a\nlevel=error", "\"a\\nlevel=error\""), ("\u{202E}x", "\\u{202e}x"),
    ]) func `A value of logfmt is one word`(text: String, word: String) {
        let lines = LoggedLines()
        lines.output.logger(label: "test", format: .logfmt).notice(
            "m",
            metadata: ["a b=c": .string(text), "time": "now"]
        )
        #expect(
            lines.text.hasSuffix(" level=notice logger=test msg=m a_b_c=\(word) metadata.time=now\n"),
            "\(lines.text)"
        )
    }
}
