import Backlot

/// A rule about pages.
protocol PageRule: Sendable {
    /// Adds what is to be said about a page.
    func check(_ page: CheckedPage, _ remarks: inout Remarks)
}

/// What rules have to say about a page.
struct Remarks {
    let page: String
    private(set) var findings: [Finding] = []

    init(page: String) { self.page = page }

    /// Something that clients reject, or that can't work.
    mutating func error(_ rule: String, _ node: WireNode, _ key: String = "", _ message: String, fix: String) {
        add(.error, rule, node, key, message, fix)
    }

    /// Something that works otherwise than it was meant to.
    mutating func warning(_ rule: String, _ node: WireNode, _ key: String = "", _ message: String, fix: String) {
        add(.warning, rule, node, key, message, fix)
    }

    private mutating func add(
        _ severity: Finding.Severity,
        _ rule: String,
        _ node: WireNode,
        _ key: String,
        _ message: String,
        _ fix: String
    ) {
        let pointer = key.isEmpty ? node.pointer : "\(node.pointer)/\(key)"
        let path = FindingPath(page: page, steps: node.steps, pointer: pointer)
        findings.append(
            Finding(severity, rule: rule, path: path, message: message, fix: fix, isRejection: false)
        )
    }
}
