import BacklotJSON

/// What can be said about typing.
struct TextInputs: PageRule {
    func check(_ page: CheckedPage, _ remarks: inout Remarks) {
        var focused = false
        for node in page.parts("textbox", "password") {
            require(node, "autotext", ["disable"], &remarks)
            require(node, "keyboard", TextInput.Keyboard.allCases.map(\.rawValue), &remarks)
            require(node, "returnkey", TextInput.Returnkey.allCases.map(\.rawValue), &remarks)
            guard node.object["focus"]?.bool == true else { continue }
            if focused {
                remarks.warning(
                    "two-focus-fields",
                    node,
                    "focus",
                    "Another field of the page has the focus already.",
                    fix: "Keep \"focus\" in one field."
                )
            }
            focused = true
        }
    }

    private func require(_ node: WireNode, _ key: String, _ values: [String], _ remarks: inout Remarks) {
        guard let value = node.object[key], !value.isNull, !values.contains(value.string ?? "") else { return }
        remarks.error(
            "unknown-\(key)",
            node,
            key,
            "Clients don't know \(value.description.excerpt) for \"\(key)\".",
            fix: "Write \(values.map { "\"\($0)\"" }.joined(separator: ", ")), or leave it out."
        )
    }
}
