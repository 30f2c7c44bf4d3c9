internal import Backlot

/// An app that is being mounted: pages, rpcs and uploads are added to it.
public struct ApplinApp {
    let routes: any Routes
    /// How the app's clients read actions.
    public let dialect: Dialect
}
