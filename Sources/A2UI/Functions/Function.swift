public import Backlot

/// A function that components call, for their texts, checks and actions.
///
/// Source: the A2UI specification, Functions.
public struct Function: Sendable {
    /// The type of a result, as catalogs name it.
    public enum ResultType: String, Sendable {
        case string, number, boolean, array, object, any, void
        /// In 1.0. A boolean in 0.9.
        case validationResult
    }

    /// The callers that a function of 1.0 permits.
    public enum Callers: String, Sendable {
        case rendererOnly, agentOnly, rendererOrAgent
    }

    /// Computes the result from arguments without bindings and calls; nil means no value.
    public typealias Body = @Sendable (_ arguments: JSONObject, inout Evaluator) throws(A2UIError) -> JSONValue?

    /// The name in calls.
    public let name: String
    /// The meaning, in one sentence.
    public let meaning: String
    /// The type of the result.
    public let result: ResultType
    /// The arguments.
    public let parameters: [Property]
    /// Arguments that can replace each other: a call needs at least one of them. Empty without such a rule.
    var alternatives: [String] = []
    /// The permitted callers.
    public var callers = Callers.rendererOnly
    /// Whether only a user's tap may call it.
    public var requiresUserActivation = false
    /// nil for a function that a catalog declares, and this program doesn't have.
    var body: Body?

    /// Declares a function.
    ///
    /// - Parameters:
    ///   - name: the name in calls.
    ///   - meaning: the meaning, in one sentence.
    ///   - result: the type of the result.
    ///   - parameters: the arguments.
    ///   - body: computes the result.
    public init(
        _ name: String,
        _ meaning: String,
        returns result: ResultType,
        parameters: [Property],
        body: Body? = nil
    ) {
        (self.name, self.meaning, self.result) = (name, meaning, result)
        (self.parameters, self.body) = (parameters, body)
    }
}
