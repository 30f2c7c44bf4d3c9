import Backlot
import Floki

/// A line of `demo-server floki publish` and of `POST /floki/desk/items`: an entry of one of the newspaper's feeds, in one language or
/// in all, as JSON.
///
///     {"feed":"news","id":7000,"language":"en","title":"…","body":"…","expires":"2036-12-01T00:00:00Z"}
struct StoryLine: Sendable {
    /// The entry, of one feed or the other.
    enum Entry: Sendable {
        case item(Item)
        case thumb(Thumb)
    }

    /// The feeds, by their names.
    enum Feed: String, CaseIterable {
        case news, photos
    }

    /// The maximum number of bytes of a line.
    static let mostBytes = 1 << 20

    let entry: Entry
    /// The code of the language; nil for all.
    let language: String?

    var feed: Feed { if case .item = entry { .news } else { .photos } }

    var id: Int {
        switch entry {
        case .item(let item): item.id
        case .thumb(let thumb): thumb.id
        }
    }

    /// Reads a line.
    ///
    /// - Parameter now: the time, in seconds since 1970: an entry that has ended is refused.
    /// - Throws: `StoryLineError` with the member's name.
    init(parsing bytes: [UInt8], now: Int = SessionClock.system.secondsSince1970) throws(StoryLineError) {
        let value: JSONValue
        do throws(JSONParseError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw StoryLineError("it is not JSON: \(error)")
        }
        try self.init(value, now: now)
    }

    /// Reads a line's object.
    init(_ value: JSONValue, now: Int = SessionClock.system.secondsSince1970) throws(StoryLineError) {
        guard let object = value.object else {
            throw StoryLineError("it must be an object: {\"feed\":\"news\",\"id\":7,…}")
        }
        let line = LineMembers(object: object, now: now)
        switch try line.required("feed", line.text("feed")) {
        case NewspaperApp.newsName:
            try line.check(among: Self.members + Self.itemMembers)
            entry = .item(try Self.item(line))
            language = try Self.language(line)
        case NewspaperApp.photosName:
            try line.check(among: Self.members + Self.thumbMembers)
            entry = .thumb(try Self.thumb(line))
            guard try line.text("language") == nil else {
                throw StoryLineError("language", "must be left out: all languages share the photos")
            }
            language = nil
        case let feed:
            let names = [NewspaperApp.newsName, NewspaperApp.photosName].alternatives
            throw StoryLineError("feed", "is '\(feed.excerpt)', which the newspaper lacks: write \(names)")
        }
    }

    private static let members = [
        "feed", "id", "language", "title", "expires", "publish", "sort_id", "section_ids", "share_url", "online",
        "tags",
    ]
    private static let itemMembers = ["body", "footer", "image", "page", "url"]
    private static let thumbMembers = ["caption_text", "height", "image", "max_zoom", "url", "width"]

    private static func item(_ line: LineMembers) throws(StoryLineError) -> Item {
        let title = try line.required("title", line.text("title"))
        guard !title.allSatisfy(\.isWhitespace) else { throw StoryLineError("title", "must not be empty") }
        var item = Floki.item(try line.id, title, try line.text("body") ?? "")
        item.footer = try line.text("footer")
        item.image = try line.address("image").map { Link($0) }
        item.url = try line.address("url").map { Link($0) }
        item.page = try line.text("page")
        try addCommon(line, to: &item)
        // Without a page or an address, a tap would have no effect.
        if item.page == nil, item.url == nil { item.page = NewspaperStock.page(item.body, item.tags) }
        // Every story of the newspaper needs a section.
        if item.sectionIDs.isEmpty { item.sectionIDs = [NewspaperApp.townSection] }
        return item
    }

    private static func thumb(_ line: LineMembers) throws(StoryLineError) -> Thumb {
        let url = try line.required("url", line.address("url"))
        var thumb = Floki.thumb(
            try line.id,
            url: Link(url),
            image: Link(try line.address("image") ?? url),
            width: try line.required("width", line.whole("width", in: numbers)),
            height: try line.required("height", line.whole("height", in: numbers))
        )
        thumb.title = try line.text("title") ?? ""
        thumb.captionText = try line.text("caption_text")
        if let zoom = try line.number("max_zoom") { thumb.maxZoom = zoom }
        try addCommon(line, to: &thumb)
        return thumb
    }

    private static func addCommon(_ line: LineMembers, to entry: inout some FeedEntry) throws(StoryLineError) {
        // Clients keep numbers as JavaScript does, without loss up to 2⁵³ − 1.
        entry.sortID = try line.whole("sort_id", in: 1...(1 << 53) - 1)
        entry.sectionIDs = try line.wholes("section_ids", in: numbers)
        entry.shareURL = try line.address("share_url")
        entry.expirationDate = try line.date("expires")
        if let end = entry.expirationDate, end.timeIntervalSince1970 <= Double(line.now) {
            throw StoryLineError("expires", "has passed: write a later date, or leave it out")
        }
        entry.isOnline = try line.flag("online") ?? false
        entry.tags = try line.texts("tags")
        // Clients find a tag as the last part of a link's path.
        if let wrong = entry.tags.first(where: { $0.contains { "/?#%".contains($0) } }) {
            throw StoryLineError("tags", "has '\(wrong.excerpt)': write a tag without /, ?, # and %")
        }
        entry.publication = try publication(line)
        if case .scheduled(let start) = entry.publication, let end = entry.expirationDate,
            end.timeIntervalSince1970 <= Double(start)
        {
            throw StoryLineError("expires", "must be after \"publish\": the story would end before it is published")
        }
    }

