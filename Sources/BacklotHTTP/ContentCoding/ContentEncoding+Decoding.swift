extension ContentEncoding {
    /// How many bytes may be gone through for each that the body may have: several codings, and gzip members without content,
    /// are work without a result.
    private static let workPerByte = 16

    /// Takes the codings off a body that is there as a whole.
    ///
    /// - Parameter limit: how many bytes it may have without them.
    /// - Returns: nil where it has more, or where that can't be told with a reasonable amount of work.
    /// - Throws: why the body isn't what the codings say.
    package func decode(_ body: [UInt8], limit: Int) throws(ContentCodingError) -> [UInt8]? {
        guard !codings.isEmpty else { return body }
        var inflation = try Inflation(codings, ratio: .max)
        inflation.feed(body)
        var decoded: [UInt8] = []
        while inflation.work / Self.workPerByte <= limit {
            switch try inflation.step() {
            case .piece(let piece):
                guard decoded.count + piece.count <= limit else { return nil }
                decoded += piece
            case .working: continue
            case .wantsInput:
                try inflation.finish()
                return decoded
            }
        }
        return nil
    }
}
