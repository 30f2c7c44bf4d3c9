/// What a text is called in the app's code. The wire has numbers, which are allotted by themselves.
public struct TextName: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The name.
    public let name: String
    /// The number of a text that clients know themselves; nil for the app's own.
    let reserved: Int?

    /// A text of the app's own.
    public init(_ name: String) {
        self.name = name
        reserved = nil
    }

    /// A text of the app's own.
    public init(stringLiteral name: String) { self.init(name) }

    private init(reserved: Int) {
        name = "\(reserved)"
        self.reserved = reserved
    }
}

/// The texts that clients have themselves, and that languages may replace.
///
/// Source: Floki server protocols, Special string identifiers.
extension TextName {
    /// Above the ways to share a news item: "Share this news...".
    public static let shareNews = TextName(reserved: 10000)
    /// Above the ways to share a picture: "Share this picture...".
    public static let sharePicture = TextName(reserved: 10001)
    /// The button that copies an address: "Copy address".
    public static let copyAddress = TextName(reserved: 10002)
    /// The button that sends an email: "Send email".
    public static let sendEmail = TextName(reserved: 10003)
    /// "Cancel"
    public static let cancel = TextName(reserved: 10004)
    /// The subject of an email with a news item: `<TITLE>`.
    public static let newsSubject = TextName(reserved: 10005)
    /// The subject of an email with a picture: `<TITLE>`.
    public static let pictureSubject = TextName(reserved: 10006)
    /// The body of an email with a news item, in HTML: `<A HREF="<URL>"><URL></A>`.
    public static let newsBody = TextName(reserved: 10007)
    /// The body of an email with a picture, in HTML: `<A HREF="<URL>"><URL></A>`.
    public static let pictureBody = TextName(reserved: 10008)
    /// The body of an email with a picture that has a caption, in HTML: `<A HREF="<URL>"><PHOTO_DESC></A>`.
    public static let captionedPictureBody = TextName(reserved: 10009)
    /// Above the ways to share a movie: "Share this movie...".
    public static let shareMovie = TextName(reserved: 10010)
    /// The subject of an email with a movie: `<TITLE>`.
    public static let movieSubject = TextName(reserved: 10011)
    /// The body of an email with a movie, in HTML: `<A HREF="<URL>"><URL></A>`.
    public static let movieBody = TextName(reserved: 10012)
    /// "Twitter"
    public static let twitter = TextName(reserved: 10013)
    /// "Facebook"
    public static let facebook = TextName(reserved: 10014)
    /// What an iPad shows before an item is selected: "Browse the sections and select an item".
    public static let nothingSelected = TextName(reserved: 10015)
    /// The button that shows the sections on an iPad: "Sections". An empty text stands for the title of the tab.
    public static let sectionsButton = TextName(reserved: 10016)
}
