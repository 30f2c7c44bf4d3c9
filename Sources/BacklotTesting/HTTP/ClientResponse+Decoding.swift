internal import BacklotHTTP
internal import HTTPTypes

extension ClientResponse {
    /// The answer with its body as it was before it was compressed. The header fields stay as they came.
    ///
    /// - Parameter limit: how many bytes the body may have then.
    /// - Throws: `ClientFailure.undecodable`, `ClientFailure.bodyTooLarge`.
    func decoded(limit: Int) throws(ClientFailure) -> ClientResponse {
        let codings = headers[values: .contentEncoding].joined(separator: ", ")
        guard !codings.isEmpty, !body.isEmpty else { return self }
        let plain: [UInt8]?
        do throws(ContentCodingError) {
            plain = try ContentEncoding(codings).decode(body, limit: limit)
        } catch {
            throw .undecodable(error.reason)
        }
        guard let plain else { throw .bodyTooLarge(limit: limit) }
        var response = self
        response.body = plain
        return response
    }
}
