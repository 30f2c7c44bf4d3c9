import Backlot
import BacklotJSON

/// Compares documents of mocks with what their kinds have, and keeps what is noted while they are read.
package struct MockReader {
    /// What becomes of unknown keys.
    package enum UnknownKeys {
        /// They are errors.
        case refused
        /// They are ignored with a warning, as in files that were written for WireMock, but for those of conditions: a stub
        /// without one would answer more than it should.
        case passedOver
    }

    private let unknownKeys: UnknownKeys
    /// The protocol of pages; nil where no pages can stand.
    var pages: PageFormat?
    /// Reads a file that an answer names; nil where stubs can't name files.
    var bodyFile: ((LocatedValue) throws(StubProblem) -> [UInt8])?
    /// All that doesn't do what its author may expect.
    private(set) var warnings: [StubProblem] = []

    package init(_ unknownKeys: UnknownKeys) {
        self.unknownKeys = unknownKeys
    }

    /// Whether it reads a document in WireMock's form.
    var isForeign: Bool { unknownKeys == .passedOver }

    /// Notes something that doesn't do what its author may expect.
    mutating func warn(_ problem: StubProblem) { warnings.append(problem) }

    /// Refuses what the kind of a role doesn't have, but for keys that are passed over.
    mutating func check(_ value: LocatedValue, as role: Role) throws(StubProblem) {
        if let first = problems(in: value, as: role).first { throw first }
    }

    /// What a value has that the kind of a role has not; keys that are passed over become warnings.
    mutating func problems(in located: LocatedValue, as role: Role) -> [StubProblem] {
        let vocabulary = MockVocabulary.all
        guard let kind = vocabulary.kinds(as: role).first else { return [] }
        var reader = DocumentReader(vocabulary, for: vocabulary.audiences[0])
        let isForeign = isForeign
        // A stub without conditions would answer everything: they may be under a misspelt key.
        let isUnconditional = located["request"] == nil
        reader.refusesUnknownKeys = { role in
            !isForeign || MockVocabulary.conditions.contains(role) || role == .mapping && isUnconditional
        }
        reader.read(located.value, as: kind)
        var errors: [StubProblem] = []
        // A key that is missing is there, misspelt.
        var misspelt: Set<[StubProblem.Step]> = []
        for finding in reader.remarks.findings(in: reader.tree, name: "") {
            let steps = located.value.steps(of: finding.path.pointer)
            let isAboutKey = finding.rule == "unknown-key"
            // WireMock's clients send what they leave out as null.
            if isForeign, isAboutKey, located.value.value(at: steps)?.isNull == true { continue }
            let text = "\(finding.message) \(finding.fix)"
            let problem = StubProblem(text, at: located.path + steps, isAboutKey: isAboutKey)
            guard finding.severity == .error else {
                warn(problem)
                continue
            }
            errors.append(problem)
            if isAboutKey { misspelt.insert(Array(problem.path.dropLast())) }
        }
        return errors.filter { $0.isAboutKey || !misspelt.contains($0.path) }
    }

    /// Refuses keys beside some.
    package func refuse(_ value: LocatedValue, but keys: [String]) throws(StubProblem) {
        for (key, member) in try value.members() where !keys.contains(key) && !(isForeign && member.value.isNull) {
            let text = "there is no key '\(key)'\(Suggestion.hint(for: key, among: keys))"
            throw member.keyProblem("\(text); the keys here are \(keys.joined(separator: ", "))")
        }
    }
}
