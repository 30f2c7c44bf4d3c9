internal import Backlot

/// Puts the rules that a second document breaks, and a first doesn't, to the differences between the two: a difference that breaks a
/// rule is explained by it.
struct BrokenRules {
    private(set) var differences: [Difference]
    /// The rules that clients refuse the document for.
    private(set) var refusals: Set<String> = []
    /// How many rules aren't listed.
    private(set) var notListed = 0
    private let terms: ComparisonTerms

    init(_ terms: ComparisonTerms, in differences: [Difference]) {
        (self.terms, self.differences) = (terms, differences)
    }

    /// The first difference that is at a place, around it or just below it.
    private func index(near pointer: String) -> Int? {
        differences.firstIndex { difference in
            guard difference.isOfDocument, difference.rule != "widget-moved" else { return false }
            let own = difference.pointer
            guard !own.isEmpty, !pointer.isEmpty else { return false }
            return own == pointer || pointer.hasPrefix(own + "/") || VolatilePlaces.parent(of: own) == pointer
        }
    }

    /// Adds what the second document breaks.
    ///
    /// - Parameters:
    ///   - known: how often the first breaks each rule.
    ///   - lasting: how often the second broke each rule another time; nil where it wasn't asked again.
    mutating func add(_ findings: [Finding], known: Counts<String>, lasting: Counts<String>? = nil) {
        var (known, lasting) = (known, lasting)
        let isOfDeployments = terms.depth == .all
        var listed: [Difference.Kind: Int] = [:]
        for finding in findings where !known.take(finding.rule) {
            if lasting != nil, lasting?.take(finding.rule) != true { continue }
            if finding.isRejection { refusals.insert(finding.rule) }
            let kind: Difference.Kind = finding.severity == .error ? .breaking : .visible
            listed[kind, default: 0] += 1
            guard !isOfDeployments || listed[kind, default: 0] <= FoundDifferences.mostPerPage else {
                notListed += 1
                continue
            }
            let reason = isOfDeployments ? "\(finding.message) \(finding.fix)" : finding.message
            if let index = index(near: finding.path.pointer) {
                // What clients pass over is no worse for a warning.
                let known = differences[index].kind
                let isHarmless = known == .neutral && kind != .breaking
                differences[index].explain(reason, isHarmless ? .neutral : max(known, kind))
                continue
            }
            let sides = isOfDeployments ? ("B's page", "A's") : ("The backend's answer", "the mock's")
            let message = "\(sides.0) breaks a rule that \(sides.1) follows: \(reason)"
            var difference = Difference(finding.rule, kind, at: finding.path, name: "", message)
            difference.isOfDocument = !isOfDeployments
            differences.append(difference)
        }
    }
}
