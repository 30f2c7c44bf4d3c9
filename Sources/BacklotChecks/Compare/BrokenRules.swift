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
    /// The first difference at a place, and the first just below it.
    private var at: [String: Int] = [:]
    private var below: [String: Int] = [:]

    init(_ terms: ComparisonTerms, in differences: [Difference]) {
        self.terms = terms
        self.differences = differences
        for (index, difference) in differences.enumerated() where difference.isOfDocument {
            if difference.rule != "widget-moved" { note(index) }
        }
    }

    private mutating func note(_ index: Int) {
        let pointer = differences[index].pointer
        guard !pointer.isEmpty else { return }
        if at[pointer] == nil { at[pointer] = index }
        let parent = VolatilePlaces.parent(of: pointer)
        if below[parent] == nil { below[parent] = index }
    }

    /// The first difference that is at a place, around it or just below it.
    private func index(near pointer: String) -> Int? {
        guard !pointer.isEmpty, !at.isEmpty else { return nil }
        var first = below[pointer]
        var around = pointer
        while !around.isEmpty {
            if let index = at[around] { first = min(first ?? index, index) }
            around = VolatilePlaces.parent(of: around)
        }
        return first
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
            differences.append(Difference(finding.rule, kind, at: finding.path, name: "", message))
            if !isOfDeployments { note(differences.count - 1) }
        }
    }
}
