internal import BacklotHTTP

extension Request {
    /// Refuses a request to read something that announces a body beyond the limit: nobody would take that body.
    ///
    /// A small one does no harm, and is passed over (RFC 9110, section 9.3.1).
    ///
    /// - Throws: `StatusError` with 400.
    func refuseLargeBody() throws(StatusError) {
        guard let length = body.declaredLength, length > body.limit else { return }
        throw StatusError(
            .badRequest,
            "\(method) takes no body here, and this request announces one of \(length) bytes"
        )
    }
}
