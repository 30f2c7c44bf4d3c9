internal import Backlot
internal import BacklotMocks
internal import HTTPTypes

/// Which class a difference is of, and what to do about it.
enum DiffRules {
    /// Clients, or pages that they have kept, stop working.
    private static let breaking: Set<String> = [
        "variable-removed", "variable-changed", "variable-required", "no-page", "not-json", "return-code-changed",
        "body-removed",
    ]
    /// Users don't see it.
    private static let neutral: Set<String> = [
        "header-removed", "cache-control-changed", "cookie-added", "cookie-changed",
    ]

    /// The class of a difference in an answer.
    ///
    /// - Parameter isPlainJSON: whether it is in JSON that no vocabulary knows, whose readers may need every key.
    static func classOf(_ change: DriftChange, isPlainJSON: Bool) -> DiffClass {
        if change.isWithoutEffect { return .neutral }
        if breaking.contains(change.rule) { return .breaking }
        if neutral.contains(change.rule) { return .neutral }
        if change.rule == "cookie-removed" {
            return RecordedSession.isSession(change.was ?? "") ? .breaking : .neutral
        }
        if isPlainJSON {
            switch change.rule {
            case "key-removed", "type-changed": return .breaking
            case "key-added": return .neutral
            default: return .visible
            }
        }
        return .visible
    }

    /// The class of another status.
    static func classOf(status was: HTTPResponse.Status, _ now: HTTPResponse.Status) -> DiffClass {
        was.kind == .successful && now.kind != .successful ? .breaking : .visible
    }

    /// What to do about it, as a sentence.
    static func fix(_ kind: DiffClass, _ rule: String) -> String {
        switch (kind, rule) {
        case (.breaking, "page-gone"), (.breaking, "route-gone"):
            "Answer there for as long as clients may keep pages that lead there, or redirect."
        case (.breaking, "variable-removed"), (.breaking, "variable-changed"):
            "Keep the variable, or let everything that reads it do without."
        case (.breaking, "variable-required"), (.breaking, "status-changed"):
            "Accept what clients send from the pages that they have kept."
        case (.breaking, "version-refused"), (.breaking, "version-sends-nothing"):
            "Leave out what these clients don't know, or tell their users to update first."
        case (.breaking, "protocol-changed"):
            "Compare two deployments of the same app."
        case (.breaking, _): "Mend it before this is released."
        case (.visible, _): "Make sure that it is meant."
        case (.neutral, _): "There is nothing to do."
        }
    }
}
