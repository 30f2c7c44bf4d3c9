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
        bytes.append(copying: name)
        ends.append(bytes.count)
        bytes.append(copying: value)
        ends.append(bytes.count)
    }

    /// Adds a field. The name and the value are ones that a message may have.
    mutating func append(_ name: StaticString, _ value: String) {
        bytes.append(name)
        ends.append(bytes.count)
        bytes.append(contentsOf: value.utf8)
        ends.append(bytes.count)
    }

    /// Adds a field.
    mutating func append(_ field: HTTPField) {
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
}
