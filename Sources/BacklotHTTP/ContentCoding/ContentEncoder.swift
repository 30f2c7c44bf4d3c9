/// Puts answers' bodies into content codings.
package final class ContentEncoder: Sendable {
    /// The largest body that is compressed in one go, on the event loop. Larger ones are compressed piece by piece,
    /// partly on other threads.
    static let mostAtOnce = LoopTurn.length

    private let pool: DeflaterPool
    private let permits: StreamPermits

    /// An encoder.
    ///
    /// - Parameters:
    ///   - level: from 1, fast, to 9, small.
    ///   - streams: how many bodies may be compressed piece by piece at a time.
    package init(level: Int, streams: Int) {
        pool = DeflaterPool(level: level)
        permits = StreamPermits(streams)
    }

    /// All of some bytes in gzip, for a client; nil where that makes them no smaller.
    package static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        Deflater(.gzip, level: 6)?.compress(bytes, upTo: bytes.count)
    }

    /// The body in a coding; nil where that makes it no smaller, or too many are being compressed already.
    package func encode(_ body: ResponseBody, _ coding: ContentCoding) -> ResponseBody? {
        switch body {
        case .empty, .fault: nil
        case .bytes(let bytes) where bytes.count <= Self.mostAtOnce:
            encodeAtOnce(bytes, coding).map { .bytes($0) }
        case .bytes(let bytes): stream(coding, promised: bytes.count) { try await $0.write(bytes) }
        case .file(let slice): encode(slice.inPieces, coding)
        case .stream(let length, let produce): stream(coding, promised: length, produce)
        }
    }

    private func encodeAtOnce(_ bytes: [UInt8], _ coding: ContentCoding) -> [UInt8]? {
        guard !bytes.isEmpty, let deflater = pool.take(coding) else { return nil }
        defer { pool.giveBack(deflater) }
        return deflater.compress(bytes, upTo: bytes.count - 1)
    }

    private func stream(
        _ coding: ContentCoding,
        promised: Int?,
        _ produce: @escaping @Sendable (BodyWriter) async throws -> Void
    ) -> ResponseBody? {
        guard let permit = permits.take() else { return nil }
        return .stream { [pool] writer in
            guard let deflater = pool.take(coding) else { throw ContentCodingError.noMemory }
            let sink = DeflatingSink(writer, deflater, pool, promised: promised)
            try await produce(BodyWriter(sink))
            try await sink.finish()
            withExtendedLifetime(permit) {}
        }
    }
}

extension ContentCoding {
    /// A whole body in this coding, for what is compressed once and sent often; nil where that makes it no smaller.
    ///
    /// - Parameter level: from 1, fast, to 9, small.
    package func encode(_ body: [UInt8], level: Int) -> [UInt8]? {
        body.isEmpty ? nil : Deflater(self, level: level)?.compress(body, upTo: body.count - 1)
    }
}

/// Bounds how many streams are compressed at a time: each holds a state of 256 KB for as long as it lasts.
final class StreamPermits: Sendable {
    /// Permission to compress one stream. It ends with the last reference to it.
    final class Permit: Sendable {
        private let permits: StreamPermits

        fileprivate init(_ permits: StreamPermits) {
            self.permits = permits
        }

        deinit {
            permits.free.withLock { $0 += 1 }
        }
    }

    private let free: Locked<Int>

    init(_ count: Int) {
        free = Locked(count)
    }

    /// A permit; nil while all are taken.
    func take() -> Permit? {
        let isFree = free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
        return isFree ? Permit(self) : nil
    }
}
