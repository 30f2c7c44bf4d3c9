import Backlot
import Testing

@Suite(.timeLimit(.minutes(5))) struct FindingReportTests {
    private func make(_ severity: Finding.Severity, steps: [String], pointer: String) -> Finding {
        Finding(
            severity,
            rule: "some-rule",
            path: FindingPath(page: "/a", steps: steps, pointer: pointer),
            message: "It is wrong.",
            fix: "Make it right."
        )
    }

    @Test func `Clean pages are only counted`() {
        #expect(FindingReport(pages: []).description == "0 pages: nothing to check")
        #expect(FindingReport(pages: [.init(path: "/", findings: [])]).description == "1 page: no findings")
        let two: [FindingReport.Page] = [.init(path: "/", findings: []), .init(path: "/a", findings: [])]
        #expect(FindingReport(pages: two).description == "2 pages: no findings")
    }

    @Test func `Findings stand below their page, and counts at the end`() {
        let report = FindingReport(pages: [
            .init(path: "/", findings: []),
            .init(
                path: "/a",
                findings: [
                    make(.warning, steps: [], pointer: "/page/stream"),
                    make(.error, steps: ["form", "text \"Hi\""], pointer: "/page/widget/widgets/0"),
                ]
            ),
            .init(path: "/b", findings: [make(.error, steps: [], pointer: "")]),
        ])
        #expect(
            report.description == """
                /a
                  warning: the page
                    It is wrong.
                    Fix: Make it right.
                    [some-rule] at /page/stream
                  error: form › text "Hi"
                    It is wrong.
                    Fix: Make it right.
                    [some-rule] at /page/widget/widgets/0

                /b
                  error: the page
                    It is wrong.
                    Fix: Make it right.
                    [some-rule]

                3 pages, 2 with findings: 2 errors, 1 warning
                """
        )
        #expect(report.count(.error) == 2)
        #expect(report.count(.warning) == 1)
    }

    @Test func `One is not several`() {
        let report = FindingReport(pages: [.init(path: "/a", findings: [make(.error, steps: [], pointer: "")])])
        #expect(report.description.hasSuffix("\n\n1 page, 1 with findings: 1 error, 0 warnings"))
    }
}
