import Backlot
import BacklotJSON

/// How strictly stubs are read, and what was ignored.
package struct StubReading {
    /// What becomes of unknown keys.
    package enum UnknownKeys {
        /// They are mistakes.
        case refused
        /// They are ignored with a warning, as in files that were written for WireMock.
        case passedOver
    }

    /// How texts with tags are read.
    enum Tags {
        /// They are texts.
        case none
        /// Ours: Handlebars and Mustache.
        case mustache
        /// WireMock's Handlebars.
        case handlebars
    }

    let unknownKeys: UnknownKeys
    var tags = Tags.none
    /// The protocol of pages; nil where no pages can stand.
    var pages: PageFormat?
    /// Reads a file that an answer names; nil where stubs can't name files.
    var bodyFile: ((Field) throws(StubProblem) -> [UInt8])?
    /// Keys that were ignored, and all else that doesn't do what its author may expect.
    private(set) var warnings: [StubProblem] = []

    package init(_ unknownKeys: UnknownKeys) {
        self.unknownKeys = unknownKeys
    }

    /// Notes something that doesn't do what its author may expect.
    mutating func warn(_ problem: StubProblem) {
        warnings.append(problem)
    }

    /// Whether it is a document in WireMock's form.
    var isForeign: Bool { unknownKeys == .passedOver }

    /// Refuses unknown keys: those of a condition, without which a stub would answer more than it should.
    package func refuse(_ field: Field, but keys: [String]) throws(StubProblem) {
        for (key, member) in try field.members() where !keys.contains(key) {
            // WireMock's clients send what they leave out as null.
            if isForeign, member.value.isNull { continue }
            throw Self.unknown(key, member, keys)
        }
    }

    private static func unknown(_ key: String, _ member: Field, _ keys: [String]) -> StubProblem {
        let text = "there is no key '\(key)'\(Suggestion.hint(for: key, among: keys))"
        return StubProblem(
            "\(text); the keys here are \(keys.joined(separator: ", "))",
            at: member.path,
            isAboutKey: true
        )
    }

    /// Refuses unknown keys, or warns of them.
    ///
    /// - Parameter ignored: keys that are known to say nothing to a server.
    mutating func check(_ field: Field, knows keys: [String], ignored: [String] = []) throws(StubProblem) {
        for (key, member) in try field.members() where !keys.contains(key) && !ignored.contains(key) {
            switch unknownKeys {
            case .refused: throw Self.unknown(key, member, keys)
            case .passedOver:
                let text = "there is no key '\(key)'\(Suggestion.hint(for: key, among: keys)); it is ignored"
                warn(StubProblem(text, at: member.path, isAboutKey: true))
            }
        }
    }
}

/// Why a stub, or a part of one, can't be read: where in it, what was expected and what to write.
public struct StubProblem: Error, Hashable, Sendable {
    /// One step from a value to a part of it.
    public enum Step: Hashable, Sendable {
        /// To a member of an object.
        case key(String)
        /// To an element of an array.
        case index(Int)
    }

    /// The way to the part.
    public var path: [Step]
    /// Whether the key at the end of the way is meant, and not its value.
    public var isAboutKey: Bool
    /// What is wrong, and what to write instead.
    public var text: String
    /// How many tags begin before the one that is meant in the text; nil for problems of other kinds.
    var tag: Int?

    /// A problem.
    public init(_ text: String, at path: [Step], isAboutKey: Bool = false) {
        self.text = text
        self.path = path
        self.isAboutKey = isAboutKey
    }
}

extension StubProblem: CustomStringConvertible {
    /// The place and the problem: `request.headers.Accept: write …`.
    public var description: String {
        path.isEmpty ? text : "\(place): \(text)"
    }

    /// The way to the part, as people write it: `response.headers`, `bodyPatterns[0]`.
    public var place: String {
        path.reduce(into: "") { place, step in
            switch step {
            case .key(let key): place += place.isEmpty ? key : ".\(key)"
            case .index(let index): place += "[\(index)]"
            }
        }
    }
}

extension StubProblem.Step {
    /// The step as a JSON pointer has it, without escapes.
    var pointerStep: String {
        switch self {
        case .key(let key): key
        case .index(let index): "\(index)"
        }
    }
}
