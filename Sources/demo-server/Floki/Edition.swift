import Backlot
import Floki

/// A Floki app as files, by their paths below its address.
struct Edition: Sendable {
    /// The path of the version indicator, at which clients begin.
    let indicatorPath: String
    /// The version of the app data.
    let version: Int
    let files: [String: [UInt8]]
    /// What people should know of it.
    let notes: [String]
}

/// An edition in a folder, as far as the next one needs to know it.
struct EarlierEdition: Sendable, Equatable {
    let version: Int
    /// The app data.
    let data: [UInt8]
}

/// Why there is no edition.
struct EditionProblem: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The documents of an edition: what a server would answer, without what only a server can do.
enum EditionDocument {
    /// Members of a controller's data that name addresses with parameters, and the patterns of links that lead there.
    private static let served: Set<String> = [
        "search_bar", "tags_regex", "tags_url", "videos_regex", "videos_url", "gallery_regex", "gallery_url",
    ]

    /// A document without what a folder can't answer.
    static func offline(_ document: JSONValue) -> JSONValue {
        switch document {
        case .array(let values): return .array(values.map(offline))
        case .object(let object):
            var rest = JSONObject()
            for member in object.members where !served.contains(member.key) { rest[member.key] = offline(member.value) }
            return .object(rest)
        default: return document
        }
    }

    /// A window of a feed. Requests for older entries would get the same one again, so it says that there are none.
    static func window(_ document: JSONValue) -> JSONValue {
        guard case .object(let object) = offline(document) else { return document }
        var rest = JSONObject()
        for member in object.members where member.key != "has_older" { rest[member.key] = member.value }
        return .object(rest)
    }
}
