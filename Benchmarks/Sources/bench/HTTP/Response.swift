/// An HTTP/1.1 response with a Content-Length, which is all that the measured servers send.
struct Response: Equatable {
    var status: Int
    /// Field names in lower case.
    var fields: [String: String]
    var body: [UInt8]

    /// True unless the server says that it closes the connection after this answer.
    var keepsAlive: Bool {
        fields["connection"]?.lowercased() != "close"
    }
}
