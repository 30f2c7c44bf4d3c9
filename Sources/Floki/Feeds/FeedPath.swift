/// Where a feed and what belongs to it are, below the app's address.
enum FeedPath {
    /// A feed's address without a slash at its end.
    static func base(_ feed: String) -> String { "\(WireMark.base)/\(feed)" }

    /// What clients append the code of the language to.
    static func main(_ feed: String) -> String { "\(base(feed))/" }

    /// The page of an item. Clients keep it under its URL, so that another content has another one.
    static func page(_ feed: String, _ id: Int, content: String) -> String {
        let revision = content.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
        }
        return "\(base(feed))/items/\(WireMark.language)/\(id)/?r=\(String(revision, radix: 16))"
    }

    /// Whether a feed may be called that: clients mangle other characters in URLs.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".")
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_.~".utf8.contains(byte)
            }
    }
}
