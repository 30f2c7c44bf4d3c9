public import Backlot

/// A step that can't be done with what is on the screen. It has not touched the app.
public struct StepError: Error, Equatable, CustomStringConvertible {
    /// The step, as the test has it: `tap("Create")`.
    public let step: String
    /// Why it can't be done, and what was perhaps meant: `no button "Create"; there is "Create Account"`.
    public let problem: String
    /// What was on the screen, drawn as a tree.
    public let screen: String
    /// The file and line of the step.
    public let place: String

    /// The step, why it can't be done, and what was on the screen.
    public var description: String {
        "\(step): \(problem) (\(place))\non the screen:\n\(screen.firstLines(200).indented())"
    }
}

/// The backend made mistakes while a step was done. The step was done all the same, as far as a real client would get.
public struct BackendError: Error, Equatable, CustomStringConvertible {
    /// The step, as the test has it: `tap("Create Account")`.
    public let step: String
    /// What is wrong with the backend's answers.
    public let findings: [Finding]
    /// What was on the screen after it, drawn as a tree.
    public let screen: String
    /// The file and line of the step.
    public let place: String

    package init(step: String, findings: [Finding], screen: String = "", place: String = "") {
        (self.step, self.findings, self.screen, self.place) = (step, findings, screen, place)
    }

    /// The step, what was found, and what was on the screen.
    public var description: String {
        let list = findings.prefix(20).map(\.details).joined(separator: "\n")
        let rest = findings.count > 20 ? "\n… and \(findings.count - 20) more" : ""
        let count = findings.count == 1 ? "a mistake" : "\(findings.count) mistakes"
        return """
            \(step): the backend made \(count) (\(place))
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
    /// At most so many characters, and an ellipsis where there were more.
    package func cut(to limit: Int) -> String { count > limit ? prefix(limit) + "…" : self }

    /// The lines, each behind some blanks.
    package func indented(by blanks: Int = 2) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : String(repeating: " ", count: blanks) + $0 }
            .joined(separator: "\n")
    }
}
