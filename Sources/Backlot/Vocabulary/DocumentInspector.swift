/// Judges the documents of one protocol, whoever made them: by its vocabulary, and by rules for what no vocabulary can say.
package struct DocumentInspector<Facts: Sendable>: Sendable {
    package typealias Rule = @Sendable (CheckedDocument<Facts>, inout Remarks) -> Void

    package let vocabulary: Vocabulary
    private let rules: [Rule]

    package init(_ vocabulary: Vocabulary, rules: [Rule]) {
        self.vocabulary = vocabulary
        self.rules = rules
    }

    /// What is wrong with a document, in its order; empty when all is well.
    ///
    /// - Parameters:
    ///   - document: the whole document.
    ///   - root: the kind of its outermost object.
    ///   - name: what the document is called in findings, such as its path.
    ///   - audience: the clients that it is for.
    ///   - facts: what is known about the app around it.
    ///   - lines: where its parts stand in a file; nil for a document that came from none.
    package func findings(
        in document: JSONValue,
        as root: Kind,
        name: String,
        for audience: Audience,
        facts: Facts,
        lines: SourceLines? = nil
    ) -> [Finding] {
        var reader = DocumentReader(vocabulary, for: audience)
        reader.read(document, as: root)
        var remarks = reader.remarks
        if !reader.tree.nodes.isEmpty {
            let checked = CheckedDocument(tree: reader.tree, name: name, audience: audience, facts: facts)
            for rule in rules { rule(checked, &remarks) }
        }
        return remarks.findings(in: reader.tree, name: name, lines: lines)
    }

    /// The tree of a document, also of one that clients refuse.
    package func tree(of document: JSONValue, as root: Kind, for audience: Audience) -> DocumentTree {
        var reader = DocumentReader(vocabulary, for: audience)
        reader.read(document, as: root)
        return reader.tree
    }
}

/// A document that rules look at, and what is known about the app around it.
package struct CheckedDocument<Facts: Sendable>: Sendable {
    package let tree: DocumentTree
    /// What the document is called in findings, such as its path.
    package let name: String
    package let audience: Audience
    package let facts: Facts

    /// The document itself.
    package var root: DocumentNode { tree.nodes[0] }
}

/// What rules have to say about a document. A remark is about an object, about what stands under one of its keys, or about
/// something inside of that: `remarks.error("rule", at: node, "langs", "0", "en", …)`.
package struct Remarks: Sendable {
    private var remarks: [(node: Int?, finding: Finding)] = []

    package init() {}

    /// Something for which clients refuse the whole document.
    package mutating func rejection(
        _ rule: String,
        at node: DocumentNode,
        _ steps: String...,
        message: String,
        fix: String
    ) {
        add(.error, isRejection: true, rule, node, steps, message, fix)
    }

    /// Something that crashes clients, or makes them show an error later on.
    package mutating func error(
        _ rule: String,
        at node: DocumentNode,
        _ steps: String...,
        message: String,
        fix: String
    ) {
        add(.error, isRejection: false, rule, node, steps, message, fix)
    }

    /// Something that works, but not as it was meant to, or not with every client.
    package mutating func warning(
        _ rule: String,
        at node: DocumentNode,
        _ steps: String...,
        message: String,
        fix: String
    ) {
        add(.warning, isRejection: false, rule, node, steps, message, fix)
    }

    private mutating func add(
        _ severity: Finding.Severity,
        isRejection: Bool,
        _ rule: String,
        _ node: DocumentNode,
        _ steps: [String],
        _ message: String,
        _ fix: String
    ) {
        // All that an object which is written as a text holds is at one place.
        let path = FindingPath(page: "", pointer: node.text == nil ? steps.map(JSONPointer.step).joined() : "")
        add(Finding(severity, rule: rule, path: path, message: message, fix: fix, isRejection: isRejection), at: node)
    }

    /// Adds a finding, whose path begins at a node; nil for a document that is no object.
    mutating func add(_ finding: Finding, at node: DocumentNode?) { remarks.append((node?.index, finding)) }

    /// The remarks as findings, in the order of the document.
    package func findings(in tree: DocumentTree, name: String, lines: SourceLines? = nil) -> [Finding] {
        // `sorted` doesn't promise to be stable; the offset keeps remarks about one node in the order of the rules.
        remarks.enumerated()
            .sorted { ($0.element.node ?? -1, $0.offset) < ($1.element.node ?? -1, $1.offset) }
            .map { remark in
                let node = remark.element.node
                var finding = remark.element.finding
                let pointer = finding.path.pointer
                finding.path =
                    node.map { tree.path(to: tree.nodes[$0], pointer, page: name) } ?? FindingPath(page: name)
                finding.path.line = lines?.line(finding.path.pointer)
                return finding
            }
    }
}

/// Finds the line of a file on which a part of a document stands.
package struct SourceLines: Sendable {
    /// The line, from 1, of the part that a JSON pointer leads to.
    package let line: @Sendable (_ pointer: String) -> Int?

    package init(_ line: @escaping @Sendable (_ pointer: String) -> Int?) { self.line = line }

    /// The lines of a text that is JSON.
    package init(ofJSON text: [UInt8]) { self.init { JSONPlaces(text).line(of: $0) } }
}
