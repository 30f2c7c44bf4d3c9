import Applin
import Backlot

/// One page of the demo, in a file of its own under `Pages/`.
protocol DemoPage: SendableMetatype {
    /// The page's path.
    static var path: String { get }
    /// The page's title, which is also the text of the home page's button for it.
    static var title: String { get }
    /// Makes the page.
    static func page(_ request: Request) async throws -> any Page
}
