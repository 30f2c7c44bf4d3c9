/// Each variable of a page belongs to one input: clients fail every POST from a page where one belongs to two.
struct DuplicateVarNames: PageRule {
    func remarks(on page: CheckedPage) -> [Remark] {
        var owners: [String: PageTree.Input] = [:]
        return page.tree.inputs.compactMap { input in
            guard let owner = owners[input.varName] else {
                owners[input.varName] = input
                return nil
            }
            let node = page.tree.nodes[input.node]
            let other =
                owner.node == input.node ? "its \"\(owner.key)\"" : page.tree.nodes[owner.node].name
            return .error(
                "duplicate-var-name",
                at: input.node,
                "/\(input.key)",
                message:
                    "The variable \(input.varName.quoted) already belongs to \(other), and clients fail every POST "
                    + "from a page with a variable twice.",
                fix: "Give this \(node.typ) a \"\(input.key)\" of its own, such as \("\(input.varName)_2".quoted)."
            )
        }
    }
}
