package import Backlot

/// Rules about the variables that inputs set.
package enum InputRules {
    /// One variable of one input.
    private struct Input {
        let node: DocumentNode
        /// The key that names the variable: `var_name`, or `var_name1` of a selector.
        let key: String
        let varName: String
    }

    /// The variables of all inputs that clients show, in the order of the page. A client sends all of them in each POST of the
    /// page. Clients never show a nav page's `end`.
    private static func inputs(_ page: CheckedPage) -> [Input] {
        let shown = page.page.flatMap { page.tree.contents(of: $0, under: "widget").first }
        let end = page.page.flatMap { page.tree.contents(of: $0, under: "end").first }
        return page.tree.nodes(Checkbox.vocabulary, Selector.vocabulary, TextField.vocabulary).flatMap { node in
            if let shown, let end, isInside(end, node, page), !isInside(shown, node, page) { return [Input]() }
            let keys =
                node.kind == Selector.vocabulary ? ["var_name", "var_name1", "var_name2"] : ["var_name"]
            return keys.compactMap { key in
                node.string(key).map { Input(node: node, key: key, varName: $0) }
            }
        }
    }

    private static func isInside(_ ancestor: DocumentNode, _ node: DocumentNode, _ page: CheckedPage) -> Bool {
        var place: DocumentNode? = node
        while let candidate = place, candidate.index > ancestor.index { place = page.tree.parent(of: candidate) }
        return place?.index == ancestor.index
    }

    /// A page with inputs must accept POST: clients load it with GET, but refresh it with POST.
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
                + "doesn't accept POST.",
            fix: "Let \(page.path.quoted) accept POST as well, with the same page."
        )
    }

    /// A page must have inputs for all variables that its rpcs require. This finds misspelt names, if the app declares the
    /// variables.
    @Sendable static func missing(_ page: CheckedPage, _ remarks: inout Remarks) {
        guard let app = page.facts.app else { return }
        var known: Set<String>?
        for node in page.tree.nodes(RPC.vocabulary) where node.isRead {
            guard let path = node.string("url").flatMap({ DeadLinkRules.path(of: $0, .rpc) }) else { continue }
            let required = app.requiredVariables(at: path)
            guard !required.isEmpty else { continue }
            let names =
                known
                ?? Set(
                    inputs(page).flatMap { input in
                        [input.varName, String(input.varName.prefix { $0 != "#" && $0 != "%" })]
                    }
                )
            known = names
            for name in required where !names.contains(name) {
                let hint = Suggestion.hint(for: name, among: names)
                remarks.error(
                    "missing-variable",
                    at: node,
                    "url",
                    message:
                        "\(path.quoted) takes the variable \(name.quoted), which no input of the page sets, so it responds with 400"
                        + (hint.isEmpty ? "." : hint),
                    fix: "Name an input \(name.quoted), or make the property of the rpc's input optional."
                )
            }
        }
    }

    /// The rules for pages that clients load, but can't send a POST from.
    static let postRules: Set<String> = ["malformed-var-name", "duplicate-var-name", "colliding-var-names"]

    /// The first client that turns names with `#` and `%` into objects and arrays, and fails if that isn't possible. Earlier
    /// clients don't split names. If two inputs have the same name, they send the last value.
    package static let firstNestingClient: ClientVersion = "0.34"

    /// Adds an error for clients that fail to send the variables, and a warning for others.
    private static func remark(
        _ rule: String,
        at input: Input,
        _ page: CheckedPage,
        _ remarks: inout Remarks,
        _ problem: String,
        fix: String
    ) {
        let message = "\(problem): clients since \(firstNestingClient) fail every POST from the page."
        if page.audience.versions.upperBound >= firstNestingClient {
            remarks.error(rule, at: input.node, input.key, message: message, fix: fix)
        } else {
            remarks.warning(rule, at: input.node, input.key, message: message, fix: fix)
        }
    }

    /// A name with `#` or `%` must have a part on both sides of it: otherwise clients fail every POST from the page.
    @Sendable static func names(_ page: CheckedPage, _ remarks: inout Remarks) {
        for input in inputs(page) {
            guard VariableName(input.varName) == nil else { continue }
            let mark = input.varName.contains("%") ? "%" : "#"
            remark(
                "malformed-var-name",
                at: input,
                page,
                &remarks,
                "The variable \(input.varName.quoted) has nothing before or after the \(mark.quoted)",
                fix:
                    "Write a name without \(mark.quoted), or with something on both sides of it: \("size\(mark)width".quoted)."
            )
        }
    }

    /// Two inputs can't set the same variable: clients would fail every POST from the page.
    ///
    /// Names with `#` or `%` may repeat. With `#`, clients send the last value; with `%`, the array gets both values.
    @Sendable static func duplicates(_ page: CheckedPage, _ remarks: inout Remarks) {
        var owners: [String: Input] = [:]
        for input in inputs(page) where !input.varName.contains(where: { $0 == "#" || $0 == "%" }) {
            guard let owner = owners[input.varName] else {
                owners[input.varName] = input
                continue
            }
            let other = owner.node.index == input.node.index ? "its \"\(owner.key)\"" : owner.node.step
            remark(
                "duplicate-var-name",
                at: input,
                page,
                &remarks,
                "The variable \(input.varName.quoted) already belongs to \(other)",
                fix: "Give this \(input.node.name) another \"\(input.key)\", such as "
                    + "\("\(input.varName)_2".quoted)."
            )
        }
    }

    /// In the POST, a variable named `color#red` becomes a part of an object `color`, and one named `color%red` a part of an array
    /// `color`. So inputs of different forms can't share the part before the `#` or `%`.
    @Sendable static func collisions(_ page: CheckedPage, _ remarks: inout Remarks) {
        var first: [String: (form: Form, varName: String)] = [:]
        var entries: [VariableName: String] = [:]
        for input in inputs(page) {
            guard let name = VariableName(input.varName) else { continue }
            let (key, form) = place(of: name, input.varName)
            if let other = first[key], other.form != form {
                remark(
                    "colliding-var-names",
                    at: input,
                    page,
                    &remarks,
                    "The variables \(other.varName.quoted) and \(input.varName.quoted) would go into a POST under one key, "
                        + "\(key.quoted), as \(other.form.rawValue) and as \(form.rawValue)",
                    fix: "Rename one of them, so that it begins differently."
                )
                continue
            }
            first[key] = first[key] ?? (form, input.varName)
            if case .entry(_, let entry) = name, let other = entries[name], other != input.varName {
                remarks.warning(
                    "colliding-var-names",
                    at: input.node,
                    input.key,
                    message: "Clients since \(firstNestingClient) send one value for the variables \(other.quoted) and "
                        + "\(input.varName.quoted), as \("\(key)#\(entry)".quoted).",
                    fix: "Write names with one \"#\"."
                )
            }
            entries[name] = entries[name] ?? input.varName
        }
    }

    private enum Form: String {
        case value = "a plain value"
        case object = "an object"
        case array = "an array"
    }

    /// The key of a variable in a POST, and its form.
    private static func place(of name: VariableName, _ varName: String) -> (key: String, form: Form) {
        switch name {
        case .plain: (varName, .value)
        case .entry(let key, _): (key, .object)
        case .item(let key, _): (key, .array)
        }
    }
}
