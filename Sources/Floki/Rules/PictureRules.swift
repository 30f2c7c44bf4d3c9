/// A picture inside a document.
enum PictureRules {
    static func check(_ base64: String, _ scope: WireScope, _ key: String, _ remarks: inout Remarks) {
        guard !isBase64(base64) else { return }
        remarks.error(
            "malformed-base64",
            scope,
            key,
            "\"\(key)\" is no base64 of the standard alphabet, in one line.",
            fix: "Write letters, digits, + and /, with = at the end, and no line breaks."
        )
    }

    /// RFC 4648, section 4.
    private static func isBase64(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.count % 4 == 0 else { return false }
        let padding = bytes.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return bytes.dropLast(padding).allSatisfy { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "+")
                || byte == UInt8(ascii: "/")
        }
    }
}
