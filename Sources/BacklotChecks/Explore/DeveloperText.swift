internal import Backlot
internal import BacklotClients

/// Finds texts on the screen that aren't meant for users. A value without I/O.
struct TextWatch {
    private static let mostSent = 30
    private static let mostTexts = 5000

    /// The texts that were checked already.
    private var read: Set<String> = []
    /// The last values that the client sent: pages may show them.
    private var sent: [JSONValue] = []

    /// Checks the new texts after a step.
    ///
    /// - Parameters:
    ///   - typed: the texts that the users of the session have typed.
    ///   - oddTexts: the names of the odd texts that any user has typed.
    mutating func take(
        _ client: any HeadlessClient,
        _ seen: [RecordingTransport.Seen],
        _ typed: [String],
        oddTexts: Set<String>
    ) -> [Discovery] {
        for exchange in seen {
            guard !exchange.request.body.isEmpty, let value = try? JSONValue(parsing: exchange.request.body) else {
                continue
            }
            sent.append(value)
        }
        if sent.count > Self.mostSent { sent.removeFirst(sent.count - Self.mostSent) }
        var found: [Discovery] = []
        for text in client.shownTexts.prefix(Self.mostTexts) {
            if read.count > Self.mostTexts { read = [] }
            guard read.insert(text).inserted, let (excerpt, what) = DeveloperText.excerpt(in: text, sent: sent) else {
                continue
            }
            // Pages may show a typed text unchanged.
            if typed.contains(where: { $0.contains(excerpt) })
                || InputValues.isEcho(excerpt, in: text, typed: oddTexts)
            {
                continue
            }
            if !found.contains(where: { $0.key.hasSuffix(what) }) {
                found.append(
                    .text(excerpt, what, client.shownError == nil ? client.place : seen.last?.path ?? "", in: text)
                )
            }
        }
        return found
    }
}

/// Texts that aren't meant for users.
enum DeveloperText {
    /// The maximum length of a checked text, in characters.
    private static let longest = 20_000

    /// The first part of a text that isn't meant for users, and its kind; nil if the text is fine.
    static func excerpt(in text: String, sent: [JSONValue] = []) -> (String, String)? {
        let text = String(text.prefix(longest))
        let bytes = Array(text.utf8)
        var hasPath = false
        var hasWord = false
        // Most texts are a few words, without any of these signs.
        for index in bytes.indices {
            for number in numbers[Int(bytes[index])] where bytes[index...].starts(with: signs[number].sign) {
                switch signs[number].what {
                case "path": hasPath = true
                case "word": hasWord = true
                default: return (String(decoding: signs[number].sign, as: UTF8.self), signs[number].what)
                }
            }
        }
        if hasPath {
            for sign in paths {
                if let range = text.firstRange(of: sign), isAtBoundary(range.lowerBound, in: text) {
                    return (
                        String(text[range.lowerBound...].prefix { !$0.isWhitespace }.prefix(100)),
                        "a path of the server"
                    )
                }
            }
        }
        if hasWord, let word = lonelyWord(in: text) { return (word, "a missing value") }
        guard bytes.contains(where: { [UInt8(ascii: "<"), UInt8(ascii: "."), UInt8(ascii: "{")].contains($0) }) else {
            return nil
        }
        if let tag = tag(in: text) { return (tag, "HTML") }
        if let place = sourcePlace(in: text) { return (place, "a place in source code") }
        return json(in: text, sent)
    }

    /// The signs. `numbers` has the indices of the signs that begin with each byte.
    private static let signs: [(sign: [UInt8], what: String)] =
        (words.map { ($0, "word") } + paths.map { ($0, "path") } + plainSigns).map { (Array($0.0.utf8), $0.1) }

    private static let numbers: [[Int]] = (0..<256).map { byte in
        signs.indices.filter { signs[$0].sign.first == UInt8(byte) }
    }

    private static let words = ["nil", "null", "undefined", "NaN"]

