import Testing

@testable import bench

@Suite(.timeLimit(.minutes(5))) struct CallgrindReportTests {
    private static let text = """
        # callgrind format
        events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw
        summary: 1 2 3 4 5 6 7 8 9

        ob=(1) /usr/bin/server
        fl=(1) ???
        fn=(1) $s4page
        0 9
        cfn=(2) swift_allocObject
        calls=3 0
        0 30
        cfn=(3) malloc
        calls=1 0
        0 10

        fn=(2)
        cfn=(3)
        calls=3 0
        0 12

        fn=(4) operator+(int)
        cfn=(3)
        calls=2 0
        cfn=(5) free
        calls=7 0

        totals: 1000 200 100 40 30 20 4 3 2

        """

    /// What a function asks of another that asks for memory on its behalf counts once.
    @Test func `Instructions, misses and allocations are counted`() throws {
        let report = try #require(CallgrindReport(parsing: Self.text))
        #expect(report.instructions == 1000)
        #expect((report.instructionMisses, report.dataMisses, report.lastMisses) == (40, 50, 9))
        #expect(report.allocations == ["$s4page": 4, "operator+(int)": 2])
    }

    @Test func `A report without caches has no misses`() {
        let report = CallgrindReport(parsing: "events: Ir\ntotals: 5\n")
        #expect(report?.instructions == 5 && report?.dataMisses == 0)
    }

    @Test(arguments: ["", "events: Ir\n", "events: Ir\ntotals: many\n", "totals: 1\n", "events: Dr\ntotals: 1\n"])
    func `A report without a total is not read`(text: String) {
        #expect(CallgrindReport(parsing: text) == nil)
    }

    /// Of two runs, the difference counts; a buffer that grows now and then doesn't.
    @Test func `A request costs the difference of two runs`() throws {
        let fewer = try #require(CallgrindReport(parsing: Self.text))
        var more = fewer
        more.instructions += 2000
        more.dataMisses += 50
        more.allocations = ["$s4page": 204, "operator+(int)": 2, "grow": 1]
        let cost = RequestCost(from: fewer, to: more, requests: 200)
        #expect((cost.instructions, cost.dataMisses, cost.lastMisses) == (10, 0.25, 0))
        #expect(cost.allocations == ["$s4page": 1] && cost.allocationCount == 1)
    }
}
