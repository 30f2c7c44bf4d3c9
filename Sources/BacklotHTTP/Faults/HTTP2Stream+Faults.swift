/// The nearest that one stream of a connection can come to a broken connection.
extension HTTP2Stream {
    /// Resets the stream, after the head of the answer where the fault has one.
    func commit(_ fault: ConnectionFault, _ response: Response) {
        guard fault == .malformedChunk else {
            isAnswered = true
            return reset(.internalError)
        }
        submit(response, hasBody: true)
        // The library drops a head that waits when its stream is reset.
        loop.later { [self] in reset(.internalError) }
    }
}
