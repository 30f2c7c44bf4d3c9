/// How files of mocks hold what the clients of one protocol get. The protocol's module declares it once, and mocks read, judge,
/// check and show files by it.
public enum FileFormat: Sendable {
    /// Each file is one page: its bytes are the answer.
    case pages(PageFormat)
    /// The files of a folder are one app, which answers.
    case app(AppFormat)
}

/// How files hold the pages of one protocol.
public struct PageFormat: Sendable {
    /// The protocol that clients of the pages speak.
    public var appProtocol: AppProtocol
    /// What clients must know before they ask for a page, as in ``MountedApp/facts``.
    public var facts: [String: String]
    /// The media type of an answer with a page, such as `application/vnd.applin_response`.
    public var contentType: String
    /// The key under which an answer holds its page, such as `page`.
    public var envelope: String
    /// The key that only a page has, such as `typ`: a document with it is a page without its envelope.
    public var mark: String
    /// The beginning of a page in a file, such as `typ: nav_page`, for error texts.
    public var beginning: String
    /// What judges the pages.
    public var inspector: any PageInspector
    /// The words of the pages; nil for a format that has none to tell.
    package var words: (vocabulary: Vocabulary, page: Role)?

    /// A format of pages.
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
