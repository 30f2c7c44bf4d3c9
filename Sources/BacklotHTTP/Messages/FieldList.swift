package import HTTPTypes

/// The header fields of an outgoing message. Names and values follow each other in `bytes`, and `ends` has the end of each.
///
/// The list is flat because a proxy copies some twenty fields from one message to the next: creating strings and `HTTPFields`
/// would cost ten times as much.
package struct FieldList: Sendable {
    private(set) var bytes: [UInt8] = []
    private(set) var ends: [Int] = []

    package init() {}

    /// The fields, in their order.
    package init(_ fields: HTTPFields) {
        reserve(fields: fields.count, bytes: 64 * fields.count)
        for field in fields { append(field) }
    }

    /// The number of fields.
    var count: Int { ends.count / 2 }

    /// Reserves room.
    mutating func reserve(fields: Int, bytes: Int) {
        ends.reserveCapacity(2 * fields)
        self.bytes.reserveCapacity(bytes)
    }

    /// Adds a field. Its name has `count` bytes, and its value follows the name.
    @inline(__always)
    private mutating func append(name count: Int, room: Int, _ write: (inout ByteCursor) -> Void) {
        ends.append(bytes.count + count)
        ByteCursor.append(to: &bytes, room: room, write)
        ends.append(bytes.count)
    }

    /// Adds a field. The name and the value must be valid in a message.
    mutating func append(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        append(name: name.count, room: name.count + value.count) { field in
            field.put(name)
            field.put(value)
        }
    }

    /// Adds a field. The value must be valid in a message.
    mutating func append(_ name: StaticString, _ value: String) {
        append(name, value.utf8.span)
    }

    /// Adds a field. The value must be valid in a message.
    mutating func append(_ name: StaticString, _ value: Span<UInt8>) {
        append(name: name.utf8CodeUnitCount, room: name.utf8CodeUnitCount + value.count) { field in
            field.put(name)
            field.put(value)
        }
    }

    /// Adds a field with a number of at least 0 as its value.
    mutating func append(_ name: StaticString, decimal number: Int) {
        append(name: name.utf8CodeUnitCount, room: name.utf8CodeUnitCount + 19) { field in
            field.put(name)
            field.put(decimal: number)
        }
    }

    /// Adds a field with its name in lower case.
    mutating func append(lowercasing name: Span<UInt8>, _ value: Span<UInt8>) {
        append(name: name.count, room: name.count + value.count) { field in
            for index in 0..<name.count { field.put(ASCII.lowercased(name[index])) }
            field.put(value)
        }
    }

    /// Adds the fields of another list.
    mutating func append(_ other: FieldList) {
        let start = bytes.count
        bytes.append(copying: other.bytes.span)
        for end in other.ends { ends.append(start + end) }
    }

    /// Drops all fields, and keeps their memory unless it is large.
    mutating func removeAll() {
        let keepsMemory = bytes.capacity <= 4096
        bytes.removeAll(keepingCapacity: keepsMemory)
        ends.removeAll(keepingCapacity: keepsMemory)
    }

    /// Adds a field. A function appends its value. The name and the value must be valid in a message.
    mutating func append(_ name: StaticString, _ writeValue: (inout [UInt8]) -> Void) {
        bytes.append(name)
        ends.append(bytes.count)
        writeValue(&bytes)
        ends.append(bytes.count)
    }

    /// Adds a field. Its name is a token. Bytes that its value can't have become spaces, as in `HTTPField`.
    mutating func append(checking value: Span<UInt8>, named name: Span<UInt8>) {
        let isBlankAround = value.count > 0 && (ASCII.isBlank(value[0]) || ASCII.isBlank(value[value.count - 1]))
        if !isBlankAround, value.firstForbiddenControl(from: 0) == value.count {
            append(name, value)
        } else if let name = HTTPField.Name(name.string(0..<name.count)) {
            append(unsafe value.withUnsafeBufferPointer { unsafe HTTPField(name: name, value: $0) })
        }
    }

    /// Adds a field.
    package mutating func append(_ field: HTTPField) {
        bytes.append(contentsOf: field.name.rawName.utf8)
        ends.append(bytes.count)
        unsafe field.withUnsafeBytesOfValue { unsafe bytes.append(contentsOf: $0) }
        ends.append(bytes.count)
    }

    /// The list of the fields that `change` keeps or makes of each field.
    @inline(__always)
    func mapped(_ change: (_ name: Span<UInt8>, _ value: Span<UInt8>, _ kept: inout FieldList) -> Void) -> FieldList {
        let bytes = bytes
        let span = bytes.span
        var kept = FieldList()
        kept.reserve(fields: count + 1, bytes: bytes.count + 32)
        for index in 0..<count {
            let (name, value) = self[index]
            change(span.extracting(name), span.extracting(value), &kept)
        }
        return kept
    }

    /// The ranges of a field's name and value in `bytes`.
    subscript(index: Int) -> (name: Range<Int>, value: Range<Int>) {
        let start = index == 0 ? 0 : ends[2 * index - 1]
        return (start..<ends[2 * index], ends[2 * index]..<ends[2 * index + 1])
    }

    /// The value of a field; several fields of one name are joined by commas (RFC 9110, section 5.3). nil without such a field.
    ///
    /// - Parameter name: in lower case.
    subscript(name: StaticString) -> String? {
        let bytes = bytes
        var joined: String?
        for index in 0..<count {
            let field = self[index]
            guard bytes.span.equals(field.name, ignoringCase: name) else { continue }
            let value = bytes.span.string(field.value)
            joined = joined.map { "\($0), \(value)" } ?? value
        }
        return joined
    }

    /// Whether the list has a field with a name, which must be in lower case.
    func contains(_ name: StaticString) -> Bool {
        let bytes = bytes
        return (0..<count).contains { bytes.span.equals(self[$0].name, ignoringCase: name) }
    }

    /// The maximum number of bytes that `writeLines` writes.
    var linesCount: Int { bytes.count + 4 * count }

    /// Writes the lines of the fields in the form of HTTP/1.1.
    ///
    /// - Parameter isLeftOut: whether to leave out a field with this name.
    func writeLines(to output: inout ByteCursor, without isLeftOut: (_ name: Span<UInt8>) -> Bool) {
        let bytes = bytes
        let span = bytes.span
        for index in 0..<count {
            let (name, value) = self[index]
            if isLeftOut(span.extracting(name)) { continue }
            output.put(span.extracting(name))
            output.put(": ")
            output.put(span.extracting(value))
            output.put("\r\n")
        }
    }
}

