import Backlot
import BacklotJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A view controller whose properties were written as JSON, in a file.
struct WrittenController: ViewController {
    let className: StaticString
    let mainURL: Link
    /// The members of `data`.
    var data: JSONObject

    /// - Returns: nil for a class that isn't one of tabs and entries.
    init?(_ className: String, mainURL: Link, data: JSONObject) {
        switch className {
        case "News_view_controller": self.className = "News_view_controller"
        case "Gallery_view_controller":
            self.className = "Gallery_view_controller"
        case "Web_view_controller": self.className = "Web_view_controller"
        case "Movie_view_controller": self.className = "Movie_view_controller"
        default: return nil
        }
        self.mainURL = mainURL
        self.data = data
        // Clients assume blue, and the reference black.
        if className == "Gallery_view_controller", data["cell_highlight_color"] == nil {
            self.data["cell_highlight_color"] = [0, 0, 0]
        }
    }

    func encode(into writer: inout JSONWriter, _ texts: TextLookup) {
        for member in data.members where member.key != "main_url" && !member.value.isNull {
            writer.member(member.key, member.value.unmarkedLinks(under: member.key))
        }
    }
}

extension JSONValue {
    /// The addresses of pictures below the app's address, as answers have them.
    fileprivate func unmarkedLinks(under key: String) -> JSONValue {
        guard key == "preview_url" || key == "progressive_file", let text = string else { return self }
        return .string(Link(text).wire)
    }

    var color: Color? {
        let parts = (array ?? []).compactMap { $0.number?.int64.flatMap { UInt8(exactly: $0) } }
        return parts.count == 3 ? Color(parts[0], parts[1], parts[2]) : nil
    }

    var int: Int? { number?.int64.map { Int($0) } }
}

extension EntryTraits {
    /// What entries of all feeds have.
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

/// An entry that can be written in a file.
protocol WrittenEntry: FeedEntry {
    /// An entry as a file has it, once its words were found to be right.
    init(written object: JSONObject, _ controller: WrittenController?)
}

extension Item: WrittenEntry {
    init(written object: JSONObject, _ controller: WrittenController?) {
        self.init(
            id: object["id"]?.int ?? 0,
            title: object["title"]?.string ?? "",
            body: object["body"]?.string ?? ""
        )
        url = object["url"]?.string.map { Link($0) }
        image = object["image"]?.string.map { Link($0) }
        footer = object["footer"]?.string
        traits = EntryTraits(written: object, controller)
    }
}

extension Thumb: WrittenEntry {
    init(written object: JSONObject, _ controller: WrittenController?) {
        self.init(
            id: object["id"]?.int ?? 0,
            url: Link(object["url"]?.string ?? ""),
            image: Link(object["image"]?.string ?? ""),
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
    /// A section as a file has it.
    init(written object: JSONObject) {
        self.init(id: object["id"]?.int ?? 0, name: TextName(written: object["name"]?.string ?? ""))
        sortID = object["sort_id"]?.int
        isVisible = object["visible"]?.bool ?? true
        isInteractive = object["interactive"]?.bool ?? true
        startsCollapsed = object["starts_collapsed"]?.bool ?? true
        autocollapsesOthers = object["autocollapse_others"]?.bool ?? true
        showsCount = object["show_count"]?.bool ?? false
        collapsedTextColor = object["collapsed_text_color"]?.color
        collapsedBackColor = object["collapsed_back_color"]?.color
        expandedTextColor = object["expanded_text_color"]?.color
        expandedBackColor = object["expanded_back_color"]?.color
    }
}
