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
    ///   - path: the path of the app's base URL: `/`, or one that begins and ends with a slash.
    ///   - register: adds the app's pages and rpcs.
    public func applin(_ path: String = "/", _ register: (ApplinApp) -> Void) {
        group(path) { register(ApplinApp(routes: $0)) }
    }
}

/// An app that is being mounted: pages and rpcs are added to it.
public struct ApplinApp {
    let routes: any Routes
}
