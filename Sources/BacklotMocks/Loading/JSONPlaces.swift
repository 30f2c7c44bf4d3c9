import BacklotJSON

/// Finds where a part of a JSON text stands. The text is known to be JSON; it is read again only for the sake of an error.
struct JSONPlaces {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The place of a part, or of its key; of the nearest part around it when it isn't there.
    func position(of path: [StubProblem.Step], key: Bool = false) -> TextPosition {
        var reader = self
        return TextPosition(byteOffset: reader.find(path[...], key: key), in: bytes)
    }

    private mutating func find(_ path: ArraySlice<StubProblem.Step>, key: Bool) -> Int {
        skipBlanks()
        let start = position
        guard let step = path.first, position < bytes.count else { return start }
        switch (step, bytes[position]) {
        case (.key(let name), UInt8(ascii: "{")):
            position += 1
            skipBlanks()
            while position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
                let keyStart = position
                let text = string()
                skipBlanks()
                position += 1
                if text == name { return key && path.count == 1 ? keyStart : find(path.dropFirst(), key: key) }
                skipValue()
                skipSeparator()
            }
        case (.index(let index), UInt8(ascii: "[")):
            position += 1
            for _ in 0..<index {
                skipValue()
                skipSeparator()
            }
            return find(path.dropFirst(), key: key)
        default: break
        }
        return start
    }

    private mutating func string() -> String {
        let start = position
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        position += 1
        return (try? JSONValue(parsing: Array(bytes[start..<min(position, bytes.count)])))?.string ?? ""
    }

    private mutating func skipValue() {
        skipBlanks()
        var depth = 0
        repeat {
            guard position < bytes.count else { return }
            switch bytes[position] {
            case UInt8(ascii: "\""): _ = string()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                position += 1
            default:
                position += 1
                if depth == 0 {
                    while position < bytes.count, !Self.ends.contains(bytes[position]) { position += 1 }
                }
            }
        } while depth > 0
    }

    private static let ends: Set<UInt8> = [
        UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D, 0x09,
    ]

    private mutating func skipSeparator() {
        skipBlanks()
        if position < bytes.count, bytes[position] == UInt8(ascii: ",") { position += 1 }
        skipBlanks()
    }

    private mutating func skipBlanks() {
        while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { position += 1 }
    }
}
