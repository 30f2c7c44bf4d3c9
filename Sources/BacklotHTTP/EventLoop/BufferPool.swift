/// Buffers of a loop that its connections borrow while bytes are in flight, so that an idle connection owns none.
final class BufferPool {
    /// The size of a read buffer: what one `recv` can take.
    static let readSize = 64 * 1024
    /// The largest buffer for output that is kept, in bytes.
    private static let keptCapacity = 256 * 1024
    private static let keptCount = 8

    // Each is taken out and put back as a whole: changes in place would be checked at run time.
    /// One is enough: it is given back before another connection reads.
    private var readBuffer: [UInt8] = []
    private var outputBuffer: [UInt8] = []
    /// The buffers of connections whose clients took their time.
    private var moreOutputBuffers: [[UInt8]] = []

    /// A buffer of `readSize` bytes to receive into.
    func takeReadBuffer() -> [UInt8] {
        let buffer = readBuffer
        readBuffer = []
        return buffer.isEmpty ? [UInt8](repeating: 0, count: Self.readSize) : buffer
    }

    func giveBack(readBuffer buffer: consuming [UInt8]) {
        readBuffer = buffer
    }

    /// An empty buffer to build answers in.
    func takeOutputBuffer() -> [UInt8] {
        let buffer = outputBuffer
        outputBuffer = []
        return buffer.capacity > 0 ? buffer : moreOutputBuffers.popLast() ?? []
    }

    func giveBack(outputBuffer buffer: consuming [UInt8]) {
        guard buffer.capacity > 0, buffer.capacity <= Self.keptCapacity else { return }
        buffer.removeAll(keepingCapacity: true)
        if outputBuffer.capacity == 0 {
            outputBuffer = buffer
        } else if moreOutputBuffers.count < Self.keptCount {
            moreOutputBuffers.append(buffer)
        }
    }
}
