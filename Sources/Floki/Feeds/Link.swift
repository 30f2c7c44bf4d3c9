/// A URL on the wire: absolute, below the app's address, or relative to the feed it stands in.
///
/// `"https://example.com/a.png"` goes out as it is. `"/images/a.png"` is below the app's address, and goes out with it:
/// `http://127.0.0.1:8080/floki/images/a.png`. `"a.png"` goes out as it is in feeds, where clients resolve it against the feed's
/// address, and as an absolute URL among the results of a search.
public struct Link: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The URL as it is kept, with marks for what each answer fills in.
    let wire: String

    /// A URL.
    public init(_ text: String) { wire = Self.wire(text) }

    /// A URL.
    public init(stringLiteral text: String) { self.init(text) }

    init(wire: String) { self.wire = wire }

    /// Another URL for each kind of device, such as pictures of different sizes.
    public static func byDevice(iPad: String, iPhone4: String, other: String) -> Link {
        let alternatives = [iPad, iPhone4, other].map(Self.wire).joined(separator: WireMark.separator)
        return Link(wire: WireMark.open + alternatives + WireMark.close)
    }

    private static func wire(_ text: String) -> String {
        let text = text.unmarked
        if text.hasPrefix("/"), !text.hasPrefix("//") { return WireMark.base + text }
        return isAbsolute(text) ? text : WireMark.folder + text
    }

    /// Whether a text begins with a scheme (RFC 3986, section 3.1).
    static func isAbsolute(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = text.utf8[..<colon]
        func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
        return scheme.first.map(isLetter) == true
            && scheme.allSatisfy {
                isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+-.".utf8.contains($0)
            }
    }
}
