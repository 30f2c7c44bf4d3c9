/// What refers to a text.
enum TextRules {
    /// - Parameter texts: the numbers that the master language has; nil where that isn't known.
    static func check(
        _ scope: WireScope,
        _ key: String,
        _ texts: Set<Int>?,
        isRequired: Bool = false,
        _ remarks: inout Remarks
    ) {
        guard
            let number = remarks.integer(scope, key, 1...Int64(Int32.max), isRequired: isRequired),
            let texts, !texts.contains(number)
        else { return }
        remarks.error(
            "unknown-text",
            scope,
            key,
            "The first language has no text \(number).",
            fix: "Add it to the first language, or refer to one that is there."
        )
    }
}
