public import HTTPTypes

/// The header fields of a request, in the order they were sent.
public struct RequestHeaders: Sendable {
    private let head: RequestHead

    init(head: RequestHead) {
        self.head = head
    }

    /// The value of a field; of several of one name, all, joined as RFC 9110, section 5.3, says (cookies by `; `).
    /// nil where there is none. Bytes that are not UTF-8 become U+FFFD.
    public subscript(name: HTTPField.Name) -> String? {
        let values = self[values: name]
        guard values.count > 1 else { return values.first }
        return values.joined(separator: name == .cookie ? "; " : ", ")
    }

    /// The values of all fields of a name, in the order they were sent.
    public subscript(values name: HTTPField.Name) -> [String] {
        let bytes = head.bytes
        var values: [String] = []
        for field in head.fields where bytes.span.equals(field.name, name: name) {
            values.append(bytes.span.string(field.value))
        }
        return values
    }

    /// Whether there is a field of that name.
    public func contains(_ name: HTTPField.Name) -> Bool {
        let bytes = head.bytes
        return head.fields.contains { bytes.span.equals($0.name, name: name) }
    }
}

extension RequestHeaders {
    /// How many bytes they have, with the request line.
    var size: Int { head.length }

    /// The version of HTTP that they came over, as `Via` names it.
    package var version: StaticString { head.line.isHTTP2 ? "2" : head.line.isHTTP10 ? "1.0" : "1.1" }
}

extension RequestHeaders: Sequence {
    /// Every field, name and value as they were sent.
    public func makeIterator() -> some IteratorProtocol<(name: String, value: String)> {
        head.fields.lazy.map { (name: head.string($0.name), value: head.string($0.value)) }.makeIterator()
    }
}

extension Span where Element == UInt8 {
    func equals(_ range: Range<Int>, name: HTTPField.Name) -> Bool {
        let expected = name.canonicalName.utf8
        return range.count == expected.count && equals(range, lowercased: expected)
    }

    /// Whether a range has those letters, as many as it is long, whatever their case.
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
