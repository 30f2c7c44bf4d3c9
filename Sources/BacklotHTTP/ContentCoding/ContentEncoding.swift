/// The codings of a request's body (RFC 9110, section 8.4).
package struct ContentEncoding: Equatable, Sendable {
    /// The codings in the order in which they must be taken off: the field names them in the order they were applied.
    package let codings: [ContentCoding]

    /// How many may be on top of each other. Nobody needs two; each more multiplies what few bytes can become.
    static let most = 2

    /// Reads the field's value. `identity` is none.
    ///
    /// - Throws: when there is a coding that is not understood, or there are too many.
    package init(_ value: String) throws(ContentCodingError) {
        let field = value.utf8.span
        var codings: [ContentCoding] = []
        var unknown: String?
        forEachListElement(of: 0..<field.count, in: field) { token in
            if token.isEmpty || field.equals(token, ignoringCase: "identity") { return }
            if let coding = ContentCoding(token, in: field) {
                codings.append(coding)
            } else {
                unknown = unknown ?? field.string(token)
            }
        }
        if let unknown { throw .unknown(unknown) }
        guard codings.count <= Self.most else { throw .tooMany(codings.count) }
        self.codings = codings.reversed()
    }
}
