/// Puts answers' bodies into content codings.
package final class ContentEncoder: Sendable {
    /// The largest body that is compressed in one go, on the event loop. Larger ones are compressed piece by piece,
    /// partly on other threads.
    static let mostAtOnce = Turn.length

    private let pool: DeflaterPool
    /// Bounds how many streams are compressed at a time: each holds a state of 256 KB for as long as it lasts.
    private let streams: BufferBudget

    /// An encoder.
    ///
    /// - Parameters:
    ///   - level: from 1, fast, to 9, small.
    ///   - streams: how many bodies may be compressed piece by piece at a time.
    package init(level: Int, streams: Int) {
        pool = DeflaterPool(level: level)
        self.streams = BufferBudget(limit: streams)
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
        guard streams.takeIfFree(1) else { return nil }
        // It ends with the stream, or when nobody writes it.
        let ticket = Ticket { [streams] in streams.take(-1) }
        return .stream { [pool] writer in
            guard let deflater = pool.take(coding) else { throw ContentCodingError.noMemory }
            let sink = DeflatingSink(writer, deflater, pool, promised: promised)
            try await produce(BodyWriter(sink))
            try await sink.finish()
            withExtendedLifetime(ticket) {}
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
