import BacklotHTTP

/// The limits that targets work with.
enum FuzzLimits {
    static let defaults = ServerConfiguration.Limits()

    /// So small that inputs of a fuzzer's size reach them.
    static let tiny: ServerConfiguration.Limits = {
        var limits = ServerConfiguration.Limits()
        limits.requestLine = 30
        limits.head = 100
        limits.fields = 3
        limits.leadingEmptyLines = 1
        limits.chunkExtension = 5
        limits.chunkExtensionsInAll = 8
        limits.trailers = 12
        return limits
    }()
}
