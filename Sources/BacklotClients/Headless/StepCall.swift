internal import Backlot

/// A step's call in a test, for errors.
struct StepCall {
    /// The call's text: `tap("Create")`.
    let name: String
    /// The file and line of the step.
    let location: String

    init(_ name: String, _ file: String, _ line: Int) { (self.name, location) = (name, "\(file):\(line)") }
}

/// A client with common errors for its steps.
protocol SteppedClient: AnyObject {
    /// The screen as text, for errors.
    var drawn: String { get }
}

extension SteppedClient {
    /// The error for an impossible step.
    func failure(_ step: StepCall, _ problem: String) -> StepError {
        StepError(step: step.name, problem: problem, screen: drawn, location: step.location)
    }

    /// The error for a missing name, with a similar name as a suggestion.
    func missing(_ step: StepCall, _ problem: String, _ name: String, among names: [String]) -> StepError {
        let near = Suggestion.nearest(to: name, among: names).map { "; there is \"\($0)\"" } ?? ""
        return failure(step, "\(problem) \"\(name)\"\(near)")
    }

    /// Throws a `BackendError` if any finding is an error.
    func judge(_ findings: [Finding], _ step: StepCall) throws {
        let errors = findings.filter { $0.severity == .error }
        guard errors.isEmpty else {
            throw BackendError(step: step.name, findings: errors, screen: drawn, location: step.location)
        }
    }
}
