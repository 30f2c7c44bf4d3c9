public import Backlot
public import BacklotJSON

/// The backend's answer when the client asks for a page.
///
/// Source: Applin documentation, Pages.
public protocol Page: DroppedAnswer, Sendable {
    /// The page's kind on the wire: `nav_page` or `plain_page`.
    var typ: StaticString { get }

    /// The widgets directly on the page.
    var children: [any Widget] { get }

    /// Writes the page as one JSON object.
    func encode(into writer: inout JSONWriter)
}

extension Page {
    /// The complete body of the answer that shows this page: `{"page":{…}}`. Its content type is
    /// `application/vnd.applin_response`.
    ///
    /// Source: Applin documentation, Frontend-Backend Protocol, Applin Response Format.
    public func responseBody(dialect: Dialect = .documented) -> [UInt8] {
        responseBody(variant: dialect.variant())
    }

    /// The same for one version of the client: what it doesn't understand gives place to its fallback.
    public func responseBody(for client: ClientVersion) -> [UInt8] {
        responseBody(variant: Dialect(of: client).variant(for: client))
    }

    /// - Parameter capacity: how many bytes to make room for; most pages take less than 960.
    func responseBody(variant: Int, capacity: Int = 960) -> [UInt8] {
        JSONWriter.document(capacity: capacity, variant: variant) { encodeResponseBody(into: &$0) }
    }

    /// Writes the same as ``responseBody(dialect:)`` into a writer, whose buffer can then be used for the next page.
    public func encodeResponseBody(into writer: inout JSONWriter) {
        writer.object {
            $0.key("page")
            encode(into: &$0)
        }
    }
}

/// Keys that all pages have.
extension Key {
    static let pollSeconds = optional(
        "poll_seconds",
        .unsigned,
        "Polls the page every so many seconds while the app is in the foreground; 0 is ignored."
    )

    static let ephemeral = optional(
        "ephemeral",
        .bool,
        "Whether a client that starts again forgets this page and those above it.",
        default: false,
        support: .since("0.14")
    )
}

/// The body of an answer: an object with a page in it.
enum PageAnswer {
    static let vocabulary = Kind(
        "answer",
        as: [.answer],
        "The body of an answer.",
        keys: [.required("page", .object(.page), "The page.", rule: "not-a-page")]
    )
}

/// A page without a title bar and a back button, such as the first one of an app.
///
/// Source: Applin documentation, Pages, Plain Page.
public struct PlainPage: Page {
    /// The title, which is not shown, but known to analytics tools.
    public let title: String?
    /// The widget that the page shows.
    public let widget: any Widget
    var poll: Duration?
    var ephemeral: Bool?

    /// `plain_page`
    public var typ: StaticString { "plain_page" }

    /// The one widget.
    public var children: [any Widget] { [widget] }

    /// Writes the page as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.object(typ: typ) {
            $0.field("title", title)
            $0.field("poll_seconds", poll?.wholeSeconds)
            $0.field("ephemeral", ephemeral)
            $0.field("widget", widget)
        }
    }

    /// Polls the page again and again while the app is in the foreground, and when the app comes back to it: the wire's
    /// `poll_seconds`.
    ///
    /// - Parameter interval: the time between two requests, in whole seconds, rounded up, at most 2³² − 1. Clients take zero
    ///   for never.
    public consuming func poll(every interval: Duration?) -> PlainPage { changing(self) { $0.poll = interval } }

    /// Says that a client which starts again does not come back to this page, nor to those above it.
    public consuming func ephemeral(_ ephemeral: Bool = true) -> PlainPage {
        changing(self) { $0.ephemeral = ephemeral }
    }
}

extension PlainPage {
    static let vocabulary = Kind(
        "plain_page",
        as: [.page],
        "A page without a title bar and a back button.",
        keys: [
            .optional("title", .string, "The title, which is not shown, but known to analytics tools."),
            .pollSeconds,
            .ephemeral,
            .required("widget", .object(.widget), "The widget that the page shows."),
        ]
    )
}

/// Makes a ``PlainPage`` with exactly one widget inside.
public func plainPage(_ title: String? = nil, @SingleWidgetBuilder _ widget: () -> any Widget) -> PlainPage {
    PlainPage(title: title, widget: widget())
}
