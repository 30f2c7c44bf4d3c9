public import BacklotHTTP
internal import HTTPTypes
public import Logging

/// Calls a handler as its server would, without a socket: the same answers, at a fraction of the time.
public struct InProcessTransport: ClientTransport {
    /// The URL of the handler's root: what is asked for elsewhere can't be reached.
    public static let root = "http://localhost/"

    private let server: InProcessServer

    /// A transport that calls a handler.
    ///
    /// - Parameter logger: where errors go that a handler throws and that have no status of their own.
    /// - Throws: what the handler finds wrong with itself, such as two routes for one path.
    public init(_ handler: any Handler, logger: Logger = Logger(label: "backlot.testing")) throws {
        try handler.prepare()
        server = InProcessServer(handler, logger: logger)
    }

    /// Calls the handler and returns its answer.
    ///
    /// After `limits.total` the answer is not waited for any longer. The handler's task is cancelled then, and goes on for as
    /// long as it doesn't look.
    public func response(
        to request: ClientRequest,
        limits: ClientLimits
    ) async throws(ClientFailure) -> ClientResponse {
        guard request.url.scheme == .http, request.url.host == "localhost", request.url.port == 80 else {
            throw .outsideOfProcess(request.url)
        }
        var headers = request.headers
        if request.waitsForContinue { headers[.expect] = "100-continue" }
        let incoming: Request
        do throws(RequestError) {
            incoming = try Request(request.method, request.url.target, headers: headers, body: request.body)
        } catch {
            throw .malformed("the request itself: \(error.reason)")
        }
        let server = server
        let result = await race(limits.total) { () async -> Result<IncomingResponse, ClientFault> in
            do throws(ClientFault) {
                return .success(try await server.response(to: incoming, bodyLimit: limits.body))
            } catch {
                return .failure(error)
            }
        }
        do throws(ClientFault) {
            return ClientResponse(try result.get())
        } catch {
            throw ClientFailure(error)
        }
    }
}

/// Runs an operation in a new task, and stops waiting when the time is over or the caller is cancelled.
private func race(
    _ limit: Duration,
    _ operation: @escaping @Sendable () async -> Result<IncomingResponse, ClientFault>
) async -> Result<IncomingResponse, ClientFault> {
    let finish = Finish()
    return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            finish.begin(continuation)
            let work = Task.immediate { finish.end(await operation()) }
            guard !finish.hasEnded else { return }
            let watch = Task {
                try await Task.sleep(for: limit)
                finish.end(.failure(.timedOut("the handler had not answered after \(limit.milliseconds) ms")))
            }
            finish.cancelAtEnd([{ work.cancel() }, { watch.cancel() }])
        }
    } onCancel: {
        finish.end(.failure(.cancelled))
    }
}

/// Resumes a continuation once, with the first result.
private final class Finish: Sendable {
    private typealias Answer = Result<IncomingResponse, ClientFault>

    private struct State {
        var continuation: CheckedContinuation<Result<IncomingResponse, ClientFault>, Never>?
        var early: Result<IncomingResponse, ClientFault>?
        var hasEnded = false
        var cancellations: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func begin(_ continuation: CheckedContinuation<Result<IncomingResponse, ClientFault>, Never>) {
        let early = state.withLock { state in
            if state.early == nil { state.continuation = continuation }
            return state.early
        }
        if let early { continuation.resume(returning: early) }
    }

    func end(_ result: Result<IncomingResponse, ClientFault>) {
        let (continuation, cancellations) = state.withLock { state in
            defer { (state.continuation, state.cancellations) = (nil, []) }
            if !state.hasEnded, state.continuation == nil { state.early = result }
            state.hasEnded = true
            return (state.continuation, state.cancellations)
        }
        for cancel in cancellations { cancel() }
        continuation?.resume(returning: result)
    }

    func cancelAtEnd(_ cancellations: [@Sendable () -> Void]) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.cancellations = cancellations }
            return state.hasEnded
        }
        if hasEnded { for cancel in cancellations { cancel() } }
    }
}
