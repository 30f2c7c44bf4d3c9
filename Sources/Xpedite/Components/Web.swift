import Backlot
public import BacklotJSON

/// A page of the web, or a piece of HTML.
///
/// Source: Xpedite API reference, component-web.
public struct Web: Component, Sized, Backed {
    /// The content: one of the two, never both.
    public enum Source: Sendable, Equatable {
        /// The page at a URL.
        case url(String)
        /// This HTML.
        case content(String)
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

    /// Writes the component as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.component(self) {
            switch source {
            case .url(let url): $0.field("web", url)
            case .content(let content): $0.field("content", content)
            }
            $0.field("background", background)
        }
    }
}

extension Web {
    static let vocabulary = Kind(
        "web",
        as: [.component],
        "A page of the web, or a piece of HTML.",
        noun: "a web component",
        groups: [.exactlyOne("web", "content", name: "web-source")],
        keys: .part([
            .optional("web", .filled, "The URL of the page."),
            .optional("content", .string, "The HTML."),
            .background,
        ])
    )
}

/// Makes a ``Web`` that shows the page at a URL.
public func web(url: String) -> Web {
    Web(source: .url(url))
}

/// Makes a ``Web`` that shows HTML.
public func web(content: String) -> Web {
    Web(source: .content(content))
}
