import Backlot
import BacklotMocks

/// Finds named values in texts that are neither JSON nor forms: HTML, XML, scripts, and header fields.
enum NamedTexts {
    /// The characters that end a value without quotes.
    private static let ends = Set("&;#\"'<>,)( \t\r\n".utf8)
    private static let quotes = Set("\"'`".utf8)
    /// The maximum length of a quoted value.
    private static let longest = 4096

    /// The values after `=` and `:`.
    ///
    /// - `name="value"`, `"name": 'value'` and similar pairs; `isQuoted` is true for these.
    /// - `name=value`, as a parameter of a URL or of a header field: after `?`, `&`, `;`, `#`, `,` or a blank.
    ///
    /// - Parameter isField: whether the text is the value of a header field, where a parameter may follow a blank.
    static func assigned(in text: String, isField: Bool) -> [(pair: NamedValue, isQuoted: Bool)] {
        let bytes = Array(text.utf8)
        var found: [(pair: NamedValue, isQuoted: Bool)] = []
        // Values without quotes may have the same end, as in `?a=?a=?a=`. Of those with this end, `left` more bytes are read.
        var (end, left) = (0, 0)
        for index in bytes.indices where bytes[index] == UInt8(ascii: "=") || bytes[index] == UInt8(ascii: ":") {
            guard let name = name(in: bytes, before: index) else { continue }
            var start = index + 1
            while start < bytes.count, start - index < 4, bytes[start] == 0x20 { start += 1 }
            guard start < bytes.count else { continue }
            if quotes.contains(bytes[start]) {
                let rest = bytes[(start + 1)...].prefix(longest)
                guard let end = rest.firstIndex(of: bytes[start]) else { continue }
                let value = rest[..<end]
                guard !value.contains(0x0A) else { continue }
                found.append((named(bytes[name], value), true))
            } else if bytes[index] == UInt8(ascii: "="), start == index + 1,
                follows(bytes, name.lowerBound, isField: isField)
            {
                if start >= end {
                    end = start + bytes[start...].prefix { !ends.contains($0) }.count
                    left = 8 * (end - start)
                }
                let value = bytes[start..<end].prefix(left)
                left -= value.count
                let pair = named(bytes[name], value)
                found.append((NamedValue(name: pair.name, value: FormText.decode(pair.value[...])), false))
                // In base64, a plus sign isn't a blank.
                if pair.value.contains("+"), !pair.value.contains("%") { found.append((pair, false)) }
            }
        }
        return found
    }

