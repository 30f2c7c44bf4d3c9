extension AcceptEncoding {
    /// Whether a body that is there in gzip and as it is should be sent in gzip: the client takes it, and doesn't rather have
    /// the body as it is.
    package var prefersGzip: Bool {
        let gzip = gzip ?? others ?? 0
        return gzip > 0 && gzip >= identity ?? others ?? 0
    }
}
