import Backlot

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A view controller with properties from JSON, in a file or in a store.
struct WrittenController: ViewController {
    let className: StaticString
    let mainURL: Link
    /// The members of `data`.
    var data: JSONObject

    /// Creates a view controller of a file.
    ///
    /// - Returns: nil for a class that tabs and entries can't have.
    init?(_ className: String, mainURL: Link, data: JSONObject) {
        guard !UnwrittenControllers.areDefaults(className), let name = Self.name(className) else { return nil }
        self.className = name
        self.mainURL = mainURL
        var written = data
        // Clients assume blue, and the reference black.
        if className == "Gallery_view_controller", data["cell_highlight_color"] == nil {
            written["cell_highlight_color"] = [0, 0, 0]
        }
        self.data = JSONObject()
        for member in written.members where !member.value.isNull {
            self.data[member.key] = member.value.movieLink(under: member.key)
        }
    }

    /// The view controller of a stored entry; nil for an entry without one.
    init?(stored entry: JSONObject) {
        guard let name = Self.name(entry["class_type"]?.string ?? ""), let data = entry["data"]?.object,
            let url = data["main_url"]?.string
        else { return nil }
        className = name
        mainURL = Link(wire: url)
        self.data = data
    }

    private static func name(_ text: String) -> StaticString? {
        switch text {
        case "News_view_controller": "News_view_controller"
        case "Gallery_view_controller": "Gallery_view_controller"
        case "Web_view_controller": "Web_view_controller"
        case "Movie_view_controller": "Movie_view_controller"
        case "Item_view_controller": "Item_view_controller"
        case "Photo_view_controller": "Photo_view_controller"
        default: nil
        }
    }

    func encode(into writer: inout JSONWriter, _ texts: TextLookup) {
        for member in data.members where member.key != "main_url" { writer.member(member.key, member.value) }
    }
}

extension JSONValue {
    /// The addresses of a movie's file and picture, as responses have them.
    fileprivate func movieLink(under key: String) -> JSONValue {
        guard key == "preview_url" || key == "progressive_file", let text = string else { return self }
        return .string(Link(text).movieWire)
    }

    var color: Color? {
        let parts = (array ?? []).compactMap { $0.number?.int64.flatMap { UInt8(exactly: $0) } }
        return parts.count == 3 ? Color(parts[0], parts[1], parts[2]) : nil
    }

    var int: Int? { number?.int64.map { Int($0) } }
}

extension EntryTraits {
    /// The properties that entries of all feeds have.
    init(written object: JSONObject, _ controller: WrittenController?) {
        self.init()
        sortID = object["sort_id"]?.int
        sectionIDs = (object["section_ids"]?.array ?? []).compactMap(\.int)
        expirationDate = object["expiration_date"]?.int ?? 0
        shareURL = object["share_url"]?.string
        isOnline = object["online"]?.bool ?? false
        tags = (object["tags"]?.array ?? []).compactMap(\.string)
        page = object["page"]?.string
        video = object["video"]?.string
        self.controller = controller
    }
}

/// An entry that can be made from JSON, from a file or from a store.
protocol WrittenEntry: FeedEntry {
    /// Creates an entry from JSON that has passed the rules.
    ///
    /// - Parameter link: makes a link from a text. Texts in a store have marks, those in a file don't.
    init(written object: JSONObject, _ controller: WrittenController?, link: (String) -> Link)
}

extension WrittenEntry {
    /// Creates an entry as a file has it.
    init(written object: JSONObject, _ controller: WrittenController?) {
        self.init(written: object, controller, link: { Link($0) })
    }

    /// An entry as a store has it.
    static func read(_ entry: StoredEntry, of feed: String) throws(FeedError) -> Self {
        let object: JSONObject
        do {
            object = try JSONValue(parsing: entry.wire).object ?? JSONObject()
        } catch {
            throw FeedError("the stored entry \(entry.id) of the feed '\(feed)' is not JSON: \(error)")
        }
        let controller = WrittenController(stored: object)
        guard object["id"]?.int == entry.id, (object["class_type"] == nil) == (controller == nil) else {
            let advice = "it was stored by another version or another program, so save it anew"
            throw FeedError("the stored entry \(entry.id) of the feed '\(feed)' can't be read: \(advice)")
        }
        var made = Self(written: object, controller, link: { Link(wire: $0) })
        func names(_ kind: String) -> [String] {
            entry.tags.filter { $0.utf8.starts(with: kind.utf8) }
                .map { String(Substring($0.utf8.dropFirst(kind.utf8.count))) }
        }
        made.traits.tags = names("tag:")
        made.traits.video = names("video:").first
        made.traits.page = entry.page
        made.traits.publication = entry.publication
        made.traits.revision = entry.revision
        return made
    }
}

extension Item: WrittenEntry {
    init(written object: JSONObject, _ controller: WrittenController?, link: (String) -> Link) {
        self.init(
            id: object["id"]?.int ?? 0,
            title: object["title"]?.string ?? "",
            body: object["body"]?.string ?? ""
        )
        url = object["url"]?.string.map(link)
        image = object["image"]?.string.map(link)
        footer = object["footer"]?.string
        traits = EntryTraits(written: object, controller)
    }
}

extension Thumb: WrittenEntry {
    init(written object: JSONObject, _ controller: WrittenController?, link: (String) -> Link) {
        self.init(
            id: object["id"]?.int ?? 0,
            url: link(object["url"]?.string ?? ""),
            image: link(object["image"]?.string ?? ""),
            width: object["width"]?.int ?? 0,
            height: object["height"]?.int ?? 0
        )
        title = object["title"]?.string ?? ""
        captionText = object["caption_text"]?.string
        maxZoom = object["max_zoom"]?.number?.double ?? 2
        traits = EntryTraits(written: object, controller)
    }
}

extension Section {
    /// Creates a section as a file has it.
    init(written object: JSONObject) {
        self.init(id: object["id"]?.int ?? 0, name: TextName(written: object["name"]?.string ?? ""))
        for key in Self.vocabulary.keys where !["id", "name"].contains(key.name) {
            guard let value = object[key.name], !value.isNull else { continue }
            values[key.name] = value.color?.json ?? value
        }
    }
}
