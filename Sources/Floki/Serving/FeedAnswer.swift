import Backlot
import BacklotJSON

/// Makes the JSON of a feed.
///
/// Source: Floki server protocols, News item protocol and Gallery item protocol.
enum FeedAnswer {
    private static let headers: HTTPFields = [.contentType: "application/json"]

    static func response(_ window: FeedWindow, of feed: MountedFeed, for place: WirePlace, language: String) -> Response
    {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(window.entries.reduce(256) { $0 + $1.count + 128 })
        bytes += "{\"\(feed.key)\":[".utf8
        for (index, entry) in window.entries.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            WireTemplate(entry).render(for: place, into: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
        if !window.removed.isEmpty {
            bytes += ",\"to_delete\":[\(window.removed.map { "\($0)" }.joined(separator: ","))]".utf8
        }
        if let sections = feed.sections[language] {
            // Without them iOS would clear a feed with sections, an empty one too.
            bytes += ",\"sections\":".utf8
            bytes += sections
        }
        if window.hasOlder { bytes += ",\"has_older\":true".utf8 }
        bytes.append(UInt8(ascii: "}"))
        return Response(headers: headers, body: .bytes(bytes))
    }
}
