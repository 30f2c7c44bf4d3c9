public import HTTPTypes

/// The header fields of a request, in the order they were sent.
public struct RequestHeaders: Sendable {
    private let head: RequestHead

    init(head: RequestHead) {
        self.head = head
    }

    /// The value of a field; nil without such a field. Several fields of one name are joined as in RFC 9110, section 5.3, but
    /// cookies with `; `. Bytes that aren't UTF-8, and combining marks after 128 in a row, become U+FFFD.
    public subscript(name: HTTPField.Name) -> String? {
        guard let index = index(of: name) else { return nil }
        let value = head.string(head.fields[index].value)
        guard self.index(of: name, from: index + 1) != nil else { return value }
        return self[values: name].joined(separator: name == .cookie ? "; " : ", ")
    }

    /// The values of all fields of a name, in the order sent.
    public subscript(values name: HTTPField.Name) -> [String] {
        var values: [String] = []
        var start = 0
        while let index = index(of: name, from: start) {
            values.append(head.string(head.fields[index].value))
            start = index + 1
        }
        return values
    }

    /// Calls `body` with the bytes of each field of a name, in the order sent, for callers that don't need its text.
    ///
    /// - Parameter name: the field's name, in lower case.
    package func forEachValue(of name: StaticString, _ body: (Span<UInt8>) -> Void) {
        let bytes = head.bytes
        let span = bytes.span
        var start = 0
        while let index = head.firstField(from: start, where: { span.equals($0.name, ignoringCase: name) }) {
            body(span.extracting(head.fields[index].value))
            start = index + 1
        }
    }

    /// Whether there is a field with that name.
    public func contains(_ name: HTTPField.Name) -> Bool { index(of: name) != nil }

    /// The index of the first field with a name, from `start` on.
    private func index(of name: HTTPField.Name, from start: Int = 0) -> Int? {
        let expected = name.canonicalName.utf8
        let count = expected.count
        let bytes = head.bytes
        let span = bytes.span
        return head.firstField(from: start) { $0.name.count == count && span.equals($0.name, lowercased: expected) }
    }
}

extension RequestHeaders {
    /// The head's length in bytes, including the request line.
    var size: Int { head.length }

    /// Whether the request came over HTTP/2.
    var isHTTP2: Bool { head.line.isHTTP2 }

    /// The request's HTTP version, as `Via` writes it.
    package var version: StaticString { head.line.isHTTP2 ? "2" : head.line.isHTTP10 ? "1.0" : "1.1" }
}

extension RequestHeaders: Sequence {
    /// All fields, with names and values as sent.
    public func makeIterator() -> some IteratorProtocol<(name: String, value: String)> {
        head.fields.lazy.map { (name: head.string($0.name), value: head.string($0.value)) }.makeIterator()
    }
}

extension Span where Element == UInt8 {
    func equals(_ range: Range<Int>, name: HTTPField.Name) -> Bool {
        let expected = name.canonicalName.utf8
        return range.count == expected.count && equals(range, lowercased: expected)
    }

    /// Whether a range equals `expected`, ignoring letter case. Both must have the same length.
    ///
    /// - Parameter expected: the letters in lower case.
    func equals(_ range: Range<Int>, lowercased expected: some Sequence<UInt8>) -> Bool {
        var index = range.lowerBound
        for byte in expected {
            guard ASCII.lowercased(self[index]) == byte else { return false }
            index += 1
        }
        return true
    }
}
