/// Finds the position of a part of a JSON text. The text must be valid. It is only read again for an error.
package struct JSONPlaces {
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The number of bytes before a part, or before its key. For a missing part, the number for the nearest existing container.
    ///
    /// - Parameter path: the keys and indices of the part.
    package func offset(of path: [String], key: Bool = false) -> Int {
        var parser = JSONParser(depthLimit: 512)
        return (try? parser.offset(of: path[...], key: key, bytes.span)) ?? 0
    }

    /// The line, from 1, of the part at a JSON pointer.
    package func line(of pointer: String) -> Int {
        bytes.prefix(offset(of: JSONPointer.steps(of: pointer), key: true)).count { $0 == 0x0A } + 1
    }
}

extension JSONParser {
    fileprivate mutating func offset(
        of path: ArraySlice<String>,
        key: Bool,
        _ bytes: Span<UInt8>
    ) throws(BareJSONError) -> Int {
        skipSpace(bytes)
        let start = position
        guard let step = path.first, position < bytes.count else { return start }
        switch bytes[position] {
        case .openBrace:
            try enter()
            guard try !endsAtOnce(.closeBrace, expecting: .key, bytes) else { break }
            repeat {
                let keyStart = position
                let name = try self.key(bytes)
                if name == step {
                    return key && path.count == 1 ? keyStart : try offset(of: path.dropFirst(), key: key, bytes)
                }
                _ = try value(bytes)
            } while try continues(.closeBrace, expecting: .commaOrObjectEnd, bytes)
        case .openBracket:
            guard let index = Int(step), index >= 0 else { break }
            try enter()
            guard try !endsAtOnce(.closeBracket, expecting: .value, bytes) else { break }
            for _ in 0..<index {
                _ = try value(bytes)
                guard try continues(.closeBracket, expecting: .commaOrArrayEnd, bytes) else { return start }
            }
            return try offset(of: path.dropFirst(), key: key, bytes)
        default: break
        }
        return start
    }
}

/// The path to a part of a JSON document (RFC 6901).
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

    /// The keys and indices of a pointer.
    package static func steps(of pointer: String) -> [String] {
        pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            .map { String($0.replacing("~1", with: "/").replacing("~0", with: "~")) }
    }
}
