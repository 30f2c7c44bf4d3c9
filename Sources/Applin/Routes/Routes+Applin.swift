public import Backlot

extension Routes {
    /// Mounts an Applin app.
    ///
    /// ```swift
    /// router.applin("/") { app in
    ///     app.page("/hello") { _ in navPage("Hello") { text("Hello!") } }
    ///     app.rpc("/save") { request in … }
    /// }
    /// ```
    /// - Parameters:
    ///   - path: the path of the app's base URL: `/`, or one that begins and ends with a slash, such as `/travel/`. Pages and
    ///     rpcs are named without it.
    ///   - dialect: how the app's clients read actions.
    ///   - register: adds the app's pages and rpcs.
    public func applin(
        _ path: String = "/",
        dialect: Dialect = .documented,
        file: String = #fileID,
        line: Int = #line,
        _ register: (ApplinApp) -> Void
    ) {
        guard path.hasPrefix("/"), path.hasSuffix("/") else {
            let fix = "the path of an app's base URL begins and ends with a slash, as in /travel/"
            return report("'\(path)' can't be a base URL's path: \(fix)", SourceLocation(file: file, line: line))
        }
        group(path) { register(ApplinApp(routes: $0, dialect: dialect)) }
    }
}
