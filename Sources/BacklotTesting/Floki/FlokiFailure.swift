/// Why a client shows nothing.
public enum FlokiFailure: Error, Equatable, CustomStringConvertible {
    /// There is no answer with a status of 200 to 299, and nothing was kept. The text says why.
    case noAnswer(url: String, why: String)
    /// The answer is no JSON object.
    case noObject(url: String)

    /// What went wrong.
    public var description: String {
        switch self {
        case .noAnswer(let url, let why): "\(url) gives nothing to show: \(why)"
        case .noObject(let url): "\(url) is no JSON object"
        }
    }
}
