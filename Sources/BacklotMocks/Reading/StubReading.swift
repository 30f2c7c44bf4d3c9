import Backlot
import BacklotJSON

/// How strictly stubs are read, and what was passed over.
struct StubReading {
    /// What becomes of keys that nobody knows.
    enum UnknownKeys {
        /// They are mistakes.
        case refused
        /// They are passed over with a warning, as in files that were written for WireMock.
        case passedOver
    }

    /// How texts with tags are read.
    enum Tags {
        /// They are texts.
        case none
        /// Mustache.
        case mustache
        /// WireMock's Handlebars, of which plain paths are known.
        case handlebars
    }

    let unknownKeys: UnknownKeys
    var tags = Tags.none
    /// Reads a file that an answer names; nil where there are none.
    var bodyFile: ((Field) throws(StubProblem) -> [UInt8])?
    /// Keys that were passed over, and more.
    private var oddities: [StubProblem] = []
    /// Patterns that may take far too many steps.
    private(set) var risks: [StubProblem] = []

    /// All that doesn't do what its author may expect.
    var warnings: [StubProblem] { oddities + risks }

    init(_ unknownKeys: UnknownKeys) {
        self.unknownKeys = unknownKeys
    }

    /// Notes something that doesn't do what its author may expect.
    mutating func warn(_ problem: StubProblem) {
        oddities.append(problem)
    }

    /// Notes a pattern that may take far too many steps.
    mutating func warn(ofRisk problem: StubProblem) {
        risks.append(problem)
    }

    /// Looks for keys that nobody knows.
    ///
    /// - Parameter ignored: keys that are known to say nothing to a server.
    mutating func check(_ field: Field, knows keys: [String], ignored: [String] = []) throws(StubProblem) {
        for (key, member) in try field.members() where !keys.contains(key) && !ignored.contains(key) {
            let known = "the keys here are \(keys.joined(separator: ", "))"
            let text = "there is no key '\(key)'\(Suggestion.hint(for: key, among: keys))"
            let problem = StubProblem("\(text); \(known)", at: member.path, isAboutKey: true)
            switch unknownKeys {
            case .refused: throw problem
            case .passedOver: warn(StubProblem("\(text); it is passed over", at: member.path, isAboutKey: true))
            }
        }
    }
}
