public import Backlot

/// An impossible step. It didn't change the app.
public struct StepError: Error, Equatable, CustomStringConvertible {
    /// The call in the test: `tap("Create")`.
    public let step: String
    /// The reason, with a suggestion if there is one: `no button "Create"; there is "Create Account"`.
    public let problem: String
    /// The screen, drawn as a tree.
    public let screen: String
    /// The file and line of the step.
    public let location: String

    /// The step, the reason, and the screen.
    public var description: String {
        "\(step): \(problem) (\(location))\non the screen:\n\(screen.firstLines(200).indented())"
    }
}

/// The error for a backend's mistakes during a step. The client still took the step as a real client would.
public struct BackendError: Error, Equatable, CustomStringConvertible {
    /// The call in the test: `tap("Create Account")`.
    public let step: String
    /// The findings about the backend's responses.
    public let findings: [Finding]
    /// The screen after the step, drawn as a tree.
    public let screen: String
    /// The file and line of the step.
    public let location: String

    package init(step: String, findings: [Finding], screen: String = "", location: String = "") {
        (self.step, self.findings, self.screen, self.location) = (step, findings, screen, location)
    }

    /// The step, the findings, and the screen.
    public var description: String {
        let list = findings.prefix(20).map(\.details).joined(separator: "\n")
        let rest = findings.count > 20 ? "\n… and \(findings.count - 20) more" : ""
        let count = findings.count == 1 ? "a mistake" : "\(findings.count) mistakes"
        return """
            \(step): the backend made \(count) (\(location))
            \((list + rest).indented())
            on the screen:
            \(screen.firstLines(200).indented())
            """
    }
}

extension String {
    fileprivate func firstLines(_ count: Int) -> String {
        let lines = split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > count else { return self }
        return lines.prefix(count).joined(separator: "\n") + "\n… and \(lines.count - count) more lines"
    }
}

extension String {
    /// The text, with an ellipsis in place of the characters beyond the limit.
    package func cut(to limit: Int) -> String { count > limit ? prefix(limit) + "…" : self }

    /// The text with each line indented.
    package func indented(by blanks: Int = 2) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : String(repeating: " ", count: blanks) + $0 }
            .joined(separator: "\n")
    }
}
