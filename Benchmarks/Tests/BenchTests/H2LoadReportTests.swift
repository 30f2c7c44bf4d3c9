import Testing

@testable import bench

@Suite(.timeLimit(.minutes(5))) struct H2LoadReportTests {
    private static func output(failed: Int = 0, errored: Int = 0, late: Int = 0, redirects: Int = 0) -> String {
        """
        starting benchmark...
        Application protocol: h2c

        finished in 3.00s, 106251.67 req/s, 49.24MB/s
        requests: 318755 total, 319267 started, 318755 done, 318000 succeeded, \(failed) failed, \(errored) errored, \(late) timeout
        status codes: 318000 2xx, \(redirects) 3xx, 0 4xx, 0 5xx
        traffic: 147.73MB (154900000) total, 4.26MB (4466570) headers (space savings 93.33%), 137.1MB (143758505) data
                             min         max         mean         sd        +/- sd
        time for request:      312us     21.35ms      4.62ms      1.36ms    74.61%
        """
    }

    @Test func `The totals of h2load are read`() {
        let report = H2LoadReport(parsing: Self.output())
        #expect(report?.succeeded == 318_000)
        #expect(report?.requestsPerSecond == 106_251.67)
        #expect(report?.failed == 0)
        #expect(report?.otherThan2xx == 0)
    }

    @Test func `Failures of each kind are counted`() {
        #expect(H2LoadReport(parsing: Self.output(failed: 3, errored: 2))?.failed == 3)
        #expect(H2LoadReport(parsing: Self.output(late: 4))?.failed == 4)
        #expect(H2LoadReport(parsing: Self.output(redirects: 5))?.otherThan2xx == 5)
    }

    @Test(arguments: ["", "finished in 3.00s, 1 req/s, 1MB/s", "requests: 1 total, 1 succeeded, 0 failed"])
    func `Other output is not a report`(text: String) {
        #expect(H2LoadReport(parsing: text) == nil)
    }

    @Test func `Durations of a log are seconds`() {
        #expect(
            H2LoadReport.durations(in: "1700000000000000\t200\t1500\n1700000000000100\t200\t250\n\n") == [
                0.0015, 0.00025,
            ]
        )
    }
}