extension HTTPFields {
    /// The fields of a list.
    init(_ list: FieldList) {
        self.init()
        reserveCapacity(list.count)
        let bytes = list.bytes
        for index in 0..<list.count {
            let (name, value) = list[index]
            guard let name = KnownFieldNames.name(name, bytes.span) else { continue }
            // Bytes that aren't UTF-8 stay unchanged.
            append(
                unsafe bytes.span.extracting(value).withUnsafeBufferPointer {
                    unsafe HTTPField(name: name, value: $0)
                }
            )
        }
    }
}

/// The names of fields that most responses have. Creating one from its bytes takes a thousand instructions.
enum KnownFieldNames {
    /// By their length.
    private static let names: [[(bytes: [UInt8], name: HTTPField.Name)]] = {
        var names = [[(bytes: [UInt8], name: HTTPField.Name)]](repeating: [], count: 32)
        for text in [
            "Accept-Ranges", "Access-Control-Allow-Origin", "Age", "Cache-Control", "Connection", "Content-Disposition",
            "Content-Encoding", "Content-Language", "Content-Length", "Content-Security-Policy", "Content-Type", "Date",
            "ETag",
            "Expires", "Keep-Alive", "Last-Modified", "Link", "Location", "Server", "Set-Cookie",
            "Strict-Transport-Security",
            "Transfer-Encoding", "Vary", "Via", "WWW-Authenticate", "X-Content-Type-Options", "X-Frame-Options",
            "X-Powered-By", "X-Request-Id",
        ] {
            for text in [text, text.lowercased()] {
                guard let name = HTTPField.Name(text) else { continue }
                names[text.utf8.count].append((Array(text.utf8), name))
            }
        }
        return names
    }()

    /// The name in a range; nil if it isn't a valid name.
    static func name(_ range: Range<Int>, _ bytes: Span<UInt8>) -> HTTPField.Name? {
        if range.count < names.count {
            for known in names[range.count] where bytes.holds(known.bytes, at: range.lowerBound) { return known.name }
        }
        return HTTPField.Name(bytes.string(range))
    }
}

extension Span where Element == UInt8 {
    /// Whether the span has these bytes at an index.
    fileprivate func holds(_ bytes: [UInt8], at start: Int) -> Bool {
        for index in bytes.indices where self[start + index] != bytes[index] { return false }
        return true
    }
}

/// Header fields that many responses share, in the forms of HTTP/1.1 and HTTP/2: made once, and copied unchanged.
///
/// A class, so that a response needs only a reference to them.
package final class CommonFields: Sendable {
    let fields: HTTPFields
    /// The lines that HTTP/1.1 sends.
    let lines: [UInt8]
    /// The list that HTTP/2 sends.
    let list: NGHTTP2Fields

    /// - Parameter fields: fields that a handler may set; the server frames each response itself.
    package init(_ fields: HTTPFields) {
        precondition(
            fields.allSatisfy { !ResponseEncoder.isOwn($0.name.rawName.utf8.span) },
            "these fields are the server's own, or depend on the response: \(fields.map(\.name.rawName))"
        )
        self.fields = fields
        lines = ResponseEncoder.lines(of: fields)
        var list = FieldList()
        list.append(ofResponse: fields, keepsDate: false)
        self.list = NGHTTP2Fields(list)
    }
}
