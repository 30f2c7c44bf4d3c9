internal import Backlot
public import BacklotJSON

/// A page that is read back from the body of a response, for tests.
///
/// ```swift
/// let page = try ParsedPage(parsing: response.text)
/// #expect(page == navPage("Travel") { text("Where to?") })
/// #expect(page.texts == ["Where to?"])
/// ```
public struct ParsedPage: Equatable, Sendable, CustomStringConvertible {
    /// The page's JSON: `{"typ":"nav_page",…}`.
    public let json: JSONValue
    /// The form of its actions; nil for a page without any.
    public let dialect: Dialect?

    /// Reads the body of a response.
    ///
    /// - Throws: `JSONParseError` for a text that isn't JSON; `DocumentError`, with the place and the reason, for a body without a
    ///   page that clients load.
    public init(parsing body: String) throws { try self.init(parsing: Array(body.utf8)) }

    /// Reads the bytes of a response's body.
    ///
    /// - Throws: As the other one.
    public init(parsing body: [UInt8]) throws {
        let document = try JSONValue(parsing: body)
        dialect = Dialect(ofActionsIn: document)
        json = document["page"] ?? .null
        let findings = ApplinInspector(dialect: dialect).findings(in: document, path: "/", app: nil)
        if let finding = findings.first(where: \.isRejection) {
            throw DocumentError(pointer: finding.path.pointer, problem: finding.message)
        }
    }

    /// The title; nil for a plain page without one.
    public var title: String? { json["title"]?.string }

    /// The texts of all widgets, in the order of the page.
    public var texts: [String] {
        let widgets = ApplinRules.tree(of: ["page": json], dialect: dialect).nodes.filter { $0.role == .widget }
        return widgets.compactMap { $0.string("text") }
    }

    /// The JSON on one line.
    public var description: String { json.description }

    /// Whether a page is written like this one, in the dialect of this one.
    public static func == (left: ParsedPage, right: some Page) -> Bool {
        (try? ParsedPage(parsing: right.responseBody(dialect: left.dialect ?? .objects))) == left
    }
}
