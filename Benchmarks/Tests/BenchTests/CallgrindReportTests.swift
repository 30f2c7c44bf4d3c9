import Testing

@testable import bench

@Suite(.timeLimit(.minutes(5))) struct CallgrindReportTests {
    @Test func theTotalAtTheEnd() {
        let text = """
            ==4711== Callgrind, a call-graph generating cache profiler
            listening on http://127.0.0.1:40001
            ==4711==
            ==4711== Events    : Ir
            ==4711== Collected : 123456789
            ==4711==
            ==4711== I   refs:      123,456,789

            """
        #expect(CallgrindReport(parsing: text)?.instructions == 123_456_789)
    }

    @Test(arguments: ["", "==1== Events    : Ir\n", "==1== Collected : many\n", "Collected : 1\n"])
    func noTotal(text: String) {
        #expect(CallgrindReport(parsing: text) == nil)
    }
}
