public import HTTPTypes

/// Says which methods an app answers at a path, so that rules can follow the links on a page.
public struct RouteLookup: Sendable {
    private let lookup: @Sendable (String) -> [HTTPRequest.Method]?

    /// A lookup that asks a function.
    ///
    /// - Parameter lookup: The methods that are answered at a path below the app's base URL, such as `/new_account`. An
    ///   empty array says that nothing is there, nil that it isn't known; then nobody complains about links to it.
    public init(_ lookup: @escaping @Sendable (String) -> [HTTPRequest.Method]?) {
        self.lookup = lookup
    }

    /// The methods that are answered at a path; nil when it isn't known.
    public func methods(at path: String) -> [HTTPRequest.Method]? {
        lookup(path)
    }
}
