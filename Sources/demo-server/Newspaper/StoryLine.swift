import Backlot
import Floki

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A line of `demo-server floki publish` and of `POST /floki/desk/items`: an entry of one of the gazette's feeds, in one language or
/// in all, as JSON.
///
///     {"feed":"news","id":7000,"language":"en","title":"…","body":"…","expires":"2026-12-01T00:00:00Z"}
struct StoryLine: Sendable {
    /// The entry, of one feed or the other.
    enum Entry: Sendable {
        case item(Item)
        case thumb(Thumb)
    }

    /// The most bytes of a line.
    static let mostBytes = 1 << 20

    let entry: Entry
    /// The code of the language; nil for all.
    let language: String?

    /// Reads a line.
    ///
    /// - Throws: `LineMistake`, which names the member.
    init(parsing bytes: [UInt8]) throws(LineMistake) {
        let value: JSONValue
        do throws(JSONParseError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw LineMistake("it is not JSON: \(error)")
        }
        try self.init(value)
    }

    /// Reads a line's object.
    init(_ value: JSONValue) throws(LineMistake) {
        guard let object = value.object else {
            throw LineMistake("it must be an object: {\"feed\":\"news\",\"id\":7,…}")
        }
        let line = LineMembers(object)
        switch try line.required("feed", line.text("feed")) {
        case GazetteApp.newsName:
            try line.check(among: Self.members + Self.itemMembers)
            entry = .item(try Self.item(line))
            language = try Self.language(line)
        case GazetteApp.photosName:
            try line.check(among: Self.members + Self.thumbMembers)
            entry = .thumb(try Self.thumb(line))
            guard try line.text("language") == nil else {
                throw LineMistake("language", "must be left out: all languages share the photos")
            }
            language = nil
        case let feed:
            let names = [GazetteApp.newsName, GazetteApp.photosName].alternatives
            throw LineMistake("feed", "is '\(feed.excerpt)', which the gazette lacks: write \(names)")
        }
    }

    private static let members = [
        "feed", "id", "language", "title", "expires", "publish", "sort_id", "section_ids", "share_url", "online",
        "tags",
    ]
    private static let itemMembers = ["body", "footer", "image", "page", "url"]
    private static let thumbMembers = ["caption_text", "height", "image", "max_zoom", "url", "width"]

    private static func item(_ line: LineMembers) throws(LineMistake) -> Item {
        let title = try line.required("title", line.text("title"))
        var item = Floki.item(try line.id, title, try line.text("body") ?? "")
        item.footer = try line.text("footer")
        item.image = try line.text("image").map { Link($0) }
        item.url = try line.text("url").map { Link($0) }
        item.page = try line.text("page")
        try addCommon(line, to: &item)
        // Without a page or an address, a tap would open nothing.
        if item.page == nil, item.url == nil { item.page = GazetteStock.page(item.body, item.tags) }
        // Every story of the gazette needs one.
        if item.sectionIDs.isEmpty { item.sectionIDs = [GazetteApp.townSection] }
        return item
    }

    private static func thumb(_ line: LineMembers) throws(LineMistake) -> Thumb {
        let url = try line.required("url", line.text("url"))
        var thumb = Floki.thumb(
            try line.id,
            url: Link(url),
            image: Link(try line.text("image") ?? url),
            width: try line.required("width", line.whole("width", in: numbers)),
            height: try line.required("height", line.whole("height", in: numbers))
        )
        thumb.title = try line.text("title") ?? ""
        thumb.captionText = try line.text("caption_text")
        if let zoom = try line.number("max_zoom") { thumb.maxZoom = zoom }
        try addCommon(line, to: &thumb)
        return thumb
    }

    private static func addCommon(_ line: LineMembers, to entry: inout some FeedEntry) throws(LineMistake) {
        // Clients keep numbers as JavaScript does, without loss up to 2⁵³ − 1.
        entry.sortID = try line.whole("sort_id", in: 1...(1 << 53) - 1)
        entry.sectionIDs = try line.wholes("section_ids", in: numbers)
        entry.shareURL = try line.text("share_url")
        entry.expirationDate = try line.date("expires")
        entry.isOnline = try line.flag("online") ?? false
        entry.tags = try line.texts("tags")
        entry.publication = try publication(line)
        if case .scheduled(let start) = entry.publication, let end = entry.expirationDate,
            end.timeIntervalSince1970 <= Double(start)
        {
            throw LineMistake("expires", "must be after \"publish\": the story would end before it is published")
        }
    }

    private static let numbers = 1...Int(Int32.max)

    private static func language(_ line: LineMembers) throws(LineMistake) -> String? {
        guard let language = try line.text("language") else { return nil }
        guard GazetteApp.languages.contains(language) else {
            let fix = "write \(GazetteApp.languages.alternatives), or leave it out for both"
            throw LineMistake("language", "is '\(language.excerpt)', which the gazette lacks: \(fix)")
        }
        return language
    }

    private static func publication(_ line: LineMembers) throws(LineMistake) -> StoredEntry.Publication {
        guard let text = try line.text("publish"), text != "now" else { return .published }
        if text == "draft" { return .draft }
        guard let date = try? line.date("publish") else {
            throw LineMistake("publish", "must be now, draft, or a date such as 2026-12-01T00:00:00Z")
        }
        return .scheduled(at: Int(date.timeIntervalSince1970))
    }
}

/// What is wrong with a line.
struct LineMistake: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// A mistake of a member.
    init(_ member: String, _ problem: String) { description = "\"\(member)\" \(problem)" }
}
