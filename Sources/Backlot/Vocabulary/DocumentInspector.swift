/// Checks the documents of one protocol by its vocabulary, and by rules for the faults that a vocabulary can't describe.
package struct DocumentInspector<Facts: Sendable>: Sendable {
    package typealias Rule = @Sendable (CheckedDocument<Facts>, inout Remarks) -> Void

    package let vocabulary: Vocabulary
    private let rules: [Rule]

    package init(_ vocabulary: Vocabulary, rules: [Rule]) {
        self.vocabulary = vocabulary
        self.rules = rules
    }

    /// The findings of a document, in its order; empty for a correct one.
    ///
    /// - Parameters:
    ///   - document: the whole document.
    ///   - root: the kind of its outermost object.
    ///   - name: the document's name in findings, such as its path.
    ///   - audience: the clients that must support it.
    ///   - facts: the known facts about its app.
    ///   - lines: the lines of its parts in a file; nil for a document without a file.
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

    /// The tree of a document, even of one that clients refuse.
    package func tree(of document: JSONValue, as root: Kind, for audience: Audience) -> DocumentTree {
        var reader = DocumentReader(vocabulary, for: audience)
        reader.read(document, as: root)
        return reader.tree
    }
}

/// A document for rules to check, with the known facts about its app.
package struct CheckedDocument<Facts: Sendable>: Sendable {
    package let tree: DocumentTree
    /// The document's name in findings, such as its path.
    package let name: String
    package let audience: Audience
    package let facts: Facts

    /// The document itself.
    package var root: DocumentNode { tree.nodes[0] }
}

/// The findings of rules about a document. A remark is about an object, about the value of one of its keys, or about a part of that
/// value: `remarks.error("rule", at: node, "langs", "0", "en", …)`.
package struct Remarks: Sendable {
    private var remarks: [(node: Int?, finding: Finding)] = []

    package init() {}

    /// A fault that makes clients refuse the whole document.
    package mutating func rejection(
        _ rule: String,
        at node: DocumentNode,
        _ steps: String...,
        message: String,
        fix: String
    ) {
        add(.error, isRejection: true, rule, node, steps, message, fix)
    }

    /// A fault that crashes clients, or makes them show an error later on.
    package mutating func error(
        _ rule: String,
        at node: DocumentNode,
        _ steps: String...,
        message: String,
        fix: String
    ) {
        add(.error, isRejection: false, rule, node, steps, message, fix)
    }

    /// A part that works, but not as intended or not with every client.
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
        // An object written as a text has a single location for all of its contents.
        let path = FindingPath(page: "", pointer: node.text == nil ? steps.map(JSONPointer.step).joined() : "")
        add(Finding(severity, rule: rule, path: path, message: message, fix: fix, isRejection: isRejection), at: node)
    }

    /// Adds a finding with a path that begins at a node; nil if the document isn't an object.
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

/// Finds the line of a part of a document in its file.
package struct SourceLines: Sendable {
    /// The line, from 1, of the part at a JSON pointer.
    package let line: @Sendable (_ pointer: String) -> Int?

    package init(_ line: @escaping @Sendable (_ pointer: String) -> Int?) { self.line = line }

    /// The lines of a JSON text.
    package init(ofJSON text: [UInt8]) { self.init { JSONPlaces(text).line(of: $0) } }
}
