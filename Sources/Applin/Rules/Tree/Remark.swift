import Backlot

/// What a rule has to say, before it is known how to print the place.
struct Remark {
    let severity: Finding.Severity
    let rule: String
    /// The node that it is about: an index into the tree's nodes. Nil: the document, which has no page.
    let node: Int?
    /// The way from the node to the very value, as JSON pointer: `/var_name`.
    let pointer: String
    let message: String
    let fix: String
}

extension Remark {
    /// Something that makes a client reject the page, crash, or show an error.
    static func error(_ rule: String, at node: Int, _ pointer: String = "", message: String, fix: String) -> Remark {
        Remark(severity: .error, rule: rule, node: node, pointer: pointer, message: message, fix: fix)
    }

    /// Something that works, but not well.
    static func warning(_ rule: String, at node: Int, _ pointer: String = "", message: String, fix: String) -> Remark {
        Remark(severity: .warning, rule: rule, node: node, pointer: pointer, message: message, fix: fix)
    }

    /// The finding, with the place that the tree knows.
    func finding(in tree: PageTree, page: String) -> Finding {
        let path = FindingPath(
            page: page,
            steps: node.map(tree.steps) ?? [],
            pointer: (node.map(tree.pointer) ?? "") + pointer
        )
        return Finding(severity, rule: rule, path: path, message: message, fix: fix)
    }
}
