/// Parts of URLs that rules look at (RFC 3986).
extension String {
    /// The part before the query and the fragment.
    var beforeQuery: String {
        String(prefix { $0 != "?" && $0 != "#" })
    }

    /// Whether it begins with a scheme and a colon (RFC 3986, section 3.1).
    var hasScheme: Bool {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), let first = utf8.first, first.isLetter else {
            return false
        }
        return utf8[..<colon].allSatisfy { byte in
            byte.isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
        }
    }

    /// Whether its `..` segments lead above where it starts (RFC 3986, section 5.2.4).
    var leadsUp: Bool {
        var depth = 0
        for segment in beforeQuery.split(separator: "/") where segment != "." {
            depth += segment == ".." ? -1 : 1
            if depth < 0 { return true }
        }
        return false
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
