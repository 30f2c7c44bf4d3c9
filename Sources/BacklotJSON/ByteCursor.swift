/// Writes bytes one after the other into room that was made for them: the one place of this module that works on memory.
///
/// `OutputSpan` checks each byte that it appends, of which a field has a dozen: with those checks writing a page took a tenth
/// more instructions. Here the room is checked once for each text, and single bytes go to room that the caller has counted.
@safe struct ByteCursor: ~Copyable {
    private var next: UnsafeMutablePointer<UInt8>
    private let end: UnsafeMutablePointer<UInt8>

    private init(_ start: UnsafeMutablePointer<UInt8>, room: Int) {
        unsafe next = start
        unsafe end = start + room
    }

    /// Appends what `write` writes to `bytes`.
    ///
    /// - Parameter room: how many bytes there must be room for: as many as `write` writes, or more.
    @inline(__always)
    static func append(to bytes: inout [UInt8], room: Int, _ write: (inout ByteCursor) -> Void) {
        bytes.append(addingCapacity: room) { output in
            unsafe output.withUnsafeMutableBufferPointer { buffer, count in
                guard let start = buffer.baseAddress else { return }
                var cursor = unsafe ByteCursor(start + count, room: buffer.count - count)
                write(&cursor)
                count = unsafe cursor.next - start
                precondition(count <= buffer.count)
            }
        }
    }

    /// Writes one byte.
    @inline(__always)
    mutating func put(_ byte: UInt8) {
        assert(unsafe next < end)
        unsafe next.pointee = byte
        unsafe next += 1
    }

    /// Writes all of a text.
    @inline(__always)
    mutating func put(_ text: Span<UInt8>) {
        unsafe text.withUnsafeBufferPointer { unsafe put($0) }
    }

    /// Writes all of a literal.
    @inline(__always)
    mutating func put(_ text: StaticString) {
        text.withUTF8Buffer { unsafe put($0) }
    }

    @inline(__always)
    private mutating func put(_ text: UnsafeBufferPointer<UInt8>) {
        precondition(unsafe text.count <= end - next)
        guard let start = text.baseAddress else { return }
        unsafe next.update(from: start, count: text.count)
        unsafe next += text.count
    }
}
