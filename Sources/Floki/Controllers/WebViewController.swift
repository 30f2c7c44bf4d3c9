import Backlot

/// A web page.
///
/// Source: Floki server protocols, Web_view_controller class data.
public struct WebViewController: KeyedController {
    /// `Web_view_controller`
    public var className: StaticString { "Web_view_controller" }
    /// The page's address, without the code of the language.
    public let mainURL: Link
    var values = KeyedValues()

    init(mainURL: Link) { self.mainURL = mainURL }

    /// Lets people scale the page.
    public func scalesPageToFit(_ isOn: Bool = true) -> Self { with("scales_page_to_fit", isOn) }
}

extension WebViewController {
    static let vocabulary = Kind(
        "Web_view_controller",
        as: [.controller],
        "A web page.",
        keys: [
            .mainURL,
            .optional("scales_page_to_fit", .bool, "Whether people can scale the page.", default: false),
        ]
    )
}

/// Makes a ``WebViewController``.
///
/// ```swift
/// let about = app.page("about") { page in "<h1>\(page.language)</h1>" }
/// app.tab(2, "about", webViewController(about))
/// ```
/// - Parameter url: the page without the code of the language, which clients append: `"/about/"` for the page "about" of
///   ``FlokiApp/page(_:file:line:_:)``.
public func webViewController(_ url: Link) -> WebViewController { WebViewController(mainURL: url) }
