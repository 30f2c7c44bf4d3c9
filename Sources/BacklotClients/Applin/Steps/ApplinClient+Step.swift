internal import Backlot

/// Why a step can't be done.
struct StepProblem: Error {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}

extension ApplinClient {
    /// Does a step, then what is due at once after it, and says what was wrong with the step or with the backend.
    ///
    /// - Parameter needsLaunch: whether there must be a page.
    func step(
        _ name: String,
        _ file: StaticString,
        _ line: Int,
        needsLaunch: Bool = true,
        _ body: (ApplinClient) async throws(StepProblem) -> Void
    ) async throws {
        stepFindings = []
        let place = "\(file):\(line)"
        do throws(StepProblem) {
            if needsLaunch, state.top == nil { throw StepProblem("the app isn't launched: call launch() first") }
            try await body(self)
        } catch {
            throw StepFailure(step: name, problem: error.text, screen: screen, place: place)
        }
        await advance(to: state.now)
        // In process nothing may have suspended: other tests get their turn.
        await Task.yield()
        let failing = stepFindings.filter { finding in
            switch configuration.failingSeverity {
            case nil: false
            case .error?: finding.severity == .error
            case .warning?: finding.severity != .note
            case .note?: true
            }
        }
        guard failing.isEmpty else {
            throw BackendFailure(step: name, findings: failing, screen: screen, place: place)
        }
    }

    /// The page that can be touched.
    ///
    /// - Throws: `StepProblem` where something stands in front of it.
    func touchablePage() throws(StepProblem) -> PageContents {
        switch state.layer {
        case .none: break
        case .modal(let modal):
            throw StepProblem("the modal \(modal.title.inQuotes) is in front of the page: tap one of its buttons first")
        case .photoPicker:
            throw StepProblem("the photo picker is in front of the page: call uploadPhoto() or cancelPhoto() first")
        }
        guard let page = state.top?.page else { throw StepProblem("there is no page") }
        return page
    }

    /// Says that something isn't there, and what is.
    func missing(_ noun: String, _ name: String, among names: [String]) -> StepProblem {
        let start = "no \(noun) \(name.inQuotes)"
        let names = names.filter { !$0.isEmpty }
        if let nearest = Suggestion.nearest(to: name, among: names) {
            return StepProblem("\(start); there is \(nearest.inQuotes)")
        }
        guard !names.isEmpty else { return StepProblem("\(start), nor any other") }
        let shown = names.prefix(12).map(\.inQuotes).joined(separator: ", ")
        return StepProblem("\(start); there are \(shown)\(names.count > 12 ? " and \(names.count - 12) more" : "")")
    }
}
