import A2UI
import Backlot

/// A function of the client that the server calls, in 1.0. Its catalog declares it with the callers `agentOnly` or `rendererOrAgent`.
///
/// ```swift
/// let here = RendererFunction<NoContext, String>("currentPlace")
/// booking.on(more) { _, turn in try turn.call(here, NoContext()) }
/// booking.on(here) { outcome, turn in turn.model.name = try outcome.get() }
/// ```
///
/// Calls aren't repeated: a client that reconnects before it has got one never sends a response.
///
/// Source: the A2UI specification, 1.0, callRendererFunction.
public struct RendererFunction<Arguments: Encodable & Sendable, Value: Decodable & Sendable>: Sendable {
    /// The name on the wire.
    public let name: String

    /// Names a function.
    public init(_ name: String) { self.name = name }

    /// The name of the handler of its responses.
    var handlerName: String { "\(name)()" }
}

/// The id of a call, which the response repeats. It says what the response is for, so that nothing is kept for it.
struct RendererCallID {
    let surfaceID: String
    let function: String
    private let number: Int

    init(surfaceID: String, function: String, number: Int) {
        (self.surfaceID, self.function, self.number) = (surfaceID, function, number)
    }

    /// nil for a text that is none.
    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 2)
        guard parts.count == 3, let number = Int(parts[0]) else { return nil }
        self.init(surfaceID: String(parts[2]), function: String(parts[1]), number: number)
    }

    var text: String { "\(number) \(function) \(surfaceID)" }
}

extension FunctionResponse {
    /// The response as an action, which has its handler.
    ///
    /// - Throws: an error of the protocol for the id of no call.
    func action() throws(A2UIError) -> ClientMessage.Action {
        guard let call = RendererCallID(callID) else {
            let text = "The server hasn't made a call with the id \(callID.excerpt.quoted)."
            throw A2UIError(.state, "unknown_call", text, at: "/rendererFunctionResponse/functionCallId")
        }
        var context = JSONObject()
        switch outcome {
        case .success(let value): context["value"] = value
        case .failure(let failure):
            context["error"] = ["code": .string(failure.code), "message": .string(failure.message)]
        }
        return ClientMessage.Action(
            name: "\(call.function)()",
            surfaceID: call.surfaceID,
            componentID: "",
            timestamp: "",
            context: context
        )
    }
}

extension ClientMessage {
    /// The action for a handler: a client's own, or the response to a call; nil for other messages.
    func handledAction() throws(A2UIError) -> Action? {
        switch content {
        case .action(let action): return action
        case .rendererFunctionResponse(let response): return try response.action()
        case .error(let report):
            guard let id = report.callID, RendererCallID(id) != nil else { return nil }
            let failure = FunctionResponse.Failure(code: report.code, message: report.message)
            return try FunctionResponse(callID: id, outcome: .failure(failure)).action()
        case .callAgentFunction: return nil
        }
    }
}
