public import BacklotClients
internal import BacklotHTTP
internal import HTTPTypes

/// A way to a backend on which a test lets a request go wrong, as networks of phones do.
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
    /// What goes wrong with a request.
    public enum Fault: String, Sendable, CaseIterable {
        /// The request never gets to the backend.
        case unsent
        /// The backend does what is asked for, and its answer gets lost.
        case lost
        /// The answer ends in the middle.
        case cut
        /// The answer comes a tenth of a second late.
        case late
        /// The request gets to the backend twice at the same time, as when something on the way sends it again. The worse answer is
        /// the one that comes.
        case twice
    }

    private let transport: any ClientTransport
    private let next = Locked(Fault?.none)

    /// A way on which nothing goes wrong until ``failNext(_:)`` is called.
    public init(_ transport: any ClientTransport) {
        self.transport = transport
    }

    /// Lets the next request go wrong; nil takes that back.
    public func failNext(_ fault: Fault?) { next.withLock { $0 = fault } }

    /// Sends a request, or does what was asked for with ``failNext(_:)``.
    public func response(to request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientResponse {
        let fault = next.withLock { fault in
            defer { fault = nil }
            return fault
        }
        switch fault {
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
            // Both have ended, whatever became of the first, before the next request is sent.
            let second = await other
            let responses = (try first.get(), try second.get())
            return responses.0.status.code >= responses.1.status.code ? responses.0 : responses.1
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
