/// A language of the app, with its texts.
struct Language: Sendable, Equatable {
    /// Two letters, as ISO 639-1 has them.
    let code: String
    var texts: [TextName: String]

    /// Whether a code is one that all clients understand.
    static func isCode(_ code: String) -> Bool {
        code.utf8.count == 2 && code.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }
}
