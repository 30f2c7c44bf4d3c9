internal import BacklotJSON

/// The key `$schema` at the beginning of a JSON file, by which editors find the schema of the file. It is no part of what the file holds.
enum SchemaKey {
    /// The file's bytes with blanks in the place of the key, so that places in it stay what they are.
    static func blanked(_ bytes: [UInt8]) -> [UInt8] {
        var scanner = Scanner(bytes: bytes)
        guard scanner.take("{"), case let start = scanner.position, scanner.takeString() == Array("$schema".utf8),
            scanner.take(":"), scanner.takeString() != nil
        else { return bytes }
        _ = scanner.take(",")
        var blanked = bytes
        for index in start..<scanner.position where bytes[index] != 0x0A && bytes[index] != 0x0D {
            blanked[index] = UInt8(ascii: " ")
        }
        return blanked
    }

    private struct Scanner {
        let bytes: [UInt8]
        var position = 0

        private mutating func skipBlanks() {
            while position < bytes.count, bytes[position].isJSONSpace { position += 1 }
        }

        /// Whether a character comes next; then it is passed.
        mutating func take(_ character: Unicode.Scalar) -> Bool {
            skipBlanks()
            guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }

        /// The bytes between the next two quotes; nil where no string comes next.
        mutating func takeString() -> [UInt8]? {
            guard take("\"") else { return nil }
            let start = position
            while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
            }
            guard position < bytes.count else { return nil }
            position += 1
            return Array(bytes[start..<(position - 1)])
        }
    }
}
