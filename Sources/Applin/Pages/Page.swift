public import Backlot

/// The backend's response to a client that requests a page.
///
/// Source: Applin documentation, Pages.
public protocol Page: DroppedResponse, Sendable {
    /// The page's kind on the wire: `nav_page` or `plain_page`.
    var typ: StaticString { get }

    /// The widgets directly on the page.
    var children: [any Widget] { get }

    /// Writes the page as one JSON object.
    func encode(into writer: inout JSONWriter)
}

extension Page {
    /// The complete body of the response with this page: `{"page":{…}}`. Its content type is `application/vnd.applin_response`.
    ///
    /// Source: Applin documentation, Frontend-Backend Protocol, Applin Response Format.
    public func responseBody(dialect: Dialect = .documented) -> [UInt8] {
        responseBody(variant: dialect.variant())
    }

    /// The body for one version of the client: parts that it doesn't understand are replaced by their fallbacks.
    public func responseBody(for client: ClientVersion) -> [UInt8] {
        responseBody(variant: Dialect(of: client).variant(for: client))
    }

    /// - Parameter capacity: the number of bytes to reserve; most pages take less than 960.
    func responseBody(variant: Int, capacity: Int = 960) -> [UInt8] {
        JSONWriter.document(capacity: capacity, variant: variant) { encodeResponseBody(into: &$0) }
    }

    /// Writes the same as ``responseBody(dialect:)`` into a writer. You can use the writer's buffer again for the next page.
    public func encodeResponseBody(into writer: inout JSONWriter) {
        writer.object {
            $0.key("page")
            encode(into: &$0)
        }
    }
}

extension Page {
    /// Whether two pages are the same to clients: their wire forms are the same in the objects dialect.
    public static func == (left: Self, right: Self) -> Bool {
        left.responseBody(dialect: .objects) == right.responseBody(dialect: .objects)
    }
}

/// Keys that all pages have.
extension KeyVisitor where Self: ~Copyable {
    @inline(__always) mutating func pollSeconds(_ interval: Duration?) {
        self("poll_seconds", interval?.wholeSeconds).optional(
            "Polls the page every so many seconds while the app is in the foreground; 0 is ignored.",
            .unsigned
        )
    }

    @inline(__always) mutating func ephemeral(_ ephemeral: Bool?) {
        self("ephemeral", ephemeral).optional(
            "Whether a client that starts again forgets this page and those above it.",
            default: false,
            support: .since("0.14")
        )
    }
}

extension KeyedObject where Self: Page {
    package var wireName: StaticString { typ }
    package static var roles: [Role] { [.page] }
}

/// The body of a response: an object with a page in it.
enum PageResponse {
    static let vocabulary = Kind(
        "answer",
        as: [.response],
        "The body of a response.",
        keys: [.required("page", .object(.page), "The page.", rule: "not-a-page")]
    )
}
