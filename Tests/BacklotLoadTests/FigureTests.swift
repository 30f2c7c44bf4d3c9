import Backlot
import BacklotClients
import BacklotMocks
import Testing

@testable import BacklotLoad

/// Timers, figures, and the page that shows them.
@Suite(.timeLimit(.minutes(5))) struct FigureTests {
    @Test func `Timers come in their order`() {
        var heap = TimerHeap()
        var chance = SplitMix64(seed: 3)
        let times = (0..<1000).map { _ in Int64(chance.next() % 500) }
        for (index, time) in times.enumerated() { heap.push(Int32(index), at: time) }
        var popped: [Int64] = []
        while heap.count > 0 {
            let (time, item) = heap.pop()
            #expect(times[Int(item)] == time)
            popped.append(time)
        }
        #expect(popped == times.sorted())
    }

    @Test func `Latencies are exact to a thousandth`() {
        var latencies = Latencies()
        #expect(latencies.value(99) == 0)
        #expect(latencies.max == 0)
        for millisecond in 1...1000 { latencies.record(Int64(millisecond) * 1_000_000) }
        for percent in [1.0, 50, 90, 99, 99.9, 100] {
            #expect(abs(latencies.value(percent) / 1e6 - percent * 10) <= percent * 10 / 1000 + 0.001)
        }
        latencies.record(.max / 2)
        latencies.record(-5)
        #expect(latencies.count == 1002)
    }

    @Test func `Steps beyond the most are one`() {
        var figures = LoadFigures()
        for number in 0..<1000 { figures.note(1000, step: figures.step("step \(number)")) }
        #expect(figures.steps.count == 200)
        #expect(figures.steps.last?.name == "other steps")
        #expect(figures.steps.last?.latencies.count == 801)
        var sum = LoadFigures()
        sum.add(figures)
        sum.add(figures)
        #expect(sum.steps.count == 200)
        #expect(sum.steps[0].latencies.count == 2)
    }

    @Test(arguments: [(1234.5678, 1, "1234.6"), (0.1, 2, "0.1"), (-2.5, 0, "-3"), (0.001, 2, "0"), (5.05, 2, "5.05")])
    func `Numbers are rounded`(value: Double, digits: Int, text: String) {
        #expect(value.rounded(to: digits) == text)
    }

    @Test func `Metrics are read`() {
        let text =
            "# TYPE x counter\nprocess_cpu_seconds_total 12.5\nprocess_resident_memory_bytes{a=\"b\"} 3e6 17\nprocess_x nan\nprocess_a 1e30\n"
            + "process_b -1\nprocess_c inf\n"
        #expect(ServerGauges.values(text) == ["process_cpu_seconds_total": 12.5, "process_resident_memory_bytes": 3e6])
    }

    @Test func `Metrics that are named and not there have a line`() throws {
        var options = LoadOptions()
        func line(_ server: ServerGauges.Summary = ServerGauges.Summary()) throws -> Substring? {
            let report = LoadReport(try Load("http://127.0.0.1/", options: options), flows: [], server: server)
            return report.description.split(separator: "\n").first { $0.hasPrefix("server ") }
        }
        #expect(try line() == nil)
        options.metrics = try HTTPURL("http://127.0.0.1:9/metrics")
        #expect(
            try line()
                == "server    http://127.0.0.1:9/metrics sent no processor time or memory in Prometheus's format (--metrics)"
        )
        #expect(try line(ServerGauges.Summary(mostMemory: 2000)) == "server    at most 2,000 B of memory")
    }

    @Test func `Requests a second are those until the end`() throws {
        var figures = LoadFigures()
        for _ in 0..<30 { figures.latencies.record(1) }
        (figures.responseCount, figures.respondedInTime) = (30, 10)
        let load = try Load("http://127.0.0.1/")
        let report = LoadReport(load, flows: [.wandering], figures: figures, duration: .seconds(2))
        #expect(report.requests == 30)
        #expect(report.requestsPerSecond == 5)
    }

    @Test(
        arguments: [
            ([[1, 1]], 1, ["3 steps of the flows were never reached: a: GET /3, b: GET /2, b: GET /3."]),
            ([[2, 0], [3, 3]], 1, []), ([[3, 2], [1, 3]], 1, []),
            ([[3, 2], [1, 0]], 1, ["1 step of the flows was never reached: b: GET /3."]),
            ([[3]], 1, ["3 steps of the flows were never reached: b: GET /1, b: GET /2, b: GET /3."]),
            ([[]], 0.9, []),
        ] as [([[Int]], Double, [String])]
    )
    func `Steps that no phone of any thread has begun are a finding`(
        threads: [[Int]],
        seconds: Double,
        messages: [String]
    )
        throws
    {
        let steps: [LoadStep] = (1...3).map { .request(LoadRequest(.get, "/\($0)")) } + [.wait(.seconds(1)), .wander]
        let second = LoadFlow("a", steps: [steps[0], .wait(.seconds(1)), steps[2]])
        var options = LoadOptions()
        options.duration = .seconds(1)
        let flows = [second, LoadFlow("b", steps: [steps[0], steps[1], steps[2]] + [.wait(.seconds(1))])]
        let load = try Load("http://127.0.0.1/", flows: flows, options: options)
        var figures = LoadFigures()
        for thread in threads {
            var part = LoadFigures()
            for (flow, count) in thread.enumerated() { part.reach(count, of: flow) }
            figures.add(part)
        }
        let report = LoadReport(load, flows: flows, figures: figures, duration: .seconds(seconds))
        #expect(report.findings.map(\.message) == messages)
    }

    @Test(
        arguments: [
            (launched: 10, ramp: 9.5, line: nil),
            (launched: 2, ramp: 9.5, line: "8 of 10 phones weren't launched: the ramp takes 9.5 s (--ramp)."),
            (launched: 9, ramp: 2, line: "1 of 10 phones weren't launched."),
        ] as [(launched: Int, ramp: Double, line: String?)]
    )
    func `Phones that weren't launched have a line`(launched: Int, ramp: Double, line: String?) throws {
        var options = LoadOptions()
        (options.phones, options.ramp) = (10, .seconds(ramp))
        var figures = LoadFigures()
        figures.launched = launched
        let load = try Load("http://127.0.0.1/", options: options)
        #expect(LoadReport(load, flows: [], figures: figures, duration: .seconds(2)).unlaunched == line)
    }

    /// A path below the app's base URL, and the same one from the server's root.
    @Test func `Paths below the base are other ones than those from the root`() throws {
        let url = try HTTPURL("http://h/app/")
        var targets = LoadTargets()
        for _ in 0..<2 {
            #expect(targets.target("/x", below: BaseURL(known: url))?.target == "/app/x")
            #expect(targets.absolute("/x", on: url)?.target == "/x")
        }
    }

    @Test(
        arguments: [
            (from: 10, to: 10, most: 9, each: 9, notes: []), (from: 9, to: 10, most: 9, each: 9, notes: [[9, 1]]),
            (from: 0, to: 11, most: 9, each: 9, notes: [[0, 1], [5, 1], [10, 1]]),
            (from: 0, to: 10, most: 9, each: 9, notes: [[0, 1], [5, 1]]),
            (from: 0, to: 1000, most: 3, each: 9, notes: [[0, 1], [5, 1], [10, 1]]),
            (from: 0, to: 25, most: 9, each: 2, notes: [[0, 3], [15, 2]]),
        ] as [(from: Int64, to: Int64, most: Int, each: Int, notes: [[Int]])]
    )
    func `Each step that should have begun counts`(from: Int64, to: Int64, most: Int, each: Int, notes: [[Int]]) {
        var found: [[Int]] = []
        LoadWorker.forTimes(from: from, to: to, by: 5, most, each) { found.append([Int($0), $1]) }
        #expect(found == notes)
    }

    @Test func `What a server says is no command to a terminal`() throws {
        var figures = LoadFigures()
        figures.latencies.record(1)
        figures.note(1, step: figures.step("page /\u{1B}[31m\u{9B}2J"))
        figures.noteFailure("no-page", "its type is '\u{1B}]0;x\u{7}'", path: "/\u{1B}[1m")
        let load = try Load("http://127.0.0.1/")
        let text = LoadReport(load, flows: [.wandering], figures: figures, duration: .seconds(1)).description
        #expect(text.contains("page / [31m 2J"), "\(text)")
        #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
    }

    @Test(arguments: [(Int64.max, Int64(UInt32.max)), (.min, 0), (250, 250)])
    func `A delay before a refresh has bounds`(delay: Int64, bounded: Int64) {
        let field: JSONValue = ["typ": "textfield", "var_name": "a", "poll_delay_ms": .number(JSONNumber(delay))]
        let page = PageContents(["typ": "plain_page", "widget": field])
        #expect(page.widgets.map(\.pollDelay) == [bounded])
    }

    @Test func `Pages that are held have bounds, and those that are given back don't count`() throws {
        var pages = SharedPages(nesting: 10, mostBody: 1000, mostHeld: 1_000_000)
        func body(_ number: Int) -> [UInt8] {
            let title = String(repeating: "\(number % 10)", count: 90_000) + "\(number)"
            return Array(#"{"page":{"typ":"plain_page","title":"\#(title)"}}"#.utf8)
        }
        for _ in 0..<2 {
            var held: [PageContents] = []
            let problem = #expect(throws: SharedPages.ReadingError.self) {
                for number in 0..<20 { held.append(try pages.page(body(number), coding: nil)) }
            }
            #expect(problem?.isTooMuch == true)
            #expect((10...11).contains(held.count))
        }
    }

    @Test func `The page needs no network and no script, and nothing breaks out of it`() throws {
        var figures = LoadFigures()
        figures.launched = 1
        let step = figures.step("tap \"<script>alert(1)</script>\"")
        for _ in 0..<100 {
            figures.latencies.record(2_000_000)
            figures.note(2_000_000, step: step)
        }
        figures.noteFailure("status-500", "status <b>500</b>", path: "/<i>")
        var interval = LoadInterval()
        interval.latencies.record(2_000_000)
        let seconds = (0..<3000).map {
            LoadProgress(
                interval,
                from: Int64($0) * 1_000_000_000,
                to: Int64($0 + 1) * 1_000_000_000,
                phones: 1,
                gauges: nil
            )
        }
        let load = try Load("http://127.0.0.1/")
        let report = LoadReport(load, flows: [.wandering], figures: figures, seconds: seconds, duration: .seconds(3000))
        let html = report.html
        #expect(!html.contains("<script") && !html.contains("<b>") && !html.contains("<i>"))
        #expect(
            !html.contains("src=") && !html.contains("href=") && !html.contains("@import") && !html.contains("url(")
        )
        #expect(html.contains("&lt;script&gt;"))
        #expect(html.utf8.count < 500_000)
    }
}
