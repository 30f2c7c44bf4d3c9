extension String {
    /// Whether there is nothing to see in it.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
