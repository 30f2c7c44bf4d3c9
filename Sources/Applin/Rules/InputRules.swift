import Backlot

/// Rules about the variables that inputs set.
enum InputRules {
    /// One variable of one input.
    private struct Input {
        let node: DocumentNode
        /// The key that names the variable: `var_name`, or `var_name1` of a selector.
        let key: String
        let varName: String
    }

    /// Every variable of every input, in the order of the page. A client sends all of them in each POST of the page.
    private static func inputs(_ page: CheckedPage) -> [Input] {
        page.tree.nodes(Checkbox.vocabulary, Selector.vocabulary, TextField.vocabulary).flatMap { node in
            let keys =
                node.kind == Selector.vocabulary ? ["var_name", "var_name1", "var_name2"] : ["var_name"]
            return keys.compactMap { key in
                node.string(key).map { Input(node: node, key: key, varName: $0) }
            }
        }
    }

    /// Clients load a page with GET, and refresh it with POST when it has inputs.
    ///
    /// Source: Applin documentation, Frontend-Backend Protocol, Frontend Role.
    @Sendable static func post(_ page: CheckedPage, _ remarks: inout Remarks) {
        guard let methods = page.facts.app?.methods(at: page.path.beforeQuery), !methods.contains(.post),
            let input = inputs(page).first, let node = page.page
        else { return }
        remarks.error(
            "inputs-without-post",
            at: node,
            message: "The page has inputs, such as \(input.varName.quoted), so clients refresh it with POST, but it "
                + "doesn't answer POST.",
            fix: "Let \(page.path.quoted) answer POST as well, with the same page."
        )
    }

    /// Each variable of a page belongs to one input: clients fail every POST from a page where one belongs to two.
    @Sendable static func duplicates(_ page: CheckedPage, _ remarks: inout Remarks) {
        var owners: [String: Input] = [:]
        for input in inputs(page) {
            guard let owner = owners[input.varName] else {
                owners[input.varName] = input
                continue
            }
            let other = owner.node.index == input.node.index ? "its \"\(owner.key)\"" : owner.node.step
            remarks.error(
                "duplicate-var-name",
                at: input.node,
                input.key,
                message: "The variable \(input.varName.quoted) already belongs to \(other), and clients fail every "
                    + "POST from a page with a variable twice.",
                fix: "Give this \(input.node.name) another \"\(input.key)\", such as "
                    + "\("\(input.varName)_2".quoted)."
            )
        }
    }

    /// A variable named `color#red` goes into the POST as an object `color`, one named `color%red` as an array `color`, so
    /// that inputs of different forms can't share the part before the `#` or `%`.
    @Sendable static func collisions(_ page: CheckedPage, _ remarks: inout Remarks) {
        var first: [String: (form: Form, varName: String)] = [:]
        for input in inputs(page) {
            let (key, form) = place(of: input.varName)
            guard let other = first[key] else {
                first[key] = (form, input.varName)
                continue
            }
            guard form != other.form else { continue }
            remarks.error(
                "colliding-var-names",
                at: input.node,
                input.key,
                message: "The variables \(other.varName.quoted) and \(input.varName.quoted) would go into a POST under "
                    + "one key, \(key.quoted), as \(other.form.rawValue) and as \(form.rawValue).",
                fix: "Rename one of them, so that it begins differently."
            )
        }
    }

    private enum Form: String {
        case value = "a plain value"
        case object = "an object"
        case array = "an array"
    }

    /// The key under which a variable goes into a POST, and in which form.
    private static func place(of varName: String) -> (key: String, form: Form) {
        guard let mark = varName.firstIndex(where: { $0 == "#" || $0 == "%" }) else { return (varName, .value) }
        return (String(varName[..<mark]), varName[mark] == "#" ? .object : .array)
    }
}
