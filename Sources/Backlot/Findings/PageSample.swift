/// How a page is requested when it is checked: a path without parameters, and perhaps who is logged in.
public struct PageSample: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The page's path below the app's base URL, such as `/users/7`.
    public var path: String
    /// The user who is logged in; nil for nobody.
    public var user: String?

    /// A way to request a page.
    public init(_ path: String, user: String? = nil) {
        self.path = path
        self.user = user
    }

    /// A way to request a page, with nobody logged in.
    public init(stringLiteral path: String) {
        self.init(path)
    }
}
