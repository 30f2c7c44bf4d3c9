import BacklotJSON

/// Colours are three whole numbers of 0 to 255.
enum ColorRules {
    static func check(_ scope: WireScope, _ keys: [String], _ remarks: inout Remarks) {
        for key in keys {
            guard let value = scope[key], !isColor(value) else { continue }
            remarks.error(
                "malformed-color",
                scope,
                key,
                "\(value.description.excerpt) is no colour.",
                fix: "Write three whole numbers from 0 to 255: red, green and blue."
            )
        }
    }

    private static func isColor(_ value: JSONValue) -> Bool {
        guard let parts = value.array, parts.count == 3 else { return false }
        return parts.allSatisfy { $0.number?.int64.map { (0...255).contains($0) } ?? false }
    }
}
