internal import Backlot

/// Tells texts apart that equal servers show each in their own way: ids and points in time.
struct VolatileText: Sendable {
    /// Whether dates, times of day and times ago don't count either: where the two responses weren't requested at the same time.
    let ignoresTimes: Bool

    /// Whether two texts are the same but for what each server has of its own.
    @Sendable func isSame(_ one: String, _ two: String) -> Bool { one == two || masked(one) == masked(two) }

    /// The text with `*` in place of what each server has of its own.
    @Sendable func masked(_ text: String) -> String {
        guard text.utf8.contains(where: \.isDigit) else { return text }
        let masksTimes =
            ignoresTimes && (Self.holdsTime(text) || text.utf8.split { !Self.isWord($0) }.contains(where: Self.isTime))
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            let part = rest.prefix(while: Self.isWord)
            let isVolatile = Self.isID(part) || masksTimes && (part.allSatisfy(\.isDigit) || Self.isTime(part))
            if part.isEmpty {
                result.append(byte)
                rest = rest.dropFirst()
            } else if let count = Self.timestamp(rest) ?? Self.uuid(rest) ?? (isVolatile ? part.count : nil) {
                result.append(UInt8(ascii: "*"))
                rest = rest.dropFirst(count)
            } else {
                result += part
                rest = rest.dropFirst(part.count)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isWord(_ byte: UInt8) -> Bool { byte.isDigit || byte.isLetter }

    /// How many bytes of a UUID there are at the beginning.
    private static func uuid(_ bytes: ArraySlice<UInt8>) -> Int? {
        // It has 36 bytes: more needn't be looked at.
        let word = bytes.prefix(37).prefix { isWord($0) || $0 == UInt8(ascii: "-") }
        return word.isUUID ? word.count : nil
    }

    /// Whether a word of letters and digits is an id: hash sums, tokens.
    private static func isID(_ word: ArraySlice<UInt8>) -> Bool {
        let digits = word.count(where: \.isDigit)
        guard digits > 0, digits < word.count else { return digits >= 16 }
        return word.count >= 16 || word.count >= 12 && word.allSatisfy(\.isHex)
    }

    /// How many bytes of a date with a time of day there are at the beginning: `2026-11-22T10:15:00Z` (RFC 3339).
    private static func timestamp(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard ["0000-00-00T00:00", "0000-00-00 00:00"].contains(shape(bytes.prefix(16))) else { return nil }
        let rest = bytes.dropFirst(16).prefix(32).prefix { $0.isDigit || ":.,+-Z".utf8.contains($0) }
        // What follows in a sentence isn't a part of it.
        let end = rest.lastIndex { $0.isDigit || $0 == UInt8(ascii: "Z") }
        return 16 + (end.map { $0 + 1 - rest.startIndex } ?? 0)
    }

    /// A text with zeros in place of its digits.
    private static func shape(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes.map { $0.isDigit ? UInt8(ascii: "0") : $0 }, as: UTF8.self)
    }

    /// Whether a text holds a date or a time of day in numbers: `10:15`, `2026-11-22`, `22.11.2026`, `11/22`.
    private static func holdsTime(_ text: String) -> Bool {
        let shape = shape(text.utf8)
        return ["0:00", "0000-00", "00.00.", "00/00", "0/0/00"].contains { shape.contains($0) }
    }

    /// Words that say when something was.
    private static let timeWords = StableText.timeWords.union([
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        "mon", "tue", "wed", "thu", "fri", "sat", "sun", "second", "seconds", "minute", "minutes", "hour", "hours",
        "day", "days", "week", "weeks",
    ])

    private static func isTime(_ word: some Sequence<UInt8>) -> Bool {
        timeWords.contains(String(decoding: Array(word), as: UTF8.self).lowercased())
    }
}

/// Places of a document that are others each time.
struct VolatilePlaces {
    /// How many changes of a page by itself are looked at.
    static let mostChanges = 10_000

    private var values: Set<String> = []
    /// Parts that come, go or are exchanged as a whole.
    private var wholes: Set<String> = []
    /// Lists in which parts come and go.
    private var lists: Set<String> = []

    /// - Parameter differences: those between two responses of one server.
    init(_ differences: [Difference]) {
        for difference in differences {
            switch difference.rule {
            case "variable-changed", "key-added", "key-removed": values.insert(difference.ownPlace)
            case _ where difference.isOfValue: values.insert(difference.ownPlace)
            case _ where difference.now == nil:
                wholes.insert(difference.place)
                lists.insert(Self.parent(of: difference.place))
            case _ where difference.was == nil: lists.insert(difference.place)
            default: wholes.insert(difference.place)
            }
        }
    }

    /// Whether a difference is at one of them.
    ///
    /// - Parameter isNow: whether they are of the second of the sides that differ.
    func hold(_ difference: Difference, isNow: Bool) -> Bool {
        guard difference.isOfDocument, !values.isEmpty || !wholes.isEmpty || !lists.isEmpty else { return false }
        let place = isNow && difference.now != nil ? difference.pointer : difference.ownPlace
        if values.contains(place) || isInWhole(place) { return true }
        if difference.rule.hasPrefix("key-") { return false }
        let isPassing = difference.was == nil || difference.now == nil
        return lists.contains(place) || isPassing && lists.contains(Self.parent(of: place))
    }

    private func isInWhole(_ place: String) -> Bool {
        guard !wholes.isEmpty else { return false }
        var around = place
        while !wholes.contains(around) {
            guard around.contains("/") else { return false }
            around = Self.parent(of: around)
        }
        return true
    }

    /// The place around a place.
    static func parent(of place: String) -> String {
        place.lastIndex(of: "/").map { String(place[..<$0]) } ?? ""
    }
}
