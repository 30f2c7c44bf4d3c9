package import Backlot

extension ApplinRules {
    /// The rules whose errors leave a page that clients can show: what is wrong comes out later, or in some clients only.
    /// Every other error makes a client reject the whole page.
    private static let usable: Set<String> = [
        "aspect-ratio-not-positive", "blank-button-text", "colliding-var-names", "dead-link", "dead-rpc", "dead-upload",
        "duplicate-var-name", "inputs-without-post", "link-without-slash", "misplaced-back-button",
        "page-path-without-slash", "push-of-itself", "two-cancel-buttons",
    ]

    /// Whether a client rejects the whole page for a finding.
    package static func isRejection(_ finding: Finding) -> Bool {
        finding.severity == .error && !usable.contains(finding.rule)
    }
}
