/// Why a client got no document, or an interaction was not taken.
public enum DynamicViewsFailure: Error, Equatable, CustomStringConvertible {
    /// The server can't be reached. The text says why.
    case serverAway(String)
    /// The server refuses.
    case refused(status: Int, text: String)
    /// The answer is no document. The text says why.
    case noDocument(String)

    /// What went wrong.
    public var description: String {
        switch self {
        case .serverAway(let why): "the server can't be reached: \(why)"
        case .refused(let status, let text): "the server answers \(status): \(text)"
        case .noDocument(let why): "the answer is no document: \(why)"
        }
    }
}
