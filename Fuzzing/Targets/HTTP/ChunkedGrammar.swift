@testable import BacklotHTTP

/// Whether some bytes begin with a whole chunked body that must be accepted, and what it says.
struct ChunkedGrammar {
    let body: [UInt8]
    /// How many bytes it takes up.
    let length: Int

    /// nil for what must be refused, and for what is not whole.
    init?(_ bytes: [UInt8], _ limits: ServerConfiguration.Limits) {
        var body: [UInt8] = []
        var position = 0
        var extensionBytes = 0
        while let (line, data) = Lines.line(of: bytes, from: position) {
            let size = line.prefix { $0 != UInt8(ascii: ";") }
            let extensions = line.dropFirst(size.count)
            guard (1...16).contains(size.count), size.allSatisfy(Lines.hexadecimal.contains),
                let count = Int(spelled(size), radix: 16), Self.areExtensions(extensions)
            else { return nil }
            // The first semicolon is not counted.
            let length = max(0, extensions.count - 1)
            extensionBytes += length
            guard length <= limits.chunkExtension, extensionBytes <= limits.chunkExtensionsInAll else {
                return nil
            }
            guard count > 0 else {
                guard let end = Self.trailersEnd(bytes, from: data, upTo: limits.trailers) else { return nil }
                (self.body, self.length) = (body, end)
                return
            }
            guard count <= bytes.count - data - 2, bytes[data + count] == 13, bytes[data + count + 1] == 10 else {
                return nil
            }
            body += bytes[data..<(data + count)]
            position = data + count + 2
        }
        return nil
    }

    private static func areExtensions(_ text: ArraySlice<UInt8>) -> Bool {
        guard Lines.isText(text), let parts = parts(of: text) else { return false }
        guard parts.first?.isEmpty ?? false else { return text.isEmpty }
        return parts.dropFirst().allSatisfy { part in
            let name = part.prefix(while: Lines.token.contains)
            let rest = part.dropFirst(name.count)
            guard !name.isEmpty, !rest.isEmpty else { return !name.isEmpty }
            guard rest.first == UInt8(ascii: "=") else { return false }
            let value = rest.dropFirst()
            return Lines.isToken(value) || isQuoted(value)
        }
    }

    /// The parts between semicolons that stand outside quotes; nil when a quote is not closed.
    private static func parts(of text: ArraySlice<UInt8>) -> [[UInt8]]? {
        var parts: [[UInt8]] = [[]]
        var isQuoted = false
        var isEscaped = false
        for byte in text {
            if byte == UInt8(ascii: ";"), !isQuoted {
                parts.append([])
                continue
            }
            parts[parts.count - 1].append(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\"), isQuoted {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            }
        }
        return isQuoted ? nil : parts
    }

    private static func isQuoted(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count >= 2, text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\"") else { return false }
        var rest = text.dropFirst().dropLast()
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return false }
            if byte == UInt8(ascii: "\\"), rest.popFirst() == nil { return false }
        }
        return true
    }

    private static func trailersEnd(_ bytes: [UInt8], from start: Int, upTo limit: Int) -> Int? {
        var position = start
        // Line feeds are not counted, and the last line's carriage return is.
        var count = 0
        while let (line, next) = Lines.line(of: bytes, from: position) {
            count += line.count + 1
            guard count <= limit else { return nil }
            if line.isEmpty { return next }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), Lines.isToken(line[..<colon]), Lines.isText(line)
            else { return nil }
            position = next
        }
        return nil
    }
}
