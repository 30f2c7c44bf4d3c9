/// The way that mock files hold the responses of one protocol. The protocol's module declares it once; mocks use it to read, check
/// and show files.
public enum FileFormat: Sendable {
    /// Each file is one page, and its bytes are the response.
    case pages(PageFormat)
    /// The files of a folder are one app, which responds to requests.
    case app(AppFormat)
}

/// The way that files hold the pages of one protocol.
public struct PageFormat: Sendable {
    /// The protocol that clients of the pages speak.
    public var appProtocol: AppProtocol
    /// The settings that clients need before they can request a page, as in ``MountedApp/facts``.
    public var facts: [String: String]
    /// The media type of a response with a page, such as `application/vnd.applin_response`.
    public var contentType: String
    /// The key of the page in a response, such as `page`.
    public var envelope: String
    /// A key that occurs only in pages, such as `typ`: a document with this key is a page without its envelope.
    public var mark: String
    /// The beginning of a page in a file, such as `typ: nav_page`, for error texts.
    public var beginning: String
    /// The inspector of the pages.
    public var inspector: any PageInspector
    /// The vocabulary of the pages; nil for a format without one.
    package var words: (vocabulary: Vocabulary, page: Role)?

    /// Creates a format of pages.
    public init(
        _ appProtocol: AppProtocol,
        facts: [String: String] = [:],
        contentType: String,
        envelope: String,
        mark: String,
        beginning: String,
        inspector: any PageInspector
    ) {
        self.appProtocol = appProtocol
        self.facts = facts
        self.contentType = contentType
        self.envelope = envelope
        self.mark = mark
        self.beginning = beginning
        self.inspector = inspector
    }

    /// Whether a document is a page without its envelope.
    package func isBarePage(_ document: JSONValue) -> Bool {
        document[mark] != nil && document[envelope] == nil
    }

    /// Puts a page into its envelope. Returns a document that has the envelope unchanged.
    package func response(with page: JSONValue) -> JSONValue {
        page[envelope] == nil ? .object([envelope: page]) : page
    }
}
