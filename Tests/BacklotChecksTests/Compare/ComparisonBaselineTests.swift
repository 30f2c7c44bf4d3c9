import Backlot
import BacklotChecks
import BacklotTesting
import ClientTestSupport
import TestSupport
import Testing

/// A's side in a file.
@Suite(.timeLimit(.minutes(5))) struct ComparisonBaselineTests {
    private static func record(_ app: ComparedApp) async throws -> ComparisonBaseline {
        var options = ComparisonOptions()
        options.callsRPCs = true
        let report = try await Comparison.recording("http://a/", transport: TwoServers(app, app), options: options)
            .report()
        #expect(report.findings == [])
        return try #require(report.baseline)
    }

    private static func compare(_ baseline: ComparisonBaseline, _ app: ComparedApp) async throws -> ComparisonReport {
        var options = ComparisonOptions()
        // The app has no clock.
        options.pause = .zero
        return try await Comparison(baseline, "http://b/", transport: TwoServers(app, app), options: options).report()
    }

    @Test func `Nothing differs from a file of an equal server, and no cookie is in it`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.path + "/a.json"
            try await Self.record(Shop.app).write(to: file)
            let baseline = try ComparisonBaseline(contentsOf: file)
            let report = try await Self.compare(baseline, Shop.app)
            #expect(report.isClean, "\(report)")
            #expect(report.pages.count == 8)
            let text = String(decoding: baseline.bytes, as: UTF8.self)
            #expect(text.contains("session=x;") && !text.contains("secret"))
            #expect(baseline.bytes == (try ComparisonBaseline(contentsOf: file)).bytes)
        }
    }

    @Test(arguments: ComparisonTests.changes)
    func `Each change is found against a file, too`(change: ComparisonTests.Change) async throws {
        let report = try await Self.compare(Self.record(Shop.app), Shop.app.with(change.make))
        let own = report.differences.filter { $0.finding.path.page == change.page && $0.finding.rule == change.rule }
        #expect(own.contains { $0.kind == change.kind }, "\(report)")
        #expect(report.differences.map(\.kind).max() == change.kind, "\(report)")
    }

    @Test func `A recording of a missing start page is no app`() async throws {
        try await withTemporaryFolder { folder in
            var app = ComparedApp()
            app.page("/", Shop.page("Home", Shop.text("1")))
            let file = String(decoding: try await Self.record(app).bytes, as: UTF8.self)
            #expect(file.contains(#""status":200"#))
            try folder.write(file.replacing(#""status":200"#, with: #""status":404"#), to: "a.json")
            let report = try await Self.compare(ComparisonBaseline(contentsOf: folder.path + "/a.json"), app)
            #expect(
                report.description
                    == "A has no app at http://a/: the response is 404 Not Found. Correct the URL, and record the file again."
            )
            #expect(!report.isClean)
        }
    }

    @Test func `Statuses of a file have their names`() async throws {
        let report = try await Self.compare(Self.record(Shop.app), Shop.app.with { $0.remove("/terms") })
        let gone = try #require(report.differences.first { $0.finding.rule == "page-gone" })
        #expect(gone.finding.message.hasPrefix("The status was 200 OK, and is 404 Not Found: "), "\(gone)")
    }

    @Test func `A baseline of another day differs only in values`() async throws {
        func app(_ day: String) -> ComparedApp {
            var app = ComparedApp()
            app.page("/", Shop.page("Home", Shop.text("Today is \(day)."), Shop.text("5 left")))
            return app
        }
        let baseline = try await Self.record(app("Sunday, 22 November, 10:15"))
        #expect(try await Self.compare(baseline, app("Monday, 23 November, 9:00")).isClean)
        let other = app("Monday, 23 November, 9:00").with { $0.replace("/", "5 left", "6 left") }
        #expect(try await Self.compare(baseline, other).found == ["visible / value-changed"])
    }

    @Test(arguments: [
        ("", "isn't a baseline: it isn't JSON"),
        ("hello", "isn't a baseline: it isn't JSON"),
        ("{}", "isn't a baseline but other JSON"),
        ("[1]", "isn't a baseline but other JSON"),
        (#"{"format":"backlot-diff-baseline"}"#, "has no version"),
        (
            #"{"format":"backlot-diff-baseline","version":2}"#,
            "is a baseline of version 2, and this program reads version 1"
        ),
        (#"{"format":"backlot-diff-baseline","version":1}"#, "doesn't say which server it is of"),
        (
            #"{"format":"backlot-diff-baseline","version":1,"protocol":"applin","url":"http://a/","step_count":2,"steps":[]}"#,
            "was cut short: steps are missing"
        ),
        (
            #"{"format":"backlot-diff-baseline","version":1,"protocol":"applin","url":"http://a/","step_count":1,"steps":[{}]}"#,
            "is damaged: its step 1 can't be read"
        ),
        (#"{"format":"backlot-diff-baseline","version":1,"pro"#, "was cut short or damaged"),
    ])
    func `Files that aren't baselines are refused`(text: String, problem: String) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.path + "/a.json"
            try folder.write(text, to: "a.json")
            let error = #expect(throws: ComparisonBaselineError.self) { try ComparisonBaseline(contentsOf: file) }
            #expect(error?.description.hasPrefix("'\(file)' \(problem)") == true, "\(error.map { "\($0)" } ?? "")")
            #expect(error?.description.hasSuffix("--baseline \(file) --record'") == true)
        }
    }

    @Test func `Missing files and folders are refused`() async throws {
        try await withTemporaryFolder { folder in
            let missing = #expect(throws: ComparisonBaselineError.self) {
                try ComparisonBaseline(contentsOf: folder.path + "/x")
            }
            #expect(missing?.description.hasPrefix("'\(folder.path)/x' doesn't exist") == true)
            let other = #expect(throws: ComparisonBaselineError.self) {
                try ComparisonBaseline(contentsOf: folder.path)
            }
            #expect(other?.description.hasPrefix("'\(folder.path)' isn't a file") == true)
        }
    }

    @Test func `Each cut of a file is noticed`() async throws {
        try await withTemporaryFolder { folder in
            var app = ComparedApp()
            app.page("/", Shop.page("Home", Shop.text("x")))
            let bytes = try await Self.record(app).bytes
            for count in stride(from: 0, to: bytes.count - 1, by: 7) {
                try folder.write(String(decoding: bytes.prefix(count), as: UTF8.self), to: "a.json")
                #expect(throws: ComparisonBaselineError.self) {
                    try ComparisonBaseline(contentsOf: folder.path + "/a.json")
                }
            }
        }
    }

    @Test func `A file that can't be written leaves the old one`() async throws {
        try await withTemporaryFolder { folder in
            let baseline = try await Self.record(Shop.app)
            #expect(throws: FileError.self) { try baseline.write(to: folder.path + "/none/a.json") }
            try folder.write("old", to: "a.json")
            try baseline.write(to: folder.path + "/a.json")
            #expect(try ComparisonBaseline(contentsOf: folder.path + "/a.json").bytes == baseline.bytes)
        }
    }
}
