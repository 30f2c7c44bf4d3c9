/// Judges the pages of one protocol. Each protocol's module has one, and registers it for preview and check.
public protocol PageInspector: Sendable {
    /// What is wrong with the page in an answer; empty when all is well.
    ///
    /// - Parameters:
    ///   - body: The answer's body, as a client gets it.
    ///   - path: The page's path below the app's base URL, such as `/new_account`.
    ///   - app: What else the app answers; nil when that isn't known, and links are not followed.
    func findings(inBody body: [UInt8], path: String, app: RouteLookup?) -> [Finding]

    /// The same for an app whose base URL is known, such as `http://localhost:8080/travel/`: absolute URLs can be judged then.
    func located(at baseURL: String) -> any PageInspector
}

extension PageInspector {
    /// Itself: not every protocol has rules about absolute URLs.
    public func located(at baseURL: String) -> any PageInspector { self }
}
