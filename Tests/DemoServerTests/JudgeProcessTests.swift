import BacklotJSON
import TestSupport
import Testing

/// `demo-server judge`, without a server.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct JudgeProcessTests {
    private static let good =
        #"{"page":{"typ":"nav_page","title":"A","widget":{"typ":"selector","var_name":"s","options":["a"]}}}"#

    private func judge(_ arguments: String...) throws -> ServerProcess.Outcome {
        try ServerProcess("demo-server", ["judge"] + arguments).outcome()
    }

    @Test func `Each page is told with the releases that load it, and why others don't`() async throws {
        try await withTemporaryFolder { folder in
            let file = try folder.write(Self.good, to: "page.json")
            let outcome = try judge(file).withStatus(0)
            #expect(outcome.output.contains("0.28"))
            #expect(outcome.output.contains("selector"))
            let lines = try folder.write(
                #"{"id":"one","page":\#(Self.good)}"# + "\n" + #"{"id":"two","page":{"page":7}}"# + "\n",
                to: "pages.jsonl"
            )
            let json = try judge(lines, "--format", "json").withStatus(1)
            let verdicts = try json.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
            #expect(verdicts.map { $0["id"]?.string } == ["one", "two"])
            #expect(verdicts[0]["accepts"]?.array?.last?.string == "0.40.0")
            #expect(verdicts[0]["rejects"]?["0.25.0"]?.string?.isEmpty == false)
            #expect(verdicts[1]["accepts"]?.array == [])
        }
    }

    @Test func `Messages of A2UI are judged, also against a catalog of one's own`() async throws {
        try await withTemporaryFolder { folder in
            let catalog = """
                {"catalogId":"own","components":{"Gauge":{"type":"object","properties":{"level":{"type":"number"}}}}}
                """
            let lines = """
                {"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"own"}}
                {"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Gauge","level":LEVEL}]}}

                """
            let own = try folder.write(catalog, to: "catalog.json")
            let right = try folder.write(lines.replacing("LEVEL", with: "1"), to: "right.jsonl")
            let wrong = try folder.write(lines.replacing("LEVEL", with: "true"), to: "wrong.jsonl")
            let unknown = try judge(right).withStatus(1)
            #expect(unknown.output.contains("[unknown-catalog] at /0/createSurface/catalogId"))
            let judged = try judge(right, "--catalog", own).withStatus(0)
            #expect(judged.output == "1 page: no findings\n")
            let json = try judge(wrong, "--catalog", own, "--format", "json").withStatus(1)
            let finding = try JSONValue(parsing: json.output)["findings"]?[0]
            #expect(finding?["rule"] == "type-mismatch")
            let views = try folder.write(#"{"configuration":{},"widgets":[{"type":"text"}]}"#, to: "view.json")
            #expect(try judge(views).withStatus(1).output.contains("[missing-key]"))
            let text = try folder.write("nothing", to: "catalog.txt")
            #expect(try judge(right, "--catalog", text).withStatus(64).errors.contains("/catalog.txt' can't be used: "))
        }
    }

    @Test func `A compressed response of any protocol is judged as the plain one`() async throws {
        // {"configuration":{},"widgets":[{"type":"text"}]}, by gzip -9n
        let gzip: [UInt8] = [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xAB, 0x56, 0x4A, 0xCE, 0xCF, 0x4B,
            0xCB, 0x4C, 0x2F, 0x2D, 0x4A, 0x2C, 0xC9, 0xCC, 0xCF, 0x53, 0xB2, 0xAA, 0xAE, 0xD5, 0x51, 0x2A,
            0xCF, 0x4C, 0x49, 0x4F, 0x2D, 0x29, 0x56, 0xB2, 0x8A, 0xAE, 0x56, 0x2A, 0xA9, 0x2C, 0x48, 0x55,
            0xB2, 0x52, 0x2A, 0x49, 0xAD, 0x28, 0x51, 0xAA, 0x8D, 0xAD, 0x05, 0x00, 0x3B, 0xAE, 0xDA, 0x02,
            0x30, 0x00, 0x00, 0x00,
        ]
        try await withTemporaryFolder { folder in
            let plain = try folder.write(#"{"configuration":{},"widgets":[{"type":"text"}]}"#, to: "plain.json")
            let outcome = try judge(try folder.write(gzip, to: "view.json.gz")).withStatus(1)
            #expect(outcome.output.contains("[missing-key]"), "\(outcome)")
            #expect(try outcome.output.replacing("view.json.gz", with: "plain.json") == judge(plain).output)
            let damaged = try folder.write(gzip.dropLast(9), to: "a.gz")
            for arguments in [[], ["--protocol", "dynamic-views"]] {
                let outcome = try ServerProcess("demo-server", ["judge", damaged] + arguments).outcome().withStatus(64)
                #expect(outcome.errors.contains("/a.gz can't be decompressed: "), "\(outcome)")
            }
        }
    }

    @Test func `Clients may be at most as new as the newest release`() async throws {
        try await withTemporaryFolder { folder in
            let bad = try folder.write(#"{"page":{"typ":"nav_page"}}"#, to: "bad.json")
            try judge(bad, "--clients", "0.40").withStatus(1)
            for (version, advice) in [
                ("0.40.1", "the newest release is 0.40."), ("0.99", "the newest release is 0.40."),
                ("3.4", "the newest release is 0.40."), ("new", "write a version, such as 0.34."),
                ("", "write a version, such as 0.34."),
            ] {
                let outcome = try judge(bad, "--clients", version).withStatus(64)
                #expect(outcome.errors == "Error: --clients is '\(version)': \(advice)\n")
                #expect(outcome.output == "")
            }
        }
    }

    @Test func `A pipe is read like a file`() async throws {
        try await withTemporaryFolder { folder in
            let file = try folder.write(Self.good, to: "page.json")
            try folder.makeFIFO("pipe")
            let pipe = "\(folder.path)/pipe"
            let writer = "{ (cat '\(file)' > '\(pipe)') > /dev/null 2>&1 & }"
            let outcome = try ServerProcess("demo-server", ["judge", pipe], prelude: writer).outcome().withStatus(0)
            #expect(outcome.output.hasPrefix("\(pipe)\n"), "\(outcome)")
            #expect(outcome.output.contains("0.28"))
        }
    }

    @Test func `What can't be read is named`() async throws {
        try await withTemporaryFolder { folder in
            let missing = try judge("\(folder.path)/none.json").withStatus(64)
            #expect(
                missing.errors.contains(
                    "/none.json' can't be read: name an existing file, or - for standard input."
                )
            )
            let other = try judge(folder.path).withStatus(64)
            #expect(other.errors.contains("' is a folder: name a file in it."))
            let spoiled = try folder.write([0x1F, 0x8B, 0x08] + Array("garbage".utf8), to: "a.gz")
            let outcome = try judge(spoiled).withStatus(64)
            #expect(outcome.errors.contains("/a.gz can't be decompressed: the body is not gzip: "))
            let text = try folder.write("{bad", to: "bad.json")
            let bad = try judge(text).withStatus(1)
            #expect(bad.output.contains("[not-json]"))
        }
    }
}
