import Backlot
import BacklotJSON

/// Makes a tree of a document and compares each node with what its kind accepts.
///
/// It keeps the values that it has yet to look at in an array, so that deep pages cost no stack, and looks at each once.
struct PageTreeWalk {
    let dialect: Dialect
    private(set) var tree = PageTree()
    private(set) var remarks: [Remark] = []
    private var pending: [PageSlot] = []
    /// What was suggested for keys that no client reads: pages tend to repeat their mistakes.
    var suggestedKeys: [String: String?] = [:]

    init(dialect: Dialect) {
        self.dialect = dialect
    }

    mutating func walk(_ document: JSONValue) {
        guard let page = document["page"], page.object != nil else {
            reportNoPage(document)
            return
        }
        pending = [PageSlot(kind: .page, value: page, parent: nil, key: "page", pointer: "/page")]
        while let slot = pending.popLast() {
            visit(slot)
        }
        for key in document.object?.keys ?? [] where key != "page" {
            report(
                .warning,
                SchemaRule.unknownKey,
                at: nil,
                key.pointerStep,
                "Clients read only \"page\" of an answer and ignore \(key.quoted).",
                fix: "Remove \(key.quoted), or move it into the page."
            )
        }
    }

    private mutating func visit(_ slot: PageSlot) {
        let node = PageNode(slot)
        let index = tree.append(node)
        if let list = slot.actionList {
            tree.actionLists[list].append(index)
        }
        checkKind(of: node, index)
        guard let schema = node.schema else { return }
        if node.kind == .action {
            checkForm(of: node, schema, index)
        }
        if node.text != nil { return }  // all that it holds is what stands after the colon
        checkPresence(of: schema.keys, in: node, index)
        var slots: [PageSlot] = []
        for member in node.object.members where node.kind == .modalButton || member.key != "typ" {
            guard let key = schema.key(member.key) else {
                reportUnknownKey(member.key, of: node, schema, index)
                continue
            }
            if member.value.isNull { continue }
            checkDialect(of: key, in: node, index)
            check(member.value, key, index, &slots)
        }
        PageSlot.nameSiblings(&slots)
        pending.append(contentsOf: slots.reversed())
    }

    /// Begins a list of actions and returns its index.
    mutating func addActionList() -> Int {
        tree.actionLists.append([])
        return tree.actionLists.count - 1
    }

    mutating func report(
        _ severity: Finding.Severity,
        _ rule: String,
        at node: Int?,
        _ pointer: String,
        _ message: String,
        fix: String
    ) {
        remarks.append(
            Remark(severity: severity, rule: rule, node: node, pointer: pointer, message: message, fix: fix)
        )
    }

    mutating func report(
        _ severity: Finding.Severity,
        _ rule: String,
        at node: Int?,
        _ message: String,
        fix: String
    ) {
        report(severity, rule, at: node, "", message, fix: fix)
    }

    private mutating func reportNoPage(_ document: JSONValue) {
        let problem =
            switch (document.object, document["page"]) {
            case (nil, _): "this document is \(document.summary)"
            case (_, nil): "this one has no \"page\""
            case (_, let page?): "the \"page\" of this one is \(page.summary)"
            }
        report(
            .error,
            SchemaRule.notAPage,
            at: nil,
            "Clients read an object with a page under \"page\", but \(problem).",
            fix: "Answer {\"page\":{\"typ\":\"nav_page\",…}}."
        )
    }
}
