extension String {
    /// The text with the special characters of HTML escaped, for texts and for values of attributes in quotation marks.
    public var htmlEscaped: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }
}
