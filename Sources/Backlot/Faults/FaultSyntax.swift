/// Reads what goes wrong with answers, or with a network, from a text such as `status=503; delay=2000`.
struct FaultSyntax {
    /// What may be written, for messages.
    let allowed: String

    /// An error that says what is allowed.
    func error(_ problem: String) -> FaultSyntaxError { FaultSyntaxError(problem: problem, allowed: allowed) }

    /// The pairs of a text, with their keys in lower case, each of which stands there once.
    ///
    /// A semicolon, a comma and an ampersand separate: a cookie's value can't hold a semicolon, and a proxy may join two
    /// fields with a comma.
    ///
    /// - Parameter firstKey: the key of the first part where that is a value alone, as in `3g; loss=5`.
    /// - Throws: `FaultSyntaxError` for parts that aren't pairs, doubled keys and a text without parts.
    func pairs(
        in text: String,
        firstKey: String? = nil
    ) throws(FaultSyntaxError) -> [(key: String, value: String)] {
        var pairs: [(key: String, value: String)] = []
        for part in text.split(whereSeparator: { $0 == ";" || $0 == "," || $0 == "&" }) {
            var pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                String($0.trimmed)
            }
            if pair.count == 1 {
                if pair[0].isEmpty { continue }
                guard let firstKey, pairs.isEmpty else { throw error("'\(pair[0])' has no value") }
                pair.insert(firstKey, at: 0)
            }
            let key = pair[0].lowercased()
            guard !pairs.contains(where: { $0.key == key }) else { throw error("'\(key)' is set twice") }
            pairs.append((key, pair[1]))
        }
        guard !pairs.isEmpty else { throw error("it says nothing") }
        return pairs
    }

    /// The whole number that a value is.
    ///
    /// - Throws: `FaultSyntaxError` for what is none, or out of range.
    func number(_ key: String, _ text: String, in range: ClosedRange<Int>) throws(FaultSyntaxError) -> Int {
        // Int reads a plus sign too.
        guard text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }), let number = Int(text)
        else { throw error("the \(key) '\(text)' isn't a whole number") }
        guard range.contains(number) else { throw error("the \(key) \(number) is out of range") }
        return number
    }
}

/// Why a text can't be read as a fault, or as a network.
struct FaultSyntaxError: Error, Equatable, CustomStringConvertible {
    /// What is wrong.
    let problem: String
    /// What is allowed, for messages.
    let allowed: String

    /// What is wrong, and what is allowed.
    var description: String { "\(problem); \(allowed)" }
}
