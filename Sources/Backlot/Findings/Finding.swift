package import BacklotJSON

/// A rule's report about a page: the place, the problem, and the cure.
public struct Finding: Equatable, Sendable {
    /// The severity of a finding.
    public enum Severity: String, Sendable, CaseIterable {
        /// A client rejects the page, crashes, or shows an error.
        case error
        /// The page works, but not as intended, or not with every client.
        case warning
        /// Users don't see the fault.
        case note
    }

    /// The severity.
    public let severity: Severity
    /// The rule's name, which stays the same from version to version: `duplicate-var-name`.
    public let rule: String
    /// The page, and the position on it.
    public internal(set) var path: FindingPath
    /// The problem, as a sentence.
    public internal(set) var message: String
    /// The solution, as a sentence.
    public let fix: String
    /// Whether clients refuse the whole page because of the fault. Other errors appear when the page is used, or only in some
    /// clients.
    public let isRejection: Bool

    /// Creates a finding. `message` and `fix` are complete sentences, each on one line. By default, every error is a rejection.
    public init(
        _ severity: Severity,
        rule: String,
        path: FindingPath,
        message: String,
        fix: String,
        isRejection: Bool? = nil
    ) {
        self.severity = severity
        self.rule = rule
        self.path = path
        self.message = message
        self.fix = fix
        self.isRejection = isRejection ?? (severity == .error)
    }
}

extension Finding {
    /// The same finding about a part of a larger document.
    ///
    /// - Parameter pointer: the part's JSON Pointer in that document.
    package func moved(below pointer: String) -> Finding {
        var finding = self
        finding.path.pointer = pointer + path.pointer
        return finding
    }
}

extension Finding {
    /// Whether the finding is only about a tag that isn't filled in yet: a text with `{{…}}`, or null for a tag alone.
    /// A text with tags remains a text: a wrong type is wrong in any case.
    ///
    /// - Parameter document: the inspected document. Its texts hold the tags themselves.
    package func isAboutTag(in document: JSONValue) -> Bool {
        let part = JSONPointer.steps(of: path.pointer).reduce(Optional(document)) { part, step in
            part?[step] ?? Int(step).flatMap { part?[$0] }
        }
        return switch part {
        case .string(let text): rule != "wrong-type" && text.contains("{{")
        case .null: true
        case .object(let object):
            object.members.contains { $0.value.isNull && message.contains("\"\($0.key)\"") }
        default: false
        }
    }
}

extension Finding: CustomStringConvertible {
    /// The whole finding on one line, without the JSON Pointer.
    public var description: String { "\(severity): \(path): \(message) \(fix) [\(rule)]" }

    /// The whole finding, on four lines.
    public var details: String {
        (["\(severity): \(path)"] + explanation.map { "  \($0)" }).joined(separator: "\n")
    }

    /// The lines of a report below the line with the position.
    var explanation: [String] {
        let pointer = path.pointer.isEmpty ? "" : " at \(path.pointer)"
        let line = path.line.map { ", line \($0)" } ?? ""
        return [message, "Fix: \(fix)", "[\(rule)]\(pointer)\(line)"]
    }
}

/// A position on a page, for people (`/new_account › scroll › form › textfield "username"`) and for programs (a JSON pointer).
public struct FindingPath: Hashable, Sendable, CustomStringConvertible {
    /// The page's path below the app's base URL, such as `/new_account`.
    public let page: String
    /// The path from the page down to the position: the kind of each part, with its name in quotes if it has one. If neighbours
    /// look the same, a number follows (`text "Hello" #2`). Empty for the page itself.
    public let steps: [String]
    /// The location in the JSON document, such as `/page/widget/widgets/0` (RFC 6901). Empty for the whole document.
    public internal(set) var pointer: String
    /// The line of the file, from 1; nil for a page without a file.
    public internal(set) var line: Int?

    /// Creates a position on a page.
    public init(page: String, steps: [String] = [], pointer: String = "", line: Int? = nil) {
        self.page = page
        self.steps = steps
        self.pointer = pointer
        self.line = line
    }

    /// The page and the steps, joined by `›`.
    public var description: String { ([page] + steps).joined(separator: " › ") }
}

extension FindingReport: CustomStringConvertible {
    /// The report, without a line break at its end. Pages without findings are only counted.
    public var description: String { text(counting: ("page", "pages")) }

    /// A report about things other than pages, with their nouns in singular and plural.
    package func text(
        counting nouns: (one: String, several: String),
        calling name: (Finding.Severity) -> String = { $0.rawValue }
    ) -> String {
        let found = pages.filter { !$0.findings.isEmpty }
        let checked = "\(pages.count) \(pages.count == 1 ? nouns.one : nouns.several)"
        guard !found.isEmpty else { return "\(checked): \(pages.isEmpty ? "nothing to check" : "no findings")" }
        // Most reports have no notes.
        let severities = Finding.Severity.allCases.filter { $0 != .note || count($0) > 0 }
        let counts = severities.map { severity in
            let count = count(severity)
            // Severities that are adjectives have no plural.
            return "\(count) \(name(severity))\(count == 1 || name(severity) != severity.rawValue ? "" : "s")"
        }
        let summary = "\(checked), \(found.count) with findings: \(counts.joined(separator: ", "))"
        return (found.map { $0.text(nouns.one, calling: name) } + [summary]).joined(separator: "\n\n")
    }
}

extension FindingReport.Page {
    /// The path, followed by the findings.
    fileprivate func text(_ noun: String, calling name: (Finding.Severity) -> String) -> String {
        let lines = findings.flatMap { finding in
            let steps = finding.path.steps.isEmpty ? "the \(noun)" : finding.path.steps.joined(separator: " › ")
            return ["  \(name(finding.severity)): \(steps)"] + finding.explanation.map { "    \($0)" }
        }
        return ([path] + lines).joined(separator: "\n")
    }
}

/// The outcome of checking a router's pages.
public struct CheckReport: Equatable, Sendable {
    /// A page that was not checked.
    public struct Unchecked: Equatable, Sendable {
        /// The page's path.
        public let path: String
        /// The reason why the page was not checked.
        public let reason: String

        package init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }
    }

    /// The requested pages with their findings.
    public package(set) var pages: [FindingReport.Page] = []
    /// The unchecked pages.
    public package(set) var unchecked: [Unchecked] = []

    package init() {}

    /// Whether a client would reject a page, crash or show an error.
    public var hasErrors: Bool { FindingReport(pages: pages).count(.error) > 0 }
}

extension CheckReport: CustomStringConvertible {
    /// The findings page by page, and the unchecked pages.
    public var description: String {
        let list = unchecked.map { "  \($0.path): \($0.reason)" }
        let rest = list.isEmpty ? "" : "\n\nnot checked:\n" + list.joined(separator: "\n")
        return FindingReport(pages: pages).description + rest
    }
}
