public import BacklotClients
internal import BacklotHTTP
internal import HTTPTypes

/// A transport that fails requests on demand, as mobile networks do.
///
/// ```swift
/// let network = FaultyTransport(SocketTransport())
/// let app = try ApplinClient(url: "http://127.0.0.1:8080/", transport: network)
/// try await app.launch()
/// network.failNext(.lost)
/// try await app.tap("Create Account")
/// #expect(app.errorKind == .network)
/// ```
public final class FaultyTransport: ClientTransport {
    /// A fault of a request.
    public enum Fault: String, Sendable, CaseIterable {
        /// The request never reaches the backend.
        case unsent
        /// The backend handles the request, but its response gets lost.
        case lost
        /// The response ends in the middle.
        case cut
        /// The response arrives a tenth of a second late.
        case late
        /// The backend gets the request twice at the same time, as when a proxy repeats it. The client gets the response with the
        /// higher status.
        case twice
    }

    private let transport: any ClientTransport
    private let next = Locked(Fault?.none)

    /// Creates a transport without faults until ``failNext(_:)`` is called.
    public init(_ transport: any ClientTransport) {
        self.transport = transport
    }

    /// Adds a fault to the next request; nil cancels the fault.
    public func failNext(_ fault: Fault?) { next.withLock { $0 = fault } }

    /// Sends a request, with the fault set by ``failNext(_:)``.
    public func response(to request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientResponse {
        switch takeFault() {
        case nil: return try await transport.response(to: request, limits: limits)
        case .unsent: throw .notConnected("the request was kept back")
        case .lost:
            _ = try await transport.response(to: request, limits: limits)
            throw .cutShort(bodyBytes: nil)
        case .cut:
            let response = try await transport.response(to: request, limits: limits)
            throw .cutShort(bodyBytes: response.body.count / 2)
        case .late:
            let response = try await transport.response(to: request, limits: limits)
            try? await Task.sleep(for: .milliseconds(100))
            return response
        case .twice:
            async let other = result(of: request, limits)
            let first = await result(of: request, limits)
            // Both requests end, even if the first one fails, before the next is sent.
            let second = await other
            let responses = (try first.get(), try second.get())
            return responses.0.status.code >= responses.1.status.code ? responses.0 : responses.1
        }
    }

    /// Opens a stream, with the fault set by ``failNext(_:)``. With ``Fault/lost`` and ``Fault/cut`` it fails before its pieces, and
    /// ``Fault/twice`` doesn't repeat its request.
    public func open(_ request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientStream {
        let fault = takeFault()
        if fault == .unsent { throw .notConnected("the request was kept back") }
        let stream = try await transport.open(request, limits: limits)
        if fault == .lost || fault == .cut { throw .cutShort(bodyBytes: nil) }
        if fault == .late { try? await Task.sleep(for: .milliseconds(100)) }
        return stream
    }

    private func takeFault() -> Fault? {
        next.withLock { fault in
            defer { fault = nil }
            return fault
        }
    }

    private func result(
        of request: ClientRequest,
        _ limits: ClientLimits
    ) async -> Result<ClientResponse, ClientError> {
        do throws(ClientError) {
            return .success(try await transport.response(to: request, limits: limits))
        } catch {
            return .failure(error)
        }
    }
}
