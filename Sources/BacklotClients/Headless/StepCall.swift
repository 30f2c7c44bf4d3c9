internal import Backlot

/// A step that a test calls, for its failures.
struct StepCall {
    /// The step, as the test has it: `tap("Create")`.
    let name: String
    /// The file and line of the step.
    let place: String

    init(_ name: String, _ file: String, _ line: Int) { (self.name, place) = (name, "\(file):\(line)") }
}

/// A client whose steps have failures of the same form.
protocol SteppedClient: AnyObject {
    /// What is on the screen, as a text for failures.
    var drawn: String { get }
}

extension SteppedClient {
    /// The step can't be done.
    func failure(_ step: StepCall, _ problem: String) -> StepError {
        StepError(step: step.name, problem: problem, screen: drawn, place: step.place)
    }

    /// What a step names isn't there; perhaps something like it is.
    func missing(_ step: StepCall, _ problem: String, _ name: String, among names: [String]) -> StepError {
        let near = Suggestion.nearest(to: name, among: names).map { "; there is \"\($0)\"" } ?? ""
        return failure(step, "\(problem) \"\(name)\"\(near)")
    }

    /// Throws a `BackendError` where findings are errors.
    func judge(_ findings: [Finding], _ step: StepCall) throws {
        let errors = findings.filter { $0.severity == .error }
        guard errors.isEmpty else {
            throw BackendError(step: step.name, findings: errors, screen: drawn, place: step.place)
        }
    }
}
