import BacklotJSON

/// Changes to a value before it is written, by the names of Mustache's libraries: `uppercased(name)`.
enum TemplateTransform: String, Sendable, CaseIterable {
    case capitalized, lowercased, uppercased, reversed, empty, first, last, count, sorted, enumerated, plusone,
        minusone, equalzero
    case even, odd, index

    /// The changed value; nil for a value that the transform doesn't fit.
    func value(of value: JSONValue) -> JSONValue? {
        switch value {
        case .string(let text): self.text(text)
        case .array(let elements): self.list(elements)
        case .object(let object): self.object(object)
        case .number(let number): number.int64.flatMap { self.whole($0) }
        case .null, .bool: nil
        }
    }

    private func text(_ text: String) -> JSONValue? {
        switch self {
        case .empty: .bool(text.isEmpty)
        case .lowercased: .string(text.lowercased())
        case .uppercased: .string(text.uppercased())
        case .reversed: .string(String(text.reversed()))
        case .capitalized: .string(Self.capitalized(text))
        default: nil
        }
    }

    /// Each word with a capital as its first letter, and small letters after it.
    private static func capitalized(_ text: String) -> String {
        var result = ""
        var beginsWord = true
        for character in text {
            result += beginsWord ? character.uppercased() : character.lowercased()
            beginsWord = !character.isLetter && !character.isNumber && character != "'"
        }
        return result
    }

    private func list(_ elements: [JSONValue]) -> JSONValue? {
        switch self {
        case .empty: .bool(elements.isEmpty)
        case .first: elements.first
        case .last: elements.last
        case .reversed: .array(elements.reversed())
        case .count: .number(JSONNumber(Int64(elements.count)))
        default: nil
        }
    }

    private func object(_ object: JSONObject) -> JSONValue? {
        switch self {
        case .empty: .bool(object.count == 0)
        case .count: .number(JSONNumber(Int64(object.count)))
        case .enumerated: .array(object.members.map { ["key": .string($0.key), "value": $0.value] })
        case .sorted:
            .array(object.members.sorted { $0.key < $1.key }.map { ["key": .string($0.key), "value": $0.value] })
        default: nil
        }
    }

    private func whole(_ number: Int64) -> JSONValue? {
        switch self {
        case .plusone: Self.number(number.addingReportingOverflow(1))
        case .minusone: Self.number(number.subtractingReportingOverflow(1))
        case .equalzero: .bool(number == 0)
        case .even: .bool(number.isMultiple(of: 2))
        case .odd: .bool(!number.isMultiple(of: 2))
        default: nil
        }
    }

    private static func number(_ result: (partialValue: Int64, overflow: Bool)) -> JSONValue? {
        result.overflow ? nil : .number(JSONNumber(result.partialValue))
    }
}

extension TemplateTransform {
    /// What it says of an element's place; nil for one that only says something of values.
    var place: TemplateExpression.Place? {
        switch self {
        case .first: .first
        case .last: .last
        case .index: .index
        case .even: .even
        case .odd: .odd
        default: nil
        }
    }

    /// About how many bytes could be written in the same time: transforms that visit every character take longest.
    func cost(for value: JSONValue) -> Int {
        switch (self, value) {
        case (.reversed, .string(let text)), (.capitalized, .string(let text)): text.utf8.count * 8
        case (.lowercased, .string(let text)), (.uppercased, .string(let text)): text.utf8.count
        case (.reversed, .array(let elements)): elements.count * 4
        case (.sorted, .object(let object)), (.enumerated, .object(let object)): object.count * 32
        default: 0
        }
    }
}
