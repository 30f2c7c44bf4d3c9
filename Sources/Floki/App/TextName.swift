/// The name of a text in the app's code. On the wire texts have numbers, which are assigned automatically.
///
/// ```swift
/// extension TextName {
///     static let news: TextName = "news", about: TextName = "about"
/// }
///
/// app.language("en", [.news: "News", .about: "About"])
/// ```
public struct TextName: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The name.
    public let name: String
    /// The number of a text that clients have by default; nil for one that the app declares.
    let reserved: Int?

    /// Creates a text that the app declares.
    public init(_ name: String) {
        self.name = name
        reserved = nil
    }

    /// Creates a text that the app declares.
    public init(stringLiteral name: String) { self.init(name) }

    /// Creates a text of the app by its name, or a text that clients have by default by its number.
    init(written name: String) {
        self.name = name
        reserved = Int(name).flatMap { ReservedTexts.range.contains($0) ? $0 : nil }
    }

    private init(reserved: Int) {
        name = "\(reserved)"
        self.reserved = reserved
    }
}

/// The texts that clients have by default. A language may replace them.
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
    /// The text that an iPad shows before an item is selected: "Browse the sections and select an item".
    public static let nothingSelected = TextName(reserved: 10015)
    /// The button that shows the sections on an iPad: "Sections". An empty text stands for the title of the tab.
    public static let sectionsButton = TextName(reserved: 10016)
}

/// The texts that clients show unless the app replaces them.
///
/// Source: Floki server protocols, Special string identifiers.
public enum ReservedTexts {
    /// The numbers of these texts.
    public static let range = 10000...10016

    private static let texts = [
        "Share this news...", "Share this picture...", "Copy address", "Send email", "Cancel", "<TITLE>", "<TITLE>",
        #"<A HREF="<URL>"><URL></A>"#, #"<A HREF="<URL>"><URL></A>"#, #"<A HREF="<URL>"><PHOTO_DESC></A>"#,
        "Share this movie...", "<TITLE>", #"<A HREF="<URL>"><URL></A>"#, "Twitter", "Facebook",
        "Browse the sections and select an item", "Sections",
    ]

    /// The text of a number; nil for a number outside of ``range``.
    public static func text(_ number: Int) -> String? {
        range.contains(number) ? texts[number - range.lowerBound] : nil
    }
}
