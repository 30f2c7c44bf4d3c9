import BacklotJSON
import Foundation
import TestSupport
import Testing

/// `demo-server views` on files.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ViewsProcessTests {
    private func views(_ arguments: String...) throws -> ServerProcess.Outcome {
        try ServerProcess("demo-server", ["views"] + arguments).outcome()
    }

    private static let former = """
        {"configuration": {"style": "list"},
         "widgets": [
          {"type": "purchases", "id": "1", "projectId": "p", },
          {"type": "version", "id": "2"},
        ]}
        """

    @Test func `A file is checked, mended, and clean`() async throws {
        try await withTemporaryFolder { folder in
            let file = try folder.write(Self.former, to: "a.json")
            let check = try views("check", file).withStatus(1)
            #expect(
                check.output == """
                    \(file), to be mended by --fix:
                      line 3, column 52: a trailing comma is removed
                      line 4, column 33: a trailing comma is removed
                      /widgets/0/type: "purchases" becomes "snabble.lastPurchases"
                      /widgets/1/type: "version" becomes "snabble.version"

                    1 page: no findings

                    """
            )
            #expect(try String(contentsOfFile: file, encoding: .utf8) == Self.former)
            let fix = try views("check", "--fix", file).withStatus(0)
            #expect(fix.output.hasPrefix("\(file), mended:\n"))
            #expect(
                try String(contentsOfFile: file, encoding: .utf8) == """
                    {
                      "configuration": {
                        "style": "list"
                      },
                      "widgets": [
                        {
                          "type": "snabble.lastPurchases",
                          "id": "1",
                          "projectId": "p"
                        },
                        {
                          "type": "snabble.version",
                          "id": "2"
                        }
                      ]
                    }

                    """
            )
            let again = try views("check", "--fix", file)
            #expect(again.output == "1 page: no findings\n")
            #expect(again.status == 0)
            let android = try views("check", "--dialect", "android", file).withStatus(1)
            #expect(android.output.contains("[malformed-padding] at /widgets/0, line 6\n"))
        }
    }

    @Test func `A mended file keeps its mode, its owner, and the links to it`() async throws {
        try await withTemporaryFolder { folder in
            let file = try folder.write(Self.former, to: "a.json")
            // Only root may give files away.
            let owner = getuid() == 0 ? 4321 : Int(getuid())
            let kept: [FileAttributeKey: Any] = [.posixPermissions: 0o640, .ownerAccountID: owner]
            try FileManager.default.setAttributes(kept, ofItemAtPath: file)
            try folder.makeLink("link.json", to: "a.json")
            try views("check", "--fix", "\(folder.path)/link.json").withStatus(0)
            #expect(try folder.names() == ["a.json", "link.json"])
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder.path)/link.json") == "a.json")
            #expect(try String(contentsOfFile: file, encoding: .utf8).contains("snabble.lastPurchases"))
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o640)
            #expect(attributes[.ownerAccountID] as? Int == owner)
        }
    }

    @Test func `A link in a linked folder leads where the system follows it`() async throws {
        try await withTemporaryFolder { folder in
            let file = try folder.write(Self.former, to: "releases/shared/a.json")
            try folder.write("{}", to: "releases/5/other.json")
            try folder.makeLink("current", to: "releases/5")
            try folder.makeLink("releases/5/a.json", to: "../shared/a.json")
            try folder.write(Self.former, to: "shared/a.json")
            try views("check", "--fix", "\(folder.path)/current/a.json").withStatus(0)
            #expect(try String(contentsOfFile: file, encoding: .utf8).contains("snabble.lastPurchases"))
            let unrelated = try String(contentsOfFile: "\(folder.path)/shared/a.json", encoding: .utf8)
            #expect(unrelated == Self.former)
        }
    }

    @Test func `A finding names the line, which is that of the mended file`() async throws {
        try await withTemporaryFolder { folder in
            let text = "{\"widgets\":[\n\n{\"type\":\"text\",\"id\":1,\n\"text\":\"a\",},],\"configuration\":{}}"
            let file = try folder.write(text, to: "a.json")
            #expect(try views("check", file).output.contains("[wrong-type] at /widgets/0/id, line 3\n"))
            #expect(try views("check", "--fix", file).output.contains("[wrong-type] at /widgets/0/id, line 5\n"))
        }
    }

    @Test func `Documents for Android are judged by what Android clients know`() async throws {
        try await withTemporaryFolder { folder in
            let configuration = #"{"image":"i","style":"list","padding":[0]}"#
            func document(_ type: String, _ more: String = "") -> String {
                #"{"configuration":\#(configuration),"widgets":[{"type":"\#(type)","id":"1"\#(more),"padding":[0]}]}"#
            }
            let known = try ["snabble.version", "snabble.allStores"].map {
                try folder.write(document($0), to: "\($0).json")
            }
            let ofAndroid = try ["snabble.clientId", "snabble.appUserId"].map {
                try folder.write(document($0), to: "\($0).json")
            }
            for file in known + ofAndroid {
                try views("check", "--dialect", "android", file).withStatus(0)
            }
            for file in ofAndroid { #expect(try views("check", file).status == 1) }
            // The name of a file chooses the dialect, unless an option does.
            let named = try folder.write(document("snabble.devSettings", #","text":"a""#), to: "a.android.json")
            #expect(try views("check", named).status == 0)
            #expect(try views("check", "--dialect", "ios", named).status == 1)
            let unknown = try folder.write(document("navigation", #","text":"a","resource":"b""#), to: "unknown.json")
            #expect(try views("check", unknown).status == 0)
            let refused = try views("check", "--dialect", "android", unknown).withStatus(1)
            #expect(refused.output.contains("[widget-of-other-dialect] at /widgets/0, line 1\n"))
            let bare = try folder.write(#"{"configuration":{},"widgets":[]}"#, to: "bare.json")
            let missing = try views("check", "--dialect", "android", bare)
            #expect(missing.output.contains(#"needs "image""#))
            #expect(missing.output.contains(#"needs "style""#))
        }
    }

    @Test func `What can't be read is said with its place, and left alone`() async throws {
        try await withTemporaryFolder { folder in
            let file = try folder.write("{\n\"values\" = [\n]}", to: "a.json")
            let outcome = try views("check", "--fix", file, "\(folder.path)/nowhere.json").withStatus(1)
            #expect(outcome.output.contains("line 2, column 10 (byte 11): found '=' where ':' after the key belongs"))
            #expect(outcome.output.contains("[unreadable]"))
            #expect(outcome.output.hasSuffix("2 pages, 2 with findings: 2 errors, 0 warnings\n"))
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "{\n\"values\" = [\n]}")
            let list = try views("list", file).withStatus(64)
            #expect(list.errors.contains("line 2, column 10"))
            let other = try views("check", folder.path).withStatus(1)
            #expect(other.output.contains("'\(folder.path)' is a folder.\n    Fix: Name a file in it.\n"))
        }
    }

    @Test func `A pipe is checked, and isn't replaced by a file`() async throws {
        try await withTemporaryFolder { folder in
            let file = try folder.write(Self.former, to: "a.json")
            try folder.makeFIFO("pipe")
            let pipe = "\(folder.path)/pipe"
            let writer = "{ (cat '\(file)' > '\(pipe)') > /dev/null 2>&1 & }"
            func check(_ arguments: String...) throws -> ServerProcess.Outcome {
                try ServerProcess("demo-server", ["views", "check", pipe] + arguments, prelude: writer).outcome()
            }
            let outcome = try check("--texts", "/dev/null").withStatus(1)
            #expect(outcome.output.contains("line 3, column 52: a trailing comma is removed\n"), "\(outcome)")
            let fix = try check("--fix").withStatus(64)
            #expect(fix.errors.contains("\(pipe) can't be written: name a file that this program may replace."))
            #expect(try folder.names() == ["a.json", "pipe"])
            let attributes = try FileManager.default.attributesOfItem(atPath: pipe)
            #expect(attributes[.type] as? FileAttributeType != .typeRegular)
        }
    }

    @Test func `Names are listed, and compared with the app's`() async throws {
        try await withTemporaryFolder { folder in
            let file = try folder.write(
                #"{"configuration":{"image":"i"},"widgets":[{"type":"text","id":"1","text":"a"},"#
                    + #"{"type":"button","id":"2","text":"b"}]}"#,
                to: "a.json"
            )
            let list = try views("list", file)
            #expect(
                list.output == """
                    texts:
                      a
                        \(file)/widgets/0/text
                      b
                        \(file)/widgets/1/text
                    images:
                      i
                        \(file)/configuration/image

                    """
            )
            let texts = try folder.write(try views("list", "--names", "text", file).output, to: "texts")
            let images = try folder.write("[]", to: "images.json")
            let outcome = try views("check", file, "--texts", texts, "--images", images).withStatus(0)
            #expect(outcome.output.contains("[unlisted-image] at /configuration/image"))
            #expect(!outcome.output.contains("unlisted-text"))
        }
    }

    @Test func `Without files the demo's own views are listed`() throws {
        let outcome = try views("list").withStatus(0)
        #expect(outcome.output.contains("  Dashboard.title\n    /views/dashboard.json?dialect=ios/widgets/1/text\n"))
        #expect(outcome.output.contains("images:\n  Dashboard/card\n"))
    }

}
