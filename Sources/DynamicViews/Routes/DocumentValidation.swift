/// What becomes of a document that clients would refuse.
public enum DocumentValidation: Sendable {
    /// `answer` in debug builds, `log` in others.
    case automatic
    /// The answer is a 500 that lists what is wrong, instead of the document.
    case answer
    /// The document goes out. What is wrong with it is logged, at the first request for it only.
    case log
    /// Documents are not looked at.
    case off

    /// What `automatic` stands for.
    var resolved: DocumentValidation {
        guard case .automatic = self else { return self }
        #if DEBUG
        return .answer
        #else
        return .log
        #endif
    }
}
