import Backlot

/// Makes texts that match a regular expression: sets, groups, branches and repetitions. Each text is compared with the pattern before it
/// is used.
struct PatternSample {
    private indirect enum Part {
        /// The characters to choose one from.
        case set([Unicode.Scalar])
        case sequence([Part])
        case choice([Part])
        case repeated(Part, least: Int, most: Int?)
    }

    private static let deepest = 50
    private static let longest = 1_000
    private static let mostSteps = 20_000
    /// The repetitions beyond the minimum, in the order of the attempts.
    private static let extras = [3, 1, 0, 2] + Array(4...40) + [60, 100, 200, 400, 900]

    private var rest: ArraySlice<Unicode.Scalar>
    private var depth = 0

    /// A text that matches a pattern; nil if none can be made.
    ///
    /// - Parameters:
    ///   - lengths: the permitted numbers of characters.
    ///   - variant: gives another text for each number, if the pattern has several.
    static func text(_ pattern: String, lengths: ClosedRange<Int>, variant: Int) -> String? {
        guard let regex = try? PCRERegex(pattern, syntax: .ecma) else { return nil }
        var sample = PatternSample(rest: Array(pattern.unicodeScalars)[...])
        guard let part = sample.choice(), sample.rest.isEmpty else { return nil }
        for extra in extras {
            var run = Run(extra: extra, turn: variant)
            guard run.add(part) else { continue }
            let padding = String(repeating: "x", count: max(0, min(longest, lengths.lowerBound) - run.text.count))
            let text = String(String.UnicodeScalarView(run.text))
            for text in padding.isEmpty ? [text] : [text + padding, padding + text]
            where lengths.contains(text.unicodeScalars.count) {
                var time = PCRERegex.time(forBytes: text.utf8.count)
                if regex.search(text, within: &time) == .matches { return text }
            }
        }
        return nil
    }

    private init(rest: ArraySlice<Unicode.Scalar>) {
        self.rest = rest
    }

    // MARK: Writing

    private struct Run {
        let extra: Int
        /// Chooses among characters and branches.
        var turn: Int
        var text: [Unicode.Scalar] = []
        private var steps = 0

        init(extra: Int, turn: Int) {
            (self.extra, self.turn) = (extra, turn)
        }

        /// Adds a text for a part.
        ///
        /// - Returns: false if the text becomes too long.
        mutating func add(_ part: Part) -> Bool {
            steps += 1
            guard steps <= mostSteps, text.count <= longest else { return false }
            switch part {
            case .set(let characters):
                guard !characters.isEmpty else { return false }
                text.append(characters[turn % characters.count])
                turn += characters.count > 1 ? 1 : 0
            case .sequence(let parts):
                for part in parts where !add(part) { return false }
            case .choice(let parts): return add(parts[turn % parts.count])
            case .repeated(let part, let least, let most):
                let count = min(most ?? .max, least > longest ? longest + 1 : least + extra)
                for _ in 0..<max(least > longest ? count : least, count) where !add(part) { return false }
            }
            return true
        }
    }

    // MARK: Reading

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func choice() -> Part? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { return nil }
        var branches: [Part] = []
        var parts: [Part] = []
        while let next = rest.first, next != ")" {
            if take("|") {
                branches.append(.sequence(parts))
                parts = []
                continue
            }
            guard let part = atom(), let repeated = quantified(part) else { return nil }
            parts.append(repeated)
        }
        return branches.isEmpty ? .sequence(parts) : .choice(branches + [.sequence(parts)])
    }

    private mutating func atom() -> Part? {
        guard let next = rest.popFirst() else { return nil }
        switch next {
        case "^", "$": return .sequence([])
        case ".": return .set(Self.word)
        case "[": return set()
        case "(": return group()
        case "\\": return escaped(inSet: false).map { $0.isEmpty ? .sequence([]) : .set($0) }
        default: return .set([next])
        }
    }

    private mutating func group() -> Part? {
        if take("?"), !take(":") {
            _ = take("P")
            guard take("<"), rest.first != "=", rest.first != "!" else { return nil }
            rest = rest.drop { $0 != ">" }.dropFirst()
        }
        guard let content = choice(), take(")") else { return nil }
        return content
    }

    private mutating func quantified(_ part: Part) -> Part? {
        var (least, most): (Int, Int?) = (1, 1)
        if take("*") {
            (least, most) = (0, nil)
        } else if take("+") {
            most = nil
        } else if take("?") {
            least = 0
        } else if rest.first == "{", let end = rest.firstIndex(of: "}") {
            let text = String(String.UnicodeScalarView(rest[(rest.startIndex + 1)..<end]))
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
            guard let first = numbers.first, let first, first >= 0, numbers.count <= 2 else { return part }
            (least, most) = (first, numbers.count == 1 ? first : numbers[1])
            guard most.map({ $0 >= first }) ?? true else { return nil }
            rest = rest[(end + 1)...]
        } else {
            return part
        }
        // Lazy and possessive matches have the same texts.
        _ = take("?") || take("+")
        return .repeated(part, least: least, most: most)
    }

    private static func range(_ first: Unicode.Scalar, _ last: Unicode.Scalar) -> [Unicode.Scalar] {
        first.value > last.value
            ? [] : (first.value...min(last.value, first.value + 200)).compactMap(Unicode.Scalar.init)
    }

    private static let digits = range("0", "9")
    private static let word = range("a", "z") + range("A", "Z") + digits + ["_"]
    private static let printable = word + range(" ", "~").filter { !word.contains($0) }

    /// The characters of an escape: empty for a position between characters, nil for an unknown escape.
    private mutating func escaped(inSet: Bool) -> [Unicode.Scalar]? {
        guard let next = rest.popFirst() else { return nil }
        switch next {
        case "d": return Self.digits
        case "w": return Self.word
        case "s": return [" "]
        case "D": return Self.printable.filter { !Self.digits.contains($0) }
        case "W": return Self.printable.filter { !Self.word.contains($0) }
        case "S": return Self.printable.filter { $0 != " " }
        case "b", "B", "A", "z", "Z": return inSet ? nil : []
        default: return Self.word.contains(next) && next != "_" ? nil : [next]
        }
    }

    private mutating func set() -> Part? {
        let isNegated = take("^")
        var characters: [Unicode.Scalar] = []
        var isFirst = true
        while let next = rest.popFirst(), next != "]" || isFirst {
            isFirst = false
            guard let one = next == "\\" ? escaped(inSet: true) : [next] else { return nil }
            if one.count == 1, rest.first == "-", let end = rest.dropFirst().first, end != "]" {
                rest.removeFirst(2)
                guard let last = end == "\\" ? escaped(inSet: true) : [end], last.count == 1 else { return nil }
                characters += Self.range(one[0], last[0])
            } else {
                characters += one
            }
        }
        let chosen = isNegated ? Self.printable.filter { !characters.contains($0) } : characters
        // Letters and digits are easier to read.
        let plain = chosen.filter { Self.word.contains($0) && $0 != "_" }
        return .set(plain.isEmpty ? chosen : plain)
    }
}
