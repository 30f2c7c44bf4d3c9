package import HTTPTypes

/// The header fields of a message that is to be sent: names and values stand one after the other in `bytes`, and `ends` says
/// where each ends.
///
/// Flat, since a proxy copies some twenty fields from one message to the next: making strings and `HTTPFields` of them costs ten
/// times as much.
package struct FieldList: Sendable {
    private(set) var bytes: [UInt8] = []
    private(set) var ends: [Int] = []

    package init() {}

    /// The fields, in their order.
    package init(_ fields: HTTPFields) {
        reserve(fields: fields.count, bytes: 64 * fields.count)
        for field in fields { append(field) }
    }

    /// How many fields there are.
    var count: Int { ends.count / 2 }

    /// Makes room.
    mutating func reserve(fields: Int, bytes: Int) {
        ends.reserveCapacity(2 * fields)
        self.bytes.reserveCapacity(bytes)
    }

    /// Adds a field. The name and the value are ones that a message may have.
    mutating func append(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        ByteCursor.append(to: &bytes, room: name.count + value.count) { field in
            field.put(name)
            field.put(value)
        }
        ends.append(bytes.count - value.count)
        ends.append(bytes.count)
    }

    /// Adds a field. The value is one that a message may have.
    mutating func append(_ name: StaticString, _ value: String) {
        append(name, value.utf8.span)
    }

    /// Adds a field. The value is one that a message may have.
    mutating func append(_ name: StaticString, _ value: Span<UInt8>) {
        ByteCursor.append(to: &bytes, room: name.utf8CodeUnitCount + value.count) { field in
            field.put(name)
            field.put(value)
        }
        ends.append(bytes.count - value.count)
        ends.append(bytes.count)
    }

    /// Adds a field whose value is a number of at least 0.
    mutating func append(_ name: StaticString, decimal number: Int) {
        let start = bytes.count + name.utf8CodeUnitCount
        ByteCursor.append(to: &bytes, room: name.utf8CodeUnitCount + 19) { field in
            field.put(name)
            field.put(decimal: number)
        }
        ends.append(start)
        ends.append(bytes.count)
    }

    /// Adds a field, its name in lower case.
    mutating func append(lowercasing name: Span<UInt8>, _ value: Span<UInt8>) {
        ByteCursor.append(to: &bytes, room: name.count + value.count) { field in
            for index in 0..<name.count { field.put(ASCII.lowercased(name[index])) }
            field.put(value)
        }
        ends.append(bytes.count - value.count)
        ends.append(bytes.count)
    }

    /// Adds the fields of another list.
    mutating func append(_ other: FieldList) {
        let start = bytes.count
        bytes.append(copying: other.bytes.span)
        for end in other.ends { ends.append(start + end) }
    }

    /// Drops all fields. Their memory is kept, unless it is large.
    mutating func removeAll() {
        let keepsMemory = bytes.capacity <= 4096
        bytes.removeAll(keepingCapacity: keepsMemory)
        ends.removeAll(keepingCapacity: keepsMemory)
    }

    /// Adds a field whose value a function appends. The name and the value are ones that a message may have.
    mutating func append(_ name: StaticString, _ writeValue: (inout [UInt8]) -> Void) {
        bytes.append(name)
        ends.append(bytes.count)
        writeValue(&bytes)
        ends.append(bytes.count)
    }

    /// Adds a field whose name is a token. Bytes that its value can't have become spaces, as in `HTTPField`.
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

    /// Where a field's name and value stand in `bytes`.
    subscript(index: Int) -> (name: Range<Int>, value: Range<Int>) {
        let start = index == 0 ? 0 : ends[2 * index - 1]
        return (start..<ends[2 * index], ends[2 * index]..<ends[2 * index + 1])
    }

    /// The value of a field; of several of one name, all, joined by commas (RFC 9110, section 5.3). nil where there is none.
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

    /// Whether there is a field of a name, which is in lower case.
    func contains(_ name: StaticString) -> Bool {
        let bytes = bytes
        return (0..<count).contains { bytes.span.equals(self[$0].name, ignoringCase: name) }
    }

    /// How many bytes `writeLines` writes at most.
    var linesCount: Int { bytes.count + 4 * count }

    /// Writes the lines of the fields as HTTP/1.1 has them.
    ///
    /// - Parameter isLeftOut: whether a field, by its name, is left out.
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
            // Bytes that are no UTF-8 stay the same bytes.
            append(
                unsafe bytes.span.extracting(value).withUnsafeBufferPointer {
                    unsafe HTTPField(name: name, value: $0)
                }
            )
        }
    }
}
