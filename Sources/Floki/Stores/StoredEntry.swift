/// An entry as stores keep it.
public struct StoredEntry: Sendable, Equatable {
    /// What it is known by: 1 to 2147483647.
    public var id: Int
    /// Where it stands: higher ones first, and of equal ones those of higher ids. 1 to 2⁵³ − 1.
    public var sortID: Int
    /// When it ends, in seconds since 1970; 0 for never. It has ended once the time is greater.
    public var expirationDate: Int
    /// The entry as JSON, with marks that answers replace. Stores hand back just these bytes.
    public var wire: [UInt8]
    /// What its page says, as HTML; nil for an entry without a page.
    public var page: String?
    /// The words that it is found by, in lower case and without accents; none is empty or has other characters than letters
    /// and digits.
    public var words: [String]
    /// What it is tagged with; none twice.
    public var tags: [String]

    /// An entry.
    public init(
        id: Int,
        sortID: Int,
        expirationDate: Int = 0,
        wire: [UInt8],
        page: String? = nil,
        words: [String] = [],
        tags: [String] = []
    ) {
        self.id = id
        self.sortID = sortID
        self.expirationDate = expirationDate
        self.wire = wire
        self.page = page
        self.words = words
        self.tags = tags
    }

    /// Whether it has ended.
    public func hasExpired(at now: Int) -> Bool { expirationDate > 0 && now > expirationDate }
}
