import Testing

@testable import bench

@Suite(.timeLimit(.minutes(5))) struct WrkReportTests {
    private func make(errors: String = "") -> String {
        """
        Running 3s test @ http://127.0.0.1:8080/new_account
          1 threads and 64 connections
          Thread Stats   Avg      Stdev     Max   +/- Stdev
            Latency   613.21us  331.02us   9.72ms   95.14%
            Req/Sec   104.92k     9.31k  116.24k    80.00%
          313118 requests in 3.00s, 172.01MB read
        \(errors)Requests/sec: 104312.25
        Transfer/sec:     57.30MB

        """
    }

    @Test func `The totals of wrk are read`() throws {
        let report = try #require(WrkReport(parsing: make()))
        #expect(report.requests == 313_118)
        #expect(report.requestsPerSecond == 104_312.25)
        #expect(report.failedResponses == 0)
        #expect(report.socketErrors == 0)
    }

    @Test func `Failed responses are counted`() {
        let text = make(errors: "  Non-2xx or 3xx responses: 1204\n")
        #expect(WrkReport(parsing: text)?.failedResponses == 1204)
    }

    @Test func `Socket errors of all kinds are counted`() {
        let text = make(errors: "  Socket errors: connect 1, read 20, write 300, timeout 4000\n")
        #expect(WrkReport(parsing: text)?.socketErrors == 4321)
    }

    @Test(arguments: ["", "unable to connect to 127.0.0.1:1 Connection refused", "  12 requests in 3.00s, 1MB read"])
    func `Other output is not a report`(text: String) {
        #expect(WrkReport(parsing: text) == nil)
    }
}
