internal import Backlot

/// Reads OpenTelemetry's environment variables, and collects the mistakes in them. An empty variable counts as unset.
struct OTLPVariables {
    let environment: [String: String]
    private(set) var mistakes: [String] = []

    init(_ environment: [String: String]) {
        self.environment = environment
    }

    /// The text of the first of these variables that is set.
    func text(_ names: String...) -> (name: String, text: String)? { text(names) }

    private func text(_ names: [String]) -> (name: String, text: String)? {
        for name in names {
            if let text = environment[name], !text.isEmpty { return (name, text) }
        }
        return nil
    }

    /// `true` or `false`, in any letter case.
    mutating func flag(_ name: String) -> Bool {
        guard let (name, text) = text(name) else { return false }
        let flag = ["true": true, "false": false][text.lowercased()]
        if flag == nil { refuse(name, text, "is neither true nor false: write one of them") }
        return flag ?? false
    }

    /// An integer from 1.
    mutating func count(_ name: String, else usual: Int) -> Int {
        number([name], upTo: 1_000_000_000) {
            "isn't a whole number from 1 to 1000000000: write one, such as \(usual)"
        } ?? usual
    }

    /// A time in milliseconds, from the first of the variables that is set.
    mutating func milliseconds(_ names: String..., else usual: Duration) -> Duration {
        number(names, upTo: 86_400_000) {
            "isn't a time in milliseconds: write a number up to 86400000, such as \(usual.milliseconds)"
        }.map { .milliseconds($0) } ?? usual
    }

    private mutating func number(_ names: [String], upTo limit: Int, _ reason: () -> String) -> Int? {
        guard let (name, text) = text(names) else { return nil }
        if let number = Int(text), (1...limit).contains(number) { return number }
        refuse(name, text, reason())
        return nil
    }

    /// One of some words, from the first of the variables that is set.
    mutating func choice(_ words: [String], _ names: String...) -> String? {
        guard let (name, text) = text(names) else { return nil }
        if words.contains(text) { return text }
        let hint = text == "grpc" ? "; use the collector's port for HTTP too, which is 4318 as a rule" : ""
        refuse(name, text, "is not offered: write \(words.joined(separator: " or "))\(hint)")
        return nil
    }

    /// A list such as `team=web,region=north%20west`: pairs with commas between them and percent-encoded values.
    ///
    /// - Parameter isSecret: whether the text of a mistake must not repeat the value.
    mutating func pairs(_ name: String, isSecret: Bool = false) -> [(key: String, value: String)] {
        guard let (name, text) = text(name) else { return [] }
        var pairs: [(key: String, value: String)] = []
        for item in text.split(separator: ",").map(\.trimmed) where !item.isEmpty {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
            guard parts.count == 2, !parts[0].isEmpty, let value = PercentDecoding.decode(parts[1]) else {
                let shown = isSecret ? Self.nameOnly(item) : String(item)
                refuse(name, shown, "isn't a pair: write key=value, with commas between pairs, and %2C for a comma")
                continue
            }
            pairs.append((String(parts[0]), value))
        }
        return pairs
    }

    /// Header fields, which precede the exporter's own.
    mutating func headers(_ name: String) -> HTTPFields {
        var fields = HTTPFields()
        for (key, value) in pairs(name, isSecret: true) {
            guard !Self.ownFields.contains(key.lowercased()) else {
                refuse(name, key, "is a field that the exporter sends itself: leave it out")
                continue
            }
            do throws(HeaderError) {
                try fields.set(key, to: value)
            } catch {
                switch error {
                case .name:
                    let shown = Self.nameOnly(key[...])
                    refuse(name, shown, "can't be the name of a header field: write one such as authorization")
                // The value may be a secret.
                case .value: refuse(name, key, "has a value with a control character, which no header field may have")
                }
            }
        }
        return fields
    }

    /// The name before the first `=`, `:` or blank of a text, and an ellipsis for the rest. A text of one word may be a secret
    /// itself.
    private static func nameOnly(_ text: Substring) -> String {
        let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        let next = text[name.endIndex...].first
        return next == "=" || next == ":" || next == " " ? "\(name)…" : "…"
    }

    private static let ownFields: Set<String> = [
        "connection", "content-encoding", "content-length", "content-type", "expect", "host", "te", "transfer-encoding",
        "upgrade",
    ]

    /// Notes a mistake: the variable, its value, and the advice.
    mutating func refuse(_ name: String, _ text: String, _ reason: String) {
        let mistake = "\(name): '\(LogText.escaped(String(text.prefix(100))))' \(reason)"
        // All three signals read the common variables.
        if !mistakes.contains(mistake) { mistakes.append(mistake) }
    }
}
