/// Counts what a regular expression takes out of a text.
///
/// Source: ICU User Guide, Regular Expressions.
enum RegexGroups {
    /// How many capturing groups a pattern has.
    static func count(in pattern: String) -> Int {
        var rest = pattern.unicodeScalars[...]
        var count = 0
        var setDepth = 0
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\":
                guard rest.popFirst() == "Q" else { continue }
                // Everything up to \E is meant literally.
                while let quoted = rest.popFirst() {
                    guard quoted == "\\", rest.first == "E" else { continue }
                    rest.removeFirst()
                    break
                }
            case "[": setDepth += 1
            case "]" where setDepth > 0: setDepth -= 1
            case "(" where setDepth == 0: if isCapturing(rest) { count += 1 }
            default: break
            }
        }
        return count
    }

    /// Whether the group that has just begun captures: plain, or with a name.
    private static func isCapturing(_ rest: Substring.UnicodeScalarView) -> Bool {
        guard rest.first == "?" else { return true }
        let second = rest.dropFirst()
        guard second.first == "<", let third = second.dropFirst().first else { return false }
        return third != "=" && third != "!"
    }
}
