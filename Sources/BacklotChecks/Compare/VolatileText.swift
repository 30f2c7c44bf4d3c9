internal import Backlot

/// Recognizes texts that equal servers show differently: ids and points in time.
struct VolatileText: Sendable {
    /// Whether to ignore dates, times of day and relative times too, because the two responses were requested at different times.
    let ignoresTimes: Bool

    /// Whether two texts are equal apart from the parts that differ between servers.
    @Sendable func isSame(_ one: String, _ two: String) -> Bool { one == two || masked(one) == masked(two) }

    /// The text with `*` in place of the parts that differ between servers.
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

    /// The length of the UUID at the beginning, in bytes; nil without one.
    private static func uuid(_ bytes: ArraySlice<UInt8>) -> Int? {
        // A UUID has 36 bytes, so 37 are enough.
        let word = bytes.prefix(37).prefix { isWord($0) || $0 == UInt8(ascii: "-") }
        return word.isUUID ? word.count : nil
    }

    /// Whether a word of letters and digits is an id, such as a hash sum or a token.
    private static func isID(_ word: ArraySlice<UInt8>) -> Bool {
        let digits = word.count(where: \.isDigit)
        guard digits > 0, digits < word.count else { return digits >= 16 }
        return word.count >= 16 || word.count >= 12 && word.allSatisfy(\.isHex)
    }

    /// The length of the date with a time at the beginning, in bytes: `2026-11-22T10:15:00Z` (RFC 3339).
    private static func timestamp(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard ["0000-00-00T00:00", "0000-00-00 00:00"].contains(shape(bytes.prefix(16))) else { return nil }
        let rest = bytes.dropFirst(16).prefix(32).prefix { $0.isDigit || ":.,+-Z".utf8.contains($0) }
        // Punctuation after it belongs to the sentence.
        let end = rest.lastIndex { $0.isDigit || $0 == UInt8(ascii: "Z") }
        return 16 + (end.map { $0 + 1 - rest.startIndex } ?? 0)
    }

    /// The text with zeros in place of its digits.
    private static func shape(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes.map { $0.isDigit ? UInt8(ascii: "0") : $0 }, as: UTF8.self)
    }

    /// Whether a text contains a date or a time of day in numbers: `10:15`, `2026-11-22`, `22.11.2026`, `11/22`.
    private static func holdsTime(_ text: String) -> Bool {
        let shape = shape(text.utf8)
        return ["0:00", "0000-00", "00.00.", "00/00", "0/0/00"].contains { shape.contains($0) }
    }

    /// Words that refer to a point in time.
    private static let timeWords = StableText.timeWords.union([
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        "mon", "tue", "wed", "thu", "fri", "sat", "sun", "second", "seconds", "minute", "minutes", "hour", "hours",
        "day", "days", "week", "weeks",
    ])

    private static func isTime(_ word: some Sequence<UInt8>) -> Bool {
        timeWords.contains(String(decoding: Array(word), as: UTF8.self).lowercased())
    }
}

/// The places of a document that change each time.
struct VolatilePlaces {
    /// The maximum number of a page's own changes to look at.
    static let mostChanges = 10_000

    private var values: Set<String> = []
    /// Parts that come, go or change as a whole.
    private var wholes: Set<String> = []
    /// Lists with parts that come and go.
    private var lists: Set<String> = []

    /// - Parameter differences: the differences between two responses of one server.
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

    /// Whether a difference is at one of these places.
    ///
    /// - Parameter isNow: whether the places belong to the second of the compared sides.
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

    /// The pointer of the enclosing value.
    static func parent(of place: String) -> String {
        place.lastIndex(of: "/").map { String(place[..<$0]) } ?? ""
    }
}