    private static let plainSigns: [(String, String)] = [
        ("Optional(", "a missing value"), ("[object Object]", "a missing value"), ("<null>", "a missing value"),
        ("(null)", "a missing value"), ("Traceback (most recent call last)", "a stack trace"),
        ("Fatal error:", "a stack trace"), ("Exception in thread", "a stack trace"), ("\n\tat ", "a stack trace"),
        ("\n    at ", "a stack trace"), ("goroutine ", "a stack trace"), ("panic: ", "a stack trace"),
        ("Stack trace", "a stack trace"), ("stack trace", "a stack trace"), ("NullPointerException", "a stack trace"),
        ("Error Domain=", "an error of the program"), ("DecodingError", "an error of the program"),
        ("keyNotFound(", "an error of the program"), ("typeMismatch(", "an error of the program"),
        ("CodingKeys(", "an error of the program"), ("SQLSTATE", "an error of the database"),
        ("SQLITE_", "an error of the database"), ("syntax error at or near", "an error of the database"),
        ("constraint failed", "an error of the database"), ("duplicate key value", "an error of the database"),
        ("&nbsp;", "HTML"), ("&amp;", "HTML"), ("&lt;", "HTML"), ("&gt;", "HTML"), ("&quot;", "HTML"),
        ("&#39;", "HTML"),
        ("<!DOCTYPE", "HTML"), ("<!doctype", "HTML"), ("{{", "a template"), ("${", "a template"), ("%@", "a template"),
        ("<%", "a template"), ("%1$", "a template"), ("%s", "a template"),
    ]

    private static let paths = [
        "/usr/", "/home/", "/var/", "/etc/", "/Users/", "/srv/", "/opt/", "/tmp/", "file:///", "C:\\",
    ]

    private static func isAtBoundary(_ index: String.Index, in text: String) -> Bool {
        guard index > text.startIndex else { return true }
        let before = text[text.index(before: index)]
        return before.isWhitespace || "\"'(:=`[".contains(before)
    }

    /// A word such as `nil` in the position of a name or a value: at the end, before a comma, or after a colon.
    private static func lonelyWord(in text: String) -> String? {
        for word in words {
            var rest = text[...]
            while let range = rest.firstRange(of: word) {
                let before = text[..<range.lowerBound].last
                let after = text[range.upperBound...].first
                let isWord =
                    !(before.map { $0.isLetter || $0.isNumber || "_-/.".contains($0) } ?? false)
                    && !(after.map { $0.isLetter || $0.isNumber || "_-/".contains($0) } ?? false)
                let isLast = text[range.upperBound...].allSatisfy { $0.isWhitespace || $0.isPunctuation }
                let isValue = text[..<range.lowerBound].last { !$0.isWhitespace }.map { ":=".contains($0) } ?? true
                if isWord, isLast || isValue || after.map({ ",!".contains($0) }) ?? false { return word }
                rest = rest[range.upperBound...]
            }
        }
        return nil
    }

    private static let tags: Set<String> = [
        "a", "b", "body", "br", "code", "div", "em", "h1", "h2", "h3", "head", "html", "i", "img", "li", "p", "pre",
        "script",
        "span", "strong", "table", "td", "title", "tr", "u", "ul",
    ]

    private static func tag(in text: String) -> String? {
        var rest = text[...]
        while let start = rest.firstIndex(of: "<") {
            rest = rest[rest.index(after: start)...]
            let name = rest.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }
            guard tags.contains(name.lowercased()), let end = rest.firstIndex(of: ">") else { continue }
            return String(text[start...end].prefix(60))
        }
        return nil
    }

    /// A source location such as `Pages.swift:12`.
    private static func sourcePlace(in text: String) -> String? {
        for ending in [
            ".swift:", ".java:", ".kt:", ".py:", ".py\", line ", ".js:", ".ts:", ".rb:", ".go:", ".php:",
            ".php on line ",
        ] {
            guard let range = text.firstRange(of: ending), text[range.upperBound...].first?.isNumber == true else {
                continue
            }
            let name = text[..<range.lowerBound].reversed().prefix { !$0.isWhitespace }.reversed()
            return String(name) + ending
        }
        return nil
    }

    /// A JSON object or array, unless the client itself sent it.
    private static func json(in text: String, _ sent: [JSONValue]) -> (String, String)? {
        for opening in ["{\"", "[{"] {
            guard let range = text.firstRange(of: opening) else { continue }
            let part = text[range.lowerBound...]
            let closing: Character = opening == "[{" ? "]" : "}"
            guard let end = part.lastIndex(of: closing), let value = try? JSONValue(parsing: Array(part[...end].utf8))
            else { continue }
            if value.object?.count != 0, !sent.contains(value) { return (String(part[...end].prefix(60)), "JSON") }
        }
        return nil
    }
}
