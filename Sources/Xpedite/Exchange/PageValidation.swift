/// What becomes of a page that breaks rules which clients rely on.
public enum PageValidation: Sendable {
    /// `answer` in debug builds, `log` in others.
    case automatic
    /// The answer lists what is wrong, instead of the page.
    case answer
    /// The page goes out. What is wrong with it is logged, for each method once.
    case log
    /// Pages are not looked at.
    case off

    /// What `automatic` stands for.
    var resolved: PageValidation {
        guard case .automatic = self else { return self }
        #if DEBUG
        return .answer
        #else
        return .log
        #endif
    }
}
