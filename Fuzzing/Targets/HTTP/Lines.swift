/// HTTP's grammar once more, written down as plainly as can be and for whole texts only: what the parsers are compared with.
enum Lines {
    static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    static let digits = "0123456789"
    static let token = Set((letters + digits + "!#$%&'*+-.^_`|~").utf8)
    static let target = Set((letters + digits + "-._~!$&'()*+,;=:@/?%").utf8)
    static let raw = Set("[]{}|^\\`".utf8)
    static let host = Set((letters + digits + "-._~!$&'()*+;=").utf8)
    static let hexadecimal = Set((digits + "abcdefABCDEF").utf8)
    static let decimal = Set(digits.utf8)

    /// Whether there is no control byte but the tab.
    static func isText(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.allSatisfy { $0 == 9 || ($0 >= 32 && $0 != 127) }
    }

    static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy(token.contains)
    }

    /// The text up to the first CR LF after `start`, and where the next line begins.
    static func line(of bytes: [UInt8], from start: Int) -> (text: ArraySlice<UInt8>, next: Int)? {
        guard start < bytes.count else { return nil }
        for index in start..<bytes.count - 1 where bytes[index] == 13 && bytes[index + 1] == 10 {
            return (bytes[start..<index], index + 2)
        }
        return nil
    }

    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank: (UInt8) -> Bool = { $0 == 32 || $0 == 9 }
        return bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed()[...]
    }

    static func lowercased(_ bytes: some Sequence<UInt8>) -> String {
        spelled(bytes.map { (65...90).contains($0) ? $0 + 32 : $0 })
    }
}
