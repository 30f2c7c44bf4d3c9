/// Finds where a part of a JSON text stands. The text is known to be JSON; it is read again only for the sake of an error.
package struct JSONPlaces {
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The number of bytes before a part, or before its key; before the nearest part around it when it isn't there.
    ///
    /// - Parameter path: the keys and indices that lead to the part.
    package func offset(of path: [String], key: Bool = false) -> Int {
        var parser = JSONParser(depthLimit: 512)
        return (try? parser.offset(of: path[...], key: key, bytes.span)) ?? 0
    }

    /// The line, from 1, of the part that a JSON pointer leads to.
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
