import CoreMetrics
import Testing
import Tracing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct PrometheusTests {
    @Test(
        arguments: [
            (FileTime(seconds: -1_893_456_000, nanoseconds: 5), 0),
            (FileTime(seconds: -1, nanoseconds: 999_999_999), 0),
            (FileTime(seconds: 0, nanoseconds: 7), 7), (FileTime(seconds: 3, nanoseconds: 7), 3_000_000_007),
        ] as [(FileTime, UInt64)]
    )
    func `Counting may begin at any time of a clock`(time: FileTime, nanoseconds: UInt64) {
        #expect(DefaultTracerClock.Timestamp(time).nanosecondsSinceEpoch == nanoseconds)
    }

    @Test func `Each kind of metric is written in Prometheus' text format`() async {
        let metrics = PrometheusMetrics(buckets: [0.5, 1])
        metrics.describe("http.requests", "Requests that were answered,\nby \\ status.")
        CoreMetrics.Counter(
            label: "http.requests",
            dimensions: [("status", "200"), ("method", "GET")],
            factory: metrics
        )
        .increment(by: 3)
        CoreMetrics.Counter(
            label: "http.requests",
            dimensions: [("method", "GET"), ("status", "404")],
            factory: metrics
        )
        .increment()
        FloatingPointCounter(label: "work.seconds_total", factory: metrics).increment(by: 1.25)
        Meter(label: "open", factory: metrics).set(7)
        Gauge(label: "level", factory: metrics).record(0.5)
        let timer = CoreMetrics.Timer(label: "wait", factory: metrics)
        for nanoseconds in [100_000_000, 500_000_000, 900_000_000, 2_000_000_000] {
            timer.recordNanoseconds(nanoseconds)
        }
        Recorder(label: "size", factory: metrics).record(2)
        let text = await metrics.text()
        #expect(
            text == """
                # HELP http_requests_total Requests that were answered,\\nby \\\\ status.
                # TYPE http_requests_total counter
                http_requests_total{method="GET",status="200"} 3
                http_requests_total{method="GET",status="404"} 1
                # TYPE level gauge
                level 0.5
                # TYPE open gauge
                open 7
                # TYPE size histogram
                size_bucket{le="0.5"} 0
                size_bucket{le="1"} 0
                size_bucket{le="+Inf"} 1
                size_sum 2
                size_count 1
                # TYPE wait_seconds histogram
                wait_seconds_bucket{le="0.5"} 2
                wait_seconds_bucket{le="1"} 3
                wait_seconds_bucket{le="+Inf"} 4
                wait_seconds_sum 3.5
                wait_seconds_count 4
                # TYPE work_seconds_total counter
                work_seconds_total 1.25

                """
        )
    }

    @Test func `Labels may hold any characters`() async {
        let metrics = PrometheusMetrics()
        CoreMetrics.Counter(label: "c", dimensions: [("a-b", "\"x\\\n{}")], factory: metrics).increment()
        let text = await metrics.text()
        #expect(text == "# TYPE c_total counter\nc_total{a_b=\"\\\"x\\\\\\n{}\"} 1\n")
    }

    @Test(arguments: [
        ("http.requests", "http_requests"), ("9lives", "_9lives"), ("ä b", "__b"), ("a:b", "a:b"), ("", "_"),
    ])
    func `Names become valid names of Prometheus`(_ label: String, _ name: String) {
        #expect(PrometheusName.metric(label) == name)
    }

    @Test func `Metrics with the same name and labels are one series`() async {
        let metrics = PrometheusMetrics()
        for _ in 0..<3 { CoreMetrics.Counter(label: "c", dimensions: [("a", "1")], factory: metrics).increment() }
        let text = await metrics.text()
        #expect(text.contains("c_total{a=\"1\"} 3\n"))
    }

    /// One name, two kinds: Prometheus would refuse all of it.
    @Test func `Metrics that don't fit are refused and counted`() async {
        let metrics = PrometheusMetrics(limit: 2)
        Meter(label: "a", factory: metrics).set(1)
        Recorder(label: "a", factory: metrics).record(2)
        Meter(label: "a", dimensions: [("b", "c")], factory: metrics).set(3)
        Meter(label: "b", factory: metrics).set(4)
        Meter(label: "one.too.many", factory: metrics).set(5)
        Meter(label: "twice", dimensions: [("x", "1"), ("x", "2")], factory: metrics).set(6)
        let text = await metrics.text()
        #expect(text.hasPrefix("# TYPE a gauge\na 1\n# TYPE b gauge\nb 4\n# HELP metrics_refused_total"), "\(text)")
        #expect(text.hasSuffix("\n# TYPE metrics_refused_total counter\nmetrics_refused_total 4\n"), "\(text)")
        let readings = await metrics.readings()
        #expect(readings.map(\.label) == ["a", "b", "metrics.refused"])
        #expect(readings.last?.series.first?.value == .number(4))
    }

    @Test func `Counters only rise`() async {
        let counter = PrometheusCounter()
        counter.increment(by: Int64(-5))
        counter.increment(by: Double.nan)
        counter.increment(by: -0.5)
        counter.increment(by: Int64(2))
        counter.increment(by: 0.5)
        #expect(counter.reading == .number(2.5))
        counter.reset()
        #expect(counter.reading == .number(0))
    }

    @Test func `Counts from many threads add up`() async {
        let metrics = PrometheusMetrics()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 {
                        CoreMetrics.Counter(label: "c", factory: metrics).increment()
                        CoreMetrics.Timer(label: "t", factory: metrics).recordSeconds(1)
                    }
                }
            }
        }
        let text = await metrics.text()
        #expect(text.contains("\nc_total 8000\n") && text.contains("\nt_seconds_count 8000\n"), "\(text)")
    }
}
