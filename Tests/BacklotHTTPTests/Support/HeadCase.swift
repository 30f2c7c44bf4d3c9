import Testing

@testable import BacklotHTTP

/// A head and what the parser must say of it; named in reports by its bytes.
struct HeadCase<Expected: Sendable>: Sendable, CustomTestStringConvertible {
    let head: [UInt8]
    let expected: Expected
    var testDescription: String { spelled(head.prefix(160)).debugDescription }
}

extension HeadCase where Expected == HeadSummary {
    /// A head that is accepted; `expect` says how its summary differs from that of `GET / HTTP/1.1` with a Host.
    static func accepted(_ head: [UInt8], _ expect: (inout HeadSummary) -> Void = { _ in }) -> HeadCase {
        var summary = HeadSummary()
        summary.length = head.count
        expect(&summary)
        return HeadCase(head: head, expected: summary)
    }
}

extension HeadCase where Expected == Int {
    /// A head that is refused with a status.
    static func refused(_ head: [UInt8], _ status: Int = 400) -> HeadCase {
        HeadCase(head: head, expected: status)
    }
}

/// Checks that no cut changes the verdict: at every byte, and at all of them.
func expectSameVerdictWhenCut(
    _ head: [UInt8],
    limits: ServerConfiguration.Limits = .init(),
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let whole = HeadVerdict(head, limits: limits)
    let bytewise = HeadVerdict(head, cuts: 0...head.count, limits: limits)
    #expect(bytewise == whole, "one byte at a time", sourceLocation: sourceLocation)
    for cut in 0...head.count where HeadVerdict(head, cuts: CollectionOfOne(cut), limits: limits) != whole {
        Issue.record("another verdict when cut at byte \(cut)", sourceLocation: sourceLocation)
    }
}
