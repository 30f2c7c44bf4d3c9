internal import Backlot
internal import BacklotClients
internal import BacklotJSON
internal import HTTPTypes

/// A log-in, or a step to another state, that the mocks accept and the backend refuses.
struct FailedStep: Sendable, Equatable {
    /// Method and path: `POST /sign_up`.
    let title: String
    /// The backend's answer, such as `422 Unprocessable Content`.
    let answer: String

    /// Why what comes after it is not compared.
    var reason: String {
        "it comes after \(title), which the backend refuses (\(answer)): --variable gives that request other values"
    }
}

extension DriftExchange {
    /// The step that has failed; nil where the backend accepts what the mocks accept.
    func failedStep(_ title: String) -> FailedStep? {
        guard [.successful, .redirection].contains(mock.status.kind) else { return nil }
        guard case .success(let answer) = backend else { return FailedStep(title: title, answer: "no answer") }
        guard ![.successful, .redirection].contains(answer.status.kind) else {
            guard mock.document?["rc"] == 0, let code = answer.document?["rc"], code != 0 else { return nil }
            return FailedStep(title: title, answer: "the return code \(code)")
        }
        return FailedStep(title: title, answer: "\(answer.status)")
    }

    /// Whether the backend refuses what the mocks accept: for what was sent, or for who has sent it.
    var isRefused: Bool {
        guard mock.status.kind == .successful, case .success(let answer) = backend else { return false }
        return [401, 403, 422].contains(answer.status.code)
    }

    /// Whether the backend answers with another return code than 0, where the mocks answer with 0.
    var isRefusedByCode: Bool {
        guard mock.document?["rc"] == 0, case .success(let answer) = backend else { return false }
        return answer.document?["rc"].map { $0 != 0 } ?? false
    }

    /// Whether the backend leads elsewhere where the mocks answer.
    var isRedirected: Bool {
        guard mock.status.kind == .successful, case .success(let answer) = backend else { return false }
        return request.method == .get && answer.status.kind == .redirection
    }

    /// Whether the backend asks for a log-in where the mocks don't.
    var asksForLogIn: Bool {
        guard mock.status.kind == .successful, case .success(let answer) = backend else { return false }
        return [401, 403].contains(answer.status.code)
    }
}
