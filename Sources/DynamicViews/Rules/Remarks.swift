import Backlot

/// A rule about documents.
protocol DocumentRule: Sendable {
    /// Adds what is to be said about a document.
    func check(_ document: CheckedDocument, _ remarks: inout Remarks)
}

/// What rules have to say about a document.
struct Remarks {
    let name: String
    private(set) var findings: [Finding] = []

    init(name: String) { self.name = name }

    /// Something for which clients refuse the document, or that can't work.
    mutating func error(_ rule: String, _ node: WireNode, _ key: String, _ message: String, fix: String) {
        add(.error, rule, node, key, message, fix)
    }

    /// Something that clients ignore, or that looks otherwise than it was meant to.
    mutating func warning(_ rule: String, _ node: WireNode, _ key: String, _ message: String, fix: String) {
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
        let path = FindingPath(page: name, steps: node.steps, pointer: pointer)
        findings.append(Finding(severity, rule: rule, path: path, message: message, fix: fix))
    }
}
