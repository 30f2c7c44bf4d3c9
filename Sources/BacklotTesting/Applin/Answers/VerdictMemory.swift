/// What was made of the last answer for each page, so that the same bytes aren't read and judged again. A value without I/O.
///
/// It is bounded: where there is no room for another page, it begins anew.
struct VerdictMemory {
    private static let maximumCount = 100
    /// A page takes many times as much memory as its bytes do.
    private static let maximumBytes = 4 * 1024 * 1024

    private var verdicts: [String: (body: [UInt8], verdict: AnswerJudge.Verdict)] = [:]
    private var bytes = 0

    /// How many pages are remembered.
    var count: Int { verdicts.count }

    /// The verdict on an answer for a page; nil where its last answer was another.
    subscript(path: String, body: [UInt8]) -> AnswerJudge.Verdict? {
        guard let known = verdicts[path], known.body == body else { return nil }
        return known.verdict
    }

    /// Remembers the verdict on an answer for a page, in the place of what was remembered for that page.
    mutating func remember(_ verdict: AnswerJudge.Verdict, of body: [UInt8], at path: String) {
        if let old = verdicts.removeValue(forKey: path) { bytes -= old.body.count }
        guard body.count <= Self.maximumBytes else { return }
        if verdicts.count >= Self.maximumCount || bytes + body.count > Self.maximumBytes {
            (verdicts, bytes) = ([:], 0)
        }
        verdicts[path] = (body, verdict)
        bytes += body.count
    }
}
