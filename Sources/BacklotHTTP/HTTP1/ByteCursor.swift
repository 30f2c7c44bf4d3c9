/// Writes bytes one after the other at the end of an array, into room that is reserved once for all of them.
///
/// A head is made of two dozen pieces. Appending each one separately takes five times as many instructions: the array
/// checks each time whether it is shared and whether it must grow.
@safe struct ByteCursor: ~Copyable {
    private var next: UnsafeMutablePointer<UInt8>
    private let end: UnsafeMutablePointer<UInt8>

    private init(_ start: UnsafeMutablePointer<UInt8>, room: Int) {
        unsafe next = start
        unsafe end = start + room
    }

    /// Appends the bytes that `write` puts into the cursor.
    ///
    /// - Parameter room: the number of bytes to reserve: at least as many as `write` writes.
    @inline(__always)
    static func append(to bytes: inout [UInt8], room: Int, _ write: (inout ByteCursor) -> Void) {
        bytes.append(addingCapacity: room) { output in
            unsafe output.withUnsafeMutableBufferPointer { buffer, count in
                guard let start = buffer.baseAddress else { return }
                var cursor = unsafe ByteCursor(start + count, room: buffer.count - count)
                write(&cursor)
                count = unsafe cursor.next - start
            }
        }
    }

    /// Writes one byte.
    @inline(__always)
    mutating func put(_ byte: UInt8) {
        precondition(unsafe next < end)
        unsafe next.pointee = byte
        unsafe next += 1
    }

    /// Writes a literal.
    @inline(__always)
    mutating func put(_ text: StaticString) {
        text.withUTF8Buffer { unsafe copy($0) }
    }

    /// Writes the bytes of a span.
    @inline(__always)
    mutating func put(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe copy($0) }
    }

    /// Writes a number of at least 0 in decimal digits, at most 19.
    mutating func put(decimal number: Int) {
        if number >= 10 { put(decimal: number / 10) }
        put(UInt8(ascii: "0") + UInt8(number % 10))
    }

    @inline(__always)
    private mutating func copy(_ bytes: UnsafeBufferPointer<UInt8>) {
        precondition(unsafe bytes.count <= end - next)
        guard let source = bytes.baseAddress else { return }
        unsafe next.update(from: source, count: bytes.count)
        unsafe next += bytes.count
    }
}

extension Array where Element == UInt8 {
    /// The bytes of a span.
    init(copying bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// Appends the bytes of a span, in one copy.
    mutating func append(copying bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
    }

    /// Appends a literal, in one copy.
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { unsafe append(contentsOf: $0) }
    }

    /// Appends a number of at least 0 in decimal digits.
    mutating func append(decimal number: Int) {
        if number >= 10 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
