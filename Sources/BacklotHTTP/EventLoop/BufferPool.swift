/// Buffers of a loop that its connections borrow while bytes are in flight, so that an idle connection owns none.
final class BufferPool {
    /// The size of a read buffer: what one `recv` can take.
    static let readSize = 64 * 1024
    /// The largest buffer for output that is kept, in bytes.
    private static let keptCapacity = 256 * 1024
    private static let keptCount = 8

    private var readBuffers: [[UInt8]] = []
    private var outputBuffers: [[UInt8]] = []

    /// A buffer of `readSize` bytes to receive into.
    func takeReadBuffer() -> [UInt8] {
        readBuffers.popLast() ?? [UInt8](repeating: 0, count: Self.readSize)
    }

    func giveBack(readBuffer buffer: consuming [UInt8]) {
        if readBuffers.count < Self.keptCount { readBuffers.append(buffer) }
    }

    /// An empty buffer to build answers in.
    func takeOutputBuffer() -> [UInt8] {
        outputBuffers.popLast() ?? []
    }

    func giveBack(outputBuffer buffer: consuming [UInt8]) {
        guard outputBuffers.count < Self.keptCount, buffer.capacity > 0, buffer.capacity <= Self.keptCapacity else {
            return
        }
        buffer.removeAll(keepingCapacity: true)
        outputBuffers.append(buffer)
    }
}
