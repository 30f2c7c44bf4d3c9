public import Backlot

/// A page of the web, or a piece of HTML.
///
/// Source: Xpedite API reference, component-web.
public struct Web: Component, Sized, Backed, KeyedPart {
    /// The content: one of the two, never both.
    public enum Source: Sendable, Equatable {
        /// The page at a URL.
        case url(String)
        /// This HTML.
        case content(String)

        fileprivate var url: String? { if case .url(let url) = self { url } else { nil } }
        fileprivate var content: String? { if case .content(let content) = self { content } else { nil } }
    }

    /// The content.
    public let source: Source
    /// The background's colour.
    public var background: String?
    /// The place and the size.
    public var size: Size?
    /// The name for error messages.
    public var id: String?

    /// `web`
    public var type: StaticString { "web" }

    static let vocabulary = Kind(
        Web(source: .url("")),
        "A page of the web, or a piece of HTML.",
        noun: "a web component",
        groups: [.exactlyOne("web", "content", name: "web-source")]
    )

    /// Writes the component as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        keys("web", source.url).optional("The URL of the page.", .filled)
        keys("content", source.content).optional("The HTML.")
        keys.background(background)
    }
}

/// Makes a ``Web`` that shows the page at a URL.
///
/// ```swift
/// page("Help") { web(url: "https://clinic.example/help") }
/// ```
public func web(url: String) -> Web {
    Web(source: .url(url))
}

/// Makes a ``Web`` that shows HTML.
///
/// ```swift
/// page("Help") { web(content: "<h1>Help</h1>") }
/// ```
public func web(content: String) -> Web {
    Web(source: .content(content))
}