    private static let numbers = 1...Int(Int32.max)

    private static func language(_ line: LineMembers) throws(StoryLineError) -> String? {
        guard let language = try line.text("language") else { return nil }
        guard NewspaperApp.languages.contains(language) else {
            let fix = "write \(NewspaperApp.languages.alternatives), or leave it out for both"
            throw StoryLineError("language", "is '\(language.excerpt)', which the newspaper lacks: \(fix)")
        }
        return language
    }

    private static func publication(_ line: LineMembers) throws(StoryLineError) -> StoredEntry.Publication {
        guard let text = try line.text("publish"), text != "now" else { return .published }
        if text == "draft" { return .draft }
        guard let date = try? line.date("publish") else {
            throw StoryLineError("publish", "must be now, draft, or a date such as 2036-12-01T00:00:00Z")
        }
        return .scheduled(at: Int(date.timeIntervalSince1970))
    }
}

/// A mistake in a line.
struct StoryLineError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// Creates a mistake in a member.
    init(_ member: String, _ problem: String) { description = "\"\(member)\" \(problem)" }
}

/// The members of a line, read by their types. null counts as missing.
private struct LineMembers {
    let object: JSONObject
    /// The time, in seconds since 1970.
    let now: Int
    /// The highest id of a line. New stories get ids above all existing ones, up to 2147483647.
    private static let highestID = 2_000_000_000

    /// - Throws: `StoryLineError` for a member that isn't one of these.
    func check(among names: [String]) throws(StoryLineError) {
        guard let wrong = object.members.first(where: { !names.contains($0.key) }) else { return }
        throw StoryLineError(wrong.key.excerpt, "is unknown\(Suggestion.hint(for: wrong.key, among: names))")
    }

    /// A value that is required.
    func required<Value>(_ name: String, _ value: Value?) throws(StoryLineError) -> Value {
        guard let value else { throw StoryLineError(name, "is missing") }
        return value
    }

    /// The value of a member, converted by `read`; nil if it is missing.
    private func value<Value>(
        _ name: String,
        _ form: String,
        _ read: (JSONValue) -> Value?
    ) throws(StoryLineError) -> Value? {
        guard let value = object[name], !value.isNull else { return nil }
        guard let value = read(value) else { throw StoryLineError(name, "must be \(form)") }
        return value
    }

    func text(_ name: String) throws(StoryLineError) -> String? {
        try value(name, "a text without the character U+0000", Self.text)
    }

    /// The text of a value; nil for a text with U+0000, where clients would cut it, and for other values.
    private static func text(_ value: JSONValue) -> String? {
        value.string.flatMap { $0.utf8.contains(0) ? nil : $0 }
    }

    /// An address that clients can request.
    func address(_ name: String) throws(StoryLineError) -> String? {
        guard let text = try text(name) else { return nil }
        let beginning = text.prefix { !":/?#".contains($0) }
        let hasScheme = text[beginning.endIndex...].first == ":"
        guard !text.isEmpty, !hasScheme || ["http", "https"].contains(beginning.lowercased()) else {
            throw StoryLineError(name, "must begin with http:// or https://, or be a path such as /pictures/1.png")
        }
        return text
    }

    func flag(_ name: String) throws(StoryLineError) -> Bool? { try value(name, "true or false", \.bool) }

    func number(_ name: String) throws(StoryLineError) -> Double? { try value(name, "a number") { $0.number?.double } }

    /// The number of the entry.
    var id: Int {
        get throws(StoryLineError) { try required("id", whole("id", in: 1...Self.highestID)) }
    }

    func whole(_ name: String, in range: ClosedRange<Int>) throws(StoryLineError) -> Int? {
        try value(name, Self.form(of: range)) { Self.whole($0, in: range) }
    }

    func wholes(_ name: String, in range: ClosedRange<Int>) throws(StoryLineError) -> [Int] {
        guard let values = try value(name, "an array of whole numbers", \.array) else { return [] }
        let numbers = values.compactMap { Self.whole($0, in: range) }
        guard numbers.count == values.count else { throw StoryLineError(name, "must be \(Self.form(of: range))") }
        return numbers
    }

    private static func form(of range: ClosedRange<Int>) -> String {
        "a whole number from \(range.lowerBound) to \(range.upperBound)"
    }

    private static func whole(_ value: JSONValue, in range: ClosedRange<Int>) -> Int? {
        value.number?.int64.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
    }

    func texts(_ name: String) throws(StoryLineError) -> [String] {
        try value(name, "an array of texts that aren't empty and don't contain the character U+0000") { value in
            value.array.flatMap { values in
                let texts = values.compactMap(Self.text).filter { !$0.isEmpty }
                return texts.count == values.count ? texts : nil
            }
        } ?? []
    }

    func date(_ name: String) throws(StoryLineError) -> Date? {
        guard let text = try text(name) else { return nil }
        guard let seconds = ISODate.seconds(text), (1...Double(Int32.max)).contains(seconds) else {
            throw StoryLineError(name, "must be a date from 1970 to 2038, such as 2036-12-01T00:00:00Z")
        }
        return Date(timeIntervalSince1970: seconds.rounded(.down))
    }
}
