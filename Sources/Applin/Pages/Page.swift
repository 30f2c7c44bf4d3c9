public import BacklotJSON

/// What the backend answers when the client asks for a page.
///
/// Source: Applin documentation, Pages.
public protocol Page: Sendable {
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
        JSONWriter.document(capacity: 960, dialect: dialect) { encodeResponseBody(into: &$0) }  // most pages take less
    }

    /// Writes the same as ``responseBody(dialect:)`` into a writer, whose buffer can then be used for the next page.
    public func encodeResponseBody(into writer: inout JSONWriter) {
        writer.object {
            $0.key("page")
            encode(into: &$0)
        }
    }
}
