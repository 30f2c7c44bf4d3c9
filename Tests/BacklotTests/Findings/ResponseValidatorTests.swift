import Backlot
import Dispatch
import TestSupport
import Testing

/// The handling of responses that break rules.
@Suite(.timeLimit(.minutes(5))) struct ResponseValidatorTests {
    private static let finding = Finding(
        .error,
        rule: "dead-link",
        path: FindingPath(page: "/bad"),
        message: "There is no page /nowhere.",
        fix: "Write another path."
    )

    @Test func `Where a page goes out anyway, nobody waits until it is judged, and findings are logged`() throws {
        let log = LogRecorder()
        let validator = ResponseValidator(.log, of: "page", logger: log.logger)
        let goOn = DispatchSemaphore(value: 0)
        for _ in 0..<2 {
            let refusal = validator.refusal(
                of: try Request(.get, "/bad"),
                by: {
                    goOn.wait()
                    return [Self.finding]
                }
            )
            #expect(refusal == nil)
        }
        #expect(log.lines.isEmpty)
        goOn.signal()
        ResponseValidator.finish()
        #expect(log.lines.count == 1)
        #expect(log.lines.first?.hasPrefix("warning: /bad breaks rules that clients rely on:\n") == true)
        #expect(log.lines.first?.contains("dead-link") == true)
    }

    @Test func `Where it is refused, each response is judged before, and the first findings are logged`() throws {
        let log = LogRecorder()
        let validator = ResponseValidator(.response, of: "page", logger: log.logger)
        for _ in 0..<2 {
            let refusal = validator.refusal(of: try Request(.get, "/bad"), by: { [Self.finding] })
            #expect(refusal?.hasPrefix("This page breaks rules that clients rely on.\n\n") == true)
            #expect(log.lines.count == 1)
        }
        #expect(validator.refusal(of: try Request(.get, "/bad"), by: { [] }) == nil)
    }

    @Test func `Errors come first in the text of a refusal`() throws {
        let validator = ResponseValidator(.response, of: "page", logger: LogRecorder().logger)
        let warning = Finding(
            .warning,
            rule: "slow-page",
            path: FindingPath(page: "/bad"),
            message: "It is slow.",
            fix: ""
        )
        let refusal = try #require(validator.refusal(of: try Request(.get, "/bad"), by: { [warning, Self.finding] }))
        let (error, other) = (refusal.firstRange(of: "dead-link"), refusal.firstRange(of: "slow-page"))
        #expect(try #require(error).lowerBound < #require(other).lowerBound)
    }
}