    /// The values of lines such as `password=…` and `Token: …`, with or without quotes. Lines that end like a script's statement
    /// are ignored.
    static func lines(in text: String) -> [NamedValue] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            let line = line.drop { $0.isWhitespace || "-*#;/".contains($0) }
            guard let mark = line.firstIndex(where: { $0 == "=" || $0 == ":" }) else { return nil }
            let name = line[..<mark].trimmed
            var value = line[line.index(after: mark)...].trimmed
            if let comment = value.firstRange(of: " #") { value = value[..<comment.lowerBound].trimmed }
            guard !name.isEmpty, name.utf8.allSatisfy({ isName($0) || $0 == 0x20 }), let last = value.last,
                !",;{(".contains(last)
            else { return nil }
            if line[mark] == "=", last != "\"", last != "'", let blank = value.firstIndex(of: " ") {
                value = value[..<blank]
            }
            return NamedValue(name: String(name), value: unquoted(value))
        }
    }

    /// The values of connection strings such as `Server=db;Uid=ann;Pwd=…`.
    static func settings(in text: String) -> [NamedValue] {
        text.split { $0.isNewline || "\"'`<>".contains($0) }.flatMap { part -> [NamedValue] in
            let pairs = part.split(separator: ";").compactMap { pair -> NamedValue? in
                guard let equals = pair.firstIndex(of: "=") else { return nil }
                let value = pair[pair.index(after: equals)...].trimmed
                return NamedValue(name: String(pair[..<equals].trimmed), value: String(value))
            }
            return pairs.count > 1 ? pairs : []
        }
    }

    /// The values of a table, with the names in its first line. The separator is a comma, a semicolon or a tab.
    static func columns(in text: String) -> [NamedValue] {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let header = lines.first, let separator = header.first(where: { ",;\t".contains($0) }) else { return [] }
        func values(_ line: Substring) -> [String] {
            line.split(separator: separator, omittingEmptySubsequences: false).map { unquoted($0.trimmed) }
        }
        let names = values(header)
        return lines.dropFirst().flatMap { line in zip(names, values(line)).map { NamedValue(name: $0, value: $1) } }
    }

    /// The comments in HTML and XML.
    static func comments(in text: String) -> [String] {
        text.split(separator: "<!--").dropFirst(text.hasPrefix("<!--") ? 0 : 1).map { part in
            String(part.firstRange(of: "-->").map { part[..<$0.lowerBound] } ?? part)
        }
    }

    private static func unquoted(_ value: some StringProtocol) -> String {
        guard let first = value.first, first == "\"" || first == "'", value.count > 1, value.last == first else {
            return String(value)
        }
        return String(value.dropFirst().dropLast())
    }

    private static func named(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> NamedValue {
        NamedValue(name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self))
    }

    /// The name before an equals sign or a colon, with or without quotes.
    private static func name(in bytes: [UInt8], before index: Int) -> Range<Int>? {
        var end = index
        while end > 0, index - end < 3, bytes[end - 1] == 0x20 { end -= 1 }
        if end > 0, quotes.contains(bytes[end - 1]) { end -= 1 }
        var start = end
        while start > 0, isName(bytes[start - 1]) { start -= 1 }
        return start < end ? start..<end : nil
    }

    private static func isName(_ byte: UInt8) -> Bool {
        byte.isDigit || byte.isLetter || "_-$.".utf8.contains(byte)
    }

    private static func follows(_ bytes: [UInt8], _ start: Int, isField: Bool) -> Bool {
        guard start > 0 else { return isField }
        return "?&;#".utf8.contains(bytes[start - 1]) || isField && ", ".utf8.contains(bytes[start - 1])
    }

    /// The contents of elements, and the values of the attributes `name`, `value` and `content`: `<password>…</password>`,
    /// `<input name="csrf" value="…">`, `<meta name=csrf content=…>`.
    static func elements(in text: String) -> [NamedValue] {
        let data = "![CDATA["
        var found: [NamedValue] = []
        let parts = text.split(separator: "<", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            guard let (attributes, text) = tag(part) else { continue }
            let name = part.prefix { $0 != ">" && !$0.isWhitespace && $0 != "/" }.split(separator: ":").last ?? ""
            var content = String(text.trimmed)
            if content.isEmpty, index + 1 < parts.count, parts[index + 1].hasPrefix(data) {
                let rest = parts[index + 1].dropFirst(data.count)
                content = String(rest[..<(rest.firstRange(of: "]]>")?.lowerBound ?? rest.endIndex)])
            }
            if !content.isEmpty, !name.isEmpty { found.append(NamedValue(name: String(name), value: content)) }
            if let named = attributes["name"], let value = attributes["value"] ?? attributes["content"] {
                found.append(NamedValue(name: named, value: value))
            }
        }
        return found
    }

    /// The attributes of a tag, and the text after its closing bracket, which must not be in quotes; nil for a tag without an end.
    private static func tag(_ tag: Substring) -> (attributes: [String: String], text: Substring)? {
        var attributes: [String: String] = [:]
        var rest = tag.drop { !$0.isWhitespace && $0 != ">" }.drop(while: \.isWhitespace)
        while let first = rest.first, first != ">" {
            let name = rest.prefix { $0 != "=" && $0 != ">" && !$0.isWhitespace }
            rest = rest[name.endIndex...].drop(while: \.isWhitespace)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst().drop(while: \.isWhitespace)
            let quote = rest.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
            if quote != nil { rest = rest.dropFirst() }
            // A quote without a closing quote is part of the text.
            let end = quote.flatMap { rest.firstIndex(of: $0) }
            let value = end.map { rest[..<$0] } ?? rest.prefix { $0 != ">" && (quote != nil || !$0.isWhitespace) }
            rest = rest[value.endIndex...].dropFirst(end == nil ? 0 : 1).drop(while: \.isWhitespace)
            attributes[name.lowercased()] = String(value)
        }
        return rest.isEmpty ? nil : (attributes, rest.dropFirst())
    }

    /// A text of HTML or XML with its predefined character references decoded.
    static func unescaped(_ text: String) -> String {
        guard text.contains("&") else { return text }
        let characters = ["lt": "<", "gt": ">", "quot": "\"", "apos": "'", "#39": "'", "#x27": "'", "amp": "&"]
        return characters.sorted { $0.key > $1.key }.reduce(text) { $0.replacing("&\($1.key);", with: $1.value) }
    }
}
