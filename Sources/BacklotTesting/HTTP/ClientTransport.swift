/// Brings a request to a server and an answer back: in process, over a socket, or over TLS.
///
/// A transport follows no redirects, keeps no cookies and decompresses nothing: ``ClientSession`` does.
public protocol ClientTransport: Sendable {
    /// Sends one request, and returns the answer when all of it is there.
    ///
    /// May be called from many tasks at once.
    func response(to request: ClientRequest, limits: ClientLimits) async throws(ClientFailure) -> ClientResponse
}
