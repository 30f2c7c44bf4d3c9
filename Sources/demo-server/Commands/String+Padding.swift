extension String {
    /// The text with blanks after it, for columns.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
