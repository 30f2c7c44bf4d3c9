/// A variable named `color#red` goes into the POST as an object `color`, one named `color%red` as an array `color`, so that
/// inputs of different forms can't share the part before the `#` or `%`.
struct CollidingVarNames: PageRule {
    private enum Form: String {
        case value = "a plain value"
        case object = "an object"
        case array = "an array"
    }

    func remarks(on page: CheckedPage) -> [Remark] {
        var first: [String: (form: Form, varName: String)] = [:]
        return page.tree.inputs.compactMap { input in
            let (key, form) = Self.place(of: input.varName)
            guard let other = first[key] else {
                first[key] = (form, input.varName)
                return nil
            }
            guard form != other.form else { return nil }
            return .error(
                "colliding-var-names",
                at: input.node,
                "/\(input.key)",
                message:
                    "The variables \(other.varName.quoted) and \(input.varName.quoted) would go into a POST under one "
                    + "key, \(key.quoted), as \(other.form.rawValue) and as \(form.rawValue).",
                fix: "Rename one of them, so that it begins differently."
            )
        }
    }

    /// The key under which a variable goes into a POST, and in which form.
    private static func place(of varName: String) -> (key: String, form: Form) {
        guard let mark = varName.firstIndex(where: { $0 == "#" || $0 == "%" }) else { return (varName, .value) }
        return (String(varName[..<mark]), varName[mark] == "#" ? .object : .array)
    }
}
