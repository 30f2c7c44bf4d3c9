internal import Backlot

/// Distinguishes texts that are the same in every run from texts that only the recording has, such as times, ids, numbers and
/// pseudonyms.
struct StableText {
    /// The pseudonyms in the recording.
    let pseudonyms: Set<String>
    /// The texts that the test types, the longest first.
    private var typed: [String] = []

    /// Words that refer to a point in time.
    static let timeWords: Set<String> = [
        "now", "today", "tomorrow", "yesterday", "ago", "monday", "tuesday", "wednesday", "thursday", "friday",
        "saturday",
        "sunday", "january", "february", "march", "april", "june", "july", "august", "september", "october", "november",
        "december", "am", "pm",
    ]
    /// The maximum length of an expected text.
    private static let longest = 120

    init(pseudonyms: Set<String>) {
        self.pseudonyms = pseudonyms.filter { !$0.isEmpty }
    }

    /// Records a text that the test types, since the app may show it.
    mutating func type(_ text: String) {
        guard text.count >= 3, !holdsPseudonym(text), !typed.contains(text) else { return }
        typed.append(text)
        typed.sort { $0.count > $1.count }
    }

    /// Whether a text contains a pseudonym.
    func holdsPseudonym(_ text: String) -> Bool { pseudonyms.contains { text.contains($0) } }

    /// The first pseudonym in a text, plain or percent-encoded. Short ones only count as separate words.
    func pseudonym(in text: Substring) -> Range<Substring.Index>? {
        func isWord(_ character: Character?) -> Bool { character.map { $0.isLetter || $0.isNumber } ?? false }
        let places = pseudonyms.flatMap { [$0, FormText.encode($0)] }.compactMap { spelling in
            text.ranges(of: spelling).first { place in
                spelling.utf8.count >= 6
                    || !isWord(text[..<place.lowerBound].last) && !isWord(text[place.upperBound...].first)
            }
        }
        // The longest of those that begin first.
        return places.min { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }
    }

    /// Whether a text shows a typed text.
    func showsTyped(_ text: String) -> Bool { typed.contains { text.contains($0) } }

    /// Whether the text is the same in other runs.
    func isStable(_ text: String) -> Bool {
        guard !text.isEmpty, text.count <= Self.longest, !holdsPseudonym(text) else { return false }
        var rest = text
        for part in typed {
            while let place = rest.firstRange(of: part) { rest.replaceSubrange(place, with: " ") }
        }
        guard !rest.contains(where: \.isNumber) else { return false }
        return !rest.lowercased().split { !$0.isLetter }.contains { Self.timeWords.contains(String($0)) }
    }

    /// Whether a button has this text in other runs. Numbers count as part of the text, unless they look like times or ids.
    func isStableLabel(_ text: String) -> Bool {
        if isStable(text) { return true }
        guard !holdsPseudonym(text), text.count <= Self.longest else { return false }
        let isTime = text.contains(":") && text.contains(where: \.isNumber)
        return !isTime
            && text.split { !$0.isLetter && !$0.isNumber }.allSatisfy { word in
                !Self.timeWords.contains(word.lowercased()) && word.count(where: \.isNumber) < 4
                    && (word.count < 8 || !word.contains(where: \.isNumber))
            }
    }

    /// Whether a path is the same in other runs, which means that it has no ids.
    func isStablePath(_ path: String) -> Bool {
        guard !holdsPseudonym(path), !path.contains("?") else { return false }
        return path.split(separator: "/").allSatisfy { segment in
            !segment.contains(where: \.isNumber)
                && segment.split { !$0.isLetter }.allSatisfy { $0.count < 10 }
        }
    }
}
