import BacklotDatabase
import Floki
import FlokiSQLite
import Foundation
import TestSupport
import Testing

@testable import demo_server

/// `demo-server floki publish`
@Suite(.timeLimit(.minutes(5))) struct PublicationTests {
    private static let english = FeedStream(feed: "news", language: "en")

    private func publish(_ text: String, in store: any FeedStore) async throws -> PublicationReport {
        try await withTemporaryFolder { folder in
            let reader = try LineReader(try folder.write(text, to: "lines"), longest: StoryLine.mostBytes)
            return await Publication(app: NewspaperApp(store: store)).report(reader)
        }
    }

    private func ids(_ store: any FeedStore, _ stream: FeedStream = english) async throws -> [Int] {
        try await store.entries(EntryQuery(stream: stream, limit: 10_000, now: 0)).map(\.id)
    }

    private static func line(_ id: Int, _ language: String = "en") -> String {
        #"{"feed":"news","id":\#(id),"language":"\#(language)","title":"Story \#(id)"}"#
    }

    @Test func `Lines are saved, and saved again they are the same`() async throws {
        let store: any FeedStore = MemoryFeedStore()
        let text = """
            \u{FEFF}{"feed":"news","id":1,"language":"en","title":"One","body":"Body","expires":"2036-12-01T01:00:00+01:00",\
            "image":"/pictures/a.png","url":"https://example.com/","footer":"Foot","section_ids":[2],"tags":["harbour"],\
            "share_url":"https://example.com/1","sort_id":9,"online":true}\r
              \t
            {"feed":"news","id":2,"title":"Two","page":"<p>Page</p>"}
            {"feed":"news","id":3,"language":"es","title":"Tres","publish":"draft"}
            {"feed":"photos","id":4,"url":"/a.png","image":"/b.png","width":3,"height":2,"title":"Four","caption_text":"C"}
            """
        for _ in 0..<2 {
            let report = try await publish(text, in: store)
            #expect(report.mistakes == [])
            #expect(report.end == .whole)
            #expect(report.summary == "saved: 4 lines (news: 3, photos: 1)")
            #expect(report.problem(of: "a.jsonl") == nil)
            #expect(try await ids(store) == [1, 2])
            #expect(try await ids(store, FeedStream(feed: "news", language: "es")) == [2])
            #expect(try await ids(store, FeedStream(feed: "photos", language: "")) == [4])
            let first = try #require(try await store.entry(1, of: Self.english, now: 0))
            #expect(first.expirationDate == 2_111_702_400)
            #expect(first.sortID == 9)
            #expect(Set(first.tags) == ["tag:harbour", "section:2"])
            #expect(try await store.entry(2, of: Self.english, now: 0)?.page == "<p>Page</p>")
            let drafts = EntryQuery(
                stream: FeedStream(feed: "news", language: "es"),
                selection: .drafts,
                now: 0
            )
            #expect(try await store.entries(drafts).map(\.id) == [3])
        }
    }

    @Test(arguments: [
        ("{", "it is not JSON: "), ("\u{7F}", "it is not JSON: "), ("[]", "it must be an object"),
        (#"{"id":1,"title":"T"}"#, #""feed" is missing"#),
        (#"{"feed":"nws","id":1,"title":"T"}"#, #""feed" is 'nws', which the newspaper lacks"#),
        (#"{"feed":"news","title":"T"}"#, #""id" is missing"#),
        (#"{"feed":"news","id":0,"title":"T"}"#, #""id" must be a whole number"#),
        (#"{"feed":"news","id":2147483648,"title":"T"}"#, #""id" must be a whole number"#),
        (#"{"feed":"news","id":1}"#, #""title" is missing"#),
        (#"{"feed":"news","id":1,"title":7}"#, #""title" must be a text"#),
        (#"{"feed":"news","id":1,"title":"T","titel":""}"#, #""titel" is unknown"#),
        (#"{"feed":"news","id":1,"title":"T","language":"fr"}"#, #""language" is 'fr'"#),
        (#"{"feed":"news","id":1,"title":"T","expires":"tomorrow"}"#, #""expires" must be a date"#),
        (#"{"feed":"news","id":1,"title":"T","expires":"2020-01-01T00:00:00Z"}"#, #""expires" has passed"#),
        (#"{"feed":"news","id":5,"title":"T"}"#, #""id" is 5, which line 1 has too: give one of them another"#),
        (#"{"feed":"news","id":5,"language":"en","title":"T"}"#, #""id" is 5, which line 1 has too"#),
        (#"{"feed":"news","id":1,"title":" \n"}"#, #""title" must not be empty"#),
        (#"{"feed":"news","id":1,"title":"T\u0000"}"#, #""title" must be a text without the character U+0000"#),
        (#"{"feed":"news","id":1,"title":"T","tags":["C#"]}"#, #""tags" has 'C#': write a tag"#),
        (#"{"feed":"news","id":1,"title":"T","tags":["\u0000"]}"#, #""tags" must be an array of texts"#),
        (#"{"feed":"news","id":1,"title":"T","image":"javascript:alert(1)"}"#, #""image" must begin with http"#),
        (#"{"feed":"news","id":1,"title":"T","url":" JavaScript:alert(1)"}"#, #""url" must begin with http"#),
        (#"{"feed":"photos","id":1,"url":"","width":1,"height":1}"#, #""url" must begin with http"#),
        (#"{"feed":"news","id":1,"title":"T","section_ids":[9]}"#, "clients would not accept this"),
        (#"{"feed":"news","id":1,"title":"T","share_url":"here"}"#, "clients would not accept this"),
        (#"{"feed":"photos","id":1,"title":"T"}"#, #""url" is missing"#),
    ])
    func `A wrong line is left out, and named`(wrong: String, problem: String) async throws {
        let store: any FeedStore = MemoryFeedStore()
        let report = try await publish("\(Self.line(5))\n\n\(wrong)\n\(Self.line(6))\n", in: store)
        #expect(report.mistakes.map(\.line) == [3])
        #expect(report.mistakes.first?.problem.hasPrefix(problem) == true, "\(report.mistakes)")
        #expect(try await ids(store) == [6, 5])
        #expect(report.summary == "saved: 2 lines (news: 2)")
        #expect(
            report.problem(of: "a.jsonl")
                == "1 line of 4 left out: repair what is wrong, and run the command again: lines that were saved are saved again, and replace later edits"
        )
    }

    @Test func `Bytes that are no text are refused`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/lines"
            var bytes = Array(#"{"feed":"news","id":1,"title":""#.utf8)
            bytes += [0xC3, 0x28]
            bytes += Array("\"}\n\(Self.line(2))\n".utf8)
            try Data(bytes).write(to: URL(filePath: path))
            let store: any FeedStore = MemoryFeedStore()
            let reader = try LineReader(path, longest: 1_000)
            let report = await Publication(app: NewspaperApp(store: store)).report(reader)
            #expect(report.mistakes.map(\.line) == [1])
            #expect(report.mistakes.first?.problem.contains("UTF-8") == true, "\(report.mistakes)")
            #expect(try await ids(store) == [2])
        }
    }

    @Test func `A line that is too long is an error, and a long word is found`() async throws {
        let store: any FeedStore = MemoryFeedStore()
        let word = String(repeating: "w", count: 10_240)
        let long = #"{"feed":"news","id":1,"title":"\#(String(repeating: "x", count: StoryLine.mostBytes))"}"#
        let text = "\(long)\n{\"feed\":\"news\",\"id\":2,\"title\":\"\(word)\"}\n"
        let report = try await publish(text, in: store)
        #expect(
            report.mistakes == [
                LineError(line: 1, problem: "it is longer than 1048576 bytes: shorten its texts, or leave it out")
            ]
        )
        let search = FeedSearch(stream: Self.english, criterion: .words([word]), limit: nil, now: 0)
        #expect(try await store.search(search).count == 1)
    }

    @Test(arguments: [
        ("", 0, "a.jsonl is empty: write a line for each entry"),
        ("\n \n", 0, "a.jsonl has only blank lines: write a line for each entry"),
        (line(1), 1, nil),
        (
            #"\#(line(1))\#n{"feed":"news","id":2,"ti"#, 1,
            "1 line of 2 left out: repair what is wrong, and run the command again: lines that were saved are saved again, and replace later edits"
        ),
    ])
    func `The end of a file`(text: String, saved: Int, problem: String?) async throws {
        let report = try await publish(text, in: MemoryFeedStore())
        #expect(report.saved == saved)
        #expect(report.problem(of: "a.jsonl") == problem)
        if saved == 1, problem != nil {
            #expect(report.mistakes[0].problem.hasSuffix("; the file ends here, so it may have been cut off"))
        }
    }

    @Test func `After too many mistakes the rest isn't read`() async throws {
        let store: any FeedStore = MemoryFeedStore()
        let text = Self.line(1) + "\n" + String(repeating: "a,b,c\n", count: 1_000) + Self.line(2)
        let report = try await publish(text, in: store)
        #expect(report.end == .tooManyMistakes)
        #expect(report.read == 21)
        #expect(try await ids(store) == [1])
        #expect(
            report.problem(of: "a.jsonl")
                == "20 lines left out; the lines after 21 are not saved: is it the right file? If so, repair it, and run the command again: lines that were saved are saved again, and replace later edits"
        )
    }

    @Test func `Lines of another feed are saved beside one that fails`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/feeds.sqlite"
            let store = try SQLiteFeedStore(path)
            try Database(path).execute(
                "CREATE TRIGGER no BEFORE INSERT ON entry WHEN new.id = 7 BEGIN SELECT RAISE(ABORT, 'no'); END"
            )
            let photo = #"{"feed":"photos","id":7,"url":"/a.png","width":2,"height":2}"#
            let report = try await publish("\(Self.line(1))\n\(photo)\n\(Self.line(2))\n\(Self.line(3))", in: store)
            #expect(report.summary == "saved: 3 lines (news: 3)")
            let problem = try #require(report.problem(of: "a.jsonl"))
            #expect(
                problem.contains(": no; the first line that is not saved is 2; of those after it, 2 are saved; repair")
            )
        }
    }

    @Test func `Batches are saved as a whole, and a failure says what was saved`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/feeds.sqlite"
            let store = try SQLiteFeedStore(path)
            try Database(path).execute(
                "CREATE TRIGGER no BEFORE INSERT ON entry WHEN new.id = 4200 BEGIN SELECT RAISE(ABORT, 'the disk is tired'); END"
            )
            let text = (1...6_000).map { Self.line($0) }.joined(separator: "\n")
            let report = try await publish(text, in: store)
            #expect(report.saved == 4_000)
            #expect(try await ids(store).count == 4_000)
            #expect(
                report.problem(of: "a.jsonl")
                    == "the feeds can't be kept in '\(path)': the disk is tired; the first line that is not saved is 4001; repair that, and run the command again: lines that were saved are saved again, and replace later edits"
            )
            try Database(path).execute("DROP TRIGGER no")
            #expect(try await publish(text, in: store).problem(of: "a.jsonl") == nil)
            #expect(try await ids(store) == (1...6_000).reversed())
        }
    }
}

/// The command as a process.
@Suite(.timeLimit(.minutes(5))) struct PublishProcessTests {
    @Test func `It saves a file, and says what was wrong`() async throws {
        try await withTemporaryFolder { folder in
            let feeds = "sqlite:\(folder.path)/feeds.sqlite"
            let file = try folder.write(#"{"feed":"news","id":7,"title":"Seven"}\#n{"feed":"nws"}"#, to: "a.jsonl")
            let outcome = try ServerProcess("demo-server", ["floki", "publish", file, "--feeds", feeds]).outcome()
            #expect(outcome.status == 1)
            let place = "in a file of SQLite, \(folder.path)/feeds.sqlite"
            #expect(outcome.output == "saved: 1 line (news: 1), \(place), which is new\n")
            #expect(outcome.errors.hasPrefix("line 2: \"feed\" is 'nws', which the newspaper lacks"))
            #expect(outcome.errors.contains("\nError: 1 line of 2 left out: "))
            let good = try folder.write(#"{"feed":"news","id":8,"title":"Eight"}"#, to: "b.jsonl")
            let second = try ServerProcess("demo-server", ["floki", "publish", good, "--feeds", feeds]).outcome()
            #expect(second.status == 0)
            #expect(second.output == "saved: 1 line (news: 1), \(place)\n")
            #expect(second.errors == "")
            let store = try SQLiteFeedStore("\(folder.path)/feeds.sqlite")
            let query = EntryQuery(stream: FeedStream(feed: "news", language: "es"), now: 0)
            #expect(try await store.entries(query).map(\.id) == [8, 7])
        }
    }

    @Test(arguments: [
        (["nowhere.jsonl"], "name an existing file"), (["a", "--feeds", "memory"], "memory ends with this command"),
        (["a", "--feeds", "disk:a"], "unknown store 'disk'"), ([], "Missing expected argument"),
        (["a", "--feeds", "sqlite:"], "the path is missing"),
    ])
    func `Wrong arguments are refused`(arguments: [String], problem: String) async throws {
        try await withTemporaryFolder { folder in
            _ = try folder.write("", to: "a")
            let outcome = try ServerProcess("demo-server", ["floki", "publish"] + arguments, in: folder.path).outcome()
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains(problem), "\(outcome.errors)")
        }
    }

    @Test func `Ctrl-C ends it between two batches`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/feeds.sqlite"
            let store = try SQLiteFeedStore(path)
            var changes = store.changes().makeAsyncIterator()
            let pipe = "\(folder.path)/pipe"
            let status = unsafe mkfifo(pipe, 0o600)
            #expect(status == 0)
            let process = try ServerProcess("demo-server", ["floki", "publish", pipe, "--feeds", "sqlite:\(path)"])
            let input = try FileHandle(forWritingTo: URL(filePath: pipe))
            let lines = (1...2_200).map { #"{"feed":"news","id":\#($0),"language":"en","title":"T"}"# }
            try input.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
            // The first batch is there.
            #expect(await changes.next()?.revision == 1)
            process.signal(SIGINT)
            let outcome = process.outcome()
            try input.close()
            #expect(outcome.status == 1)
            #expect(outcome.output == "saved: 2000 lines (news: 2000), in a file of SQLite, \(path)\n")
            #expect(
                outcome.errors.hasPrefix("Error: stopped: the first line that is not saved is 2001; to continue, "),
                "\(outcome.errors)"
            )
        }
    }
}
