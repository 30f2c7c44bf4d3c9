package import BacklotJSON

extension JSONSchema {
    /// Reads a schema whose patterns are bounded regular expressions in JavaScript's syntax.
    ///
    /// - Parameter assertsFormats: Whether values must have the form that `format` names.
    /// - Throws: `Mistake` for what isn't a schema, and for a reference that leads nowhere.
    package init(_ document: JSONValue, assertsFormats: Bool = false) throws(Mistake) {
        try self.init(document, assertsFormats: assertsFormats) { source in
            let pattern = try Pattern(source, syntax: .ecma)
            return { text, time in
                switch pattern.search(text, within: &time) {
                case .matches: true
                case .differs: false
                case .givenUp: nil
                }
            }
        }
    }
}
