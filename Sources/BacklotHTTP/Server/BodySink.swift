/// Where the pieces of a streamed body go: a connection, or something that changes them on their way there.
protocol BodySink: Sendable {
    /// Takes some bytes, and returns when there is room for more.
    ///
    /// - Throws: `StreamError`, as `BodyWriter.write` does.
    func write(_ bytes: [UInt8]) async throws
}
