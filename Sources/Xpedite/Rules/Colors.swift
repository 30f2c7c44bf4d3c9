import BacklotJSON

/// Colours are `#RRGGBB`.
struct Colors: PageRule {
    func check(_ page: CheckedPage, _ remarks: inout Remarks) {
        for node in page.nodes {
            for key in ["color", "colour", "background"] where node.has(key) {
                check(node.object[key], node, key, &remarks)
            }
        }
        if let value = page.page.object["setDefaults"]?["background"], !value.isNull {
            check(value, page.page, "setDefaults/background", &remarks)
        }
    }

    private func check(_ value: JSONValue?, _ node: WireNode, _ key: String, _ remarks: inout Remarks) {
        guard !Self.isColor(value?.string ?? "") else { return }
        remarks.error(
            "malformed-color",
            node,
            key,
            "\(value?.description.excerpt ?? "") is no colour that clients know.",
            fix: "Write a # and six hexadecimal digits, such as #FF8800."
        )
    }

    private static func isColor(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 7 && bytes[0] == UInt8(ascii: "#")
            && bytes.dropFirst().allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }
}
