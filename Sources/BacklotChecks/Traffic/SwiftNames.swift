extension String {
    /// The text within a comment's code voice, on one line.
    var inComment: String { String(filter { !$0.isNewline && $0 != "`" }) }

    /// Whether a type can have this name.
    var isSwiftIdentifier: Bool {
        let reserved: Set<String> = ["Any", "Self", "Type", "Protocol", "_"]
        return first.map { $0.isLetter || $0 == "_" } == true && !reserved.contains(self)
            && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") } && first?.isUppercase == true
    }
}
