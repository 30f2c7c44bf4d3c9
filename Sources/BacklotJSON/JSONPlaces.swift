/// Finds where a part of a JSON text stands. The text is known to be JSON; it is read again only for the sake of an error.
package struct JSONPlaces {
    private let bytes: [UInt8]
    private var position = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The number of bytes before a part, or before its key; before the nearest part around it when it isn't there.
    ///
    /// - Parameter path: the keys and indices that lead to the part.
    package func offset(of path: [String], key: Bool = false) -> Int {
        var reader = self
        return reader.find(path[...], key: key)
    }

    /// The line, from 1, of the part that a JSON pointer leads to.
    package func line(of pointer: String) -> Int {
        bytes.prefix(offset(of: JSONPointer.steps(of: pointer), key: true)).count { $0 == 0x0A } + 1
    }

    private mutating func find(_ path: ArraySlice<String>, key: Bool) -> Int {
        skipBlanks()
        let start = position
        guard let step = path.first, position < bytes.count else { return start }
        switch bytes[position] {
        case UInt8(ascii: "{"):
            position += 1
            skipBlanks()
            while position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
                let keyStart = position
                let text = string()
                skipBlanks()
                position += 1
                if text == step { return key && path.count == 1 ? keyStart : find(path.dropFirst(), key: key) }
                skipValue()
                skipSeparator()
            }
        case UInt8(ascii: "["):
            guard let index = Int(step), index >= 0 else { break }
            position += 1
            skipBlanks()
            for _ in 0..<index where position < bytes.count && bytes[position] != UInt8(ascii: "]") {
                skipValue()
                skipSeparator()
            }
            guard position < bytes.count, bytes[position] != UInt8(ascii: "]") else { break }
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
        while position < bytes.count, bytes[position].isJSONSpace { position += 1 }
    }
}

/// The way to a part of a JSON document (RFC 6901).
package enum JSONPointer {
    /// A key as a step of a pointer, with its slash.
    package static func step(_ key: String) -> String {
        guard key.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return "/\(key)" }
        return key.unicodeScalars.reduce(into: "/") { step, scalar in
            switch scalar {
            case "~": step += "~0"
            case "/": step += "~1"
            default: step.unicodeScalars.append(scalar)
            }
        }
    }

    /// The keys and indices that a pointer is made of.
    package static func steps(of pointer: String) -> [String] {
        pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            .map { String($0.replacing("~1", with: "/").replacing("~0", with: "~")) }
    }
}
