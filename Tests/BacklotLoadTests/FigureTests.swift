import BacklotHTTP
import Testing

@testable import BacklotLoad

/// Timers, figures, and the page that shows them.
struct FigureTests {
    @Test func `Timers come in their order`() {
        var heap = TimerHeap()
        var chance = Chance(seed: 3, part: 0)
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
            "# TYPE x counter\nprocess_cpu_seconds_total 12.5\nprocess_resident_memory_bytes{a=\"b\"} 3e6 17\nprocess_x nan\n"
        #expect(ServerGauges.values(text) == ["process_cpu_seconds_total": 12.5, "process_resident_memory_bytes": 3e6])
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
            LoadSecond(
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
