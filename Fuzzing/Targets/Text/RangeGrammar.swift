/// Reads a `Range` field as the grammar of RFC 9110, section 14.1.1, has it, in the plainest way.
enum RangeGrammar {
    struct Member {
        /// nil for the last bytes of a file.
        let first: Int?
        /// nil for up to the end.
        let last: Int?

        /// Whether a byte of a file is in the range.
        func holds(_ byte: Int, of size: Int) -> Bool {
            if let first { return byte >= first && byte <= last ?? .max }
            return byte >= size - (last ?? 0)
        }
    }

    /// The ranges that a field asks for; nil when it is no list of ranges of bytes.
    static func members(of field: String) -> [Member]? {
        let halves = field.unicodeScalars.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, String(halves[0]).lowercased() == "bytes" else { return nil }
        var members: [Member] = []
        for text in halves[1].split(separator: ",") {
            let text = trimmed(Array(text))
            if text.isEmpty { continue }
            let ends = text.split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count == 2, ends.joined().allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
            let member = Member(first: number(ends[0]), last: number(ends[1]))
            if member.first == nil, member.last == nil { return nil }
            if let first = member.first, let last = member.last, last < first { return nil }
            members.append(member)
        }
        return members.isEmpty ? nil : members
    }

    private static func trimmed(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        let blanks: Set<Unicode.Scalar> = [" ", "\t"]
        let start = text.drop { blanks.contains($0) }
        return start.reversed().drop { blanks.contains($0) }.reversed()
    }

    /// The number that some digits are; the largest for one that is too large, and nil where there are none.
    private static func number(_ digits: ArraySlice<Unicode.Scalar>) -> Int? {
        guard !digits.isEmpty else { return nil }
        return Int(String(String.UnicodeScalarView(digits))) ?? .max
    }
}
