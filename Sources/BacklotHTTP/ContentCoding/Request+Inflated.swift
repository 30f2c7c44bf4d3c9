internal import HTTPTypes

extension Request {
    /// The request as it would have been without its content codings: the body decodes them while it is read, and the
    /// fields that spoke of the encoded bytes are gone.
    ///
    /// - Parameter ratio: how many times as large as its encoded bytes the body may become.
    package func inflated(_ encoding: ContentEncoding, ratio: Int) throws(ContentCodingError) -> Request {
        var request = Request(
            head: head.without([.contentEncoding, .contentLength]),
            body: body,
            remoteAddress: remoteAddress
        )
        request.attributes = attributes
        guard !encoding.codings.isEmpty else { return request }
        let body = try InflatedBody(body, encoding, ratio: ratio)
        request.body = RequestBody(.inflated(body), limit: self.body.limit)
        return request
    }
}

extension RequestHead {
    /// The head without the fields of some names.
    fileprivate func without(_ names: [HTTPField.Name]) -> RequestHead {
        let bytes = bytes
        return RequestHead(
            bytes: bytes,
            line: line,
            fields: FieldTable(
                fields.filter { field in
                    !names.contains { name in bytes.span.equals(field.name, name: name) }
                }
            ),
            framing: framing,
            isPersistent: isPersistent,
            expectsContinue: expectsContinue,
            length: length
        )
    }
}
