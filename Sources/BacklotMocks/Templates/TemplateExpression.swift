import Backlot
import BacklotJSON

/// What a tag among sections stands for: a name, and transforms of its value, as in `uppercased(variables.name)`.
struct TemplateExpression: Sendable {
    /// Where the name is looked up.
    enum Start: Sendable {
        /// First in the section's element, then in those around it, then in the request.
        case nearest
        /// Only in the section's element: `.` and `.name`.
        case element
        /// The element's place among the others: `index()`.
        case place
    }

    /// The text in the tag; the end of a section repeats it.
    let text: String
    let start: Start
    let names: [String]
    /// The transforms, the first to be applied first.
    let transforms: [TemplateTransform]
    /// The place in the request that the name stands for; nil for other names, and for a whole group such as `variables`.
    let path: TemplatePath?

    /// - Parameters:
    ///   - isInside: whether the tag stands in a section, where any name may be one of an element.
    ///   - isSection: whether it begins a section, which may be about all of `variables`, `query` and so on.
    init(_ text: String, isInside: Bool, isSection: Bool) throws(TemplateMistake) {
        self.text = text
        var rest = text[...]
        var transforms: [TemplateTransform] = []
        while let open = rest.firstIndex(of: "("), rest.last == ")" {
            let name = String(rest[..<open])
            guard let transform = TemplateTransform(rawValue: name) else {
                let all = TemplateTransform.allCases.map(\.rawValue)
                throw TemplateMistake(
                    "there is no transform '\(name)'\(Suggestion.hint(for: name, among: all)); there are \(all)"
                )
            }
            transforms.insert(transform, at: 0)
            rest = rest[rest.index(after: open)...].dropLast()
        }
        guard rest.utf8.allSatisfy(Self.isInName) else {
            throw TemplateMistake("{{\(text)}} can't be read; write a name in it, such as variables.username")
        }
        self.transforms = transforms
        let name = String(rest)
        if name.isEmpty, !transforms.isEmpty {
            (start, names, path) = (.place, [], nil)
        } else if name.hasPrefix(".") {
            (start, names, path) = (.element, name.split(separator: ".").map(String.init), nil)
        } else {
            (start, names) = (.nearest, TemplatePath.words(name))
            let isWhole = isSection || !transforms.isEmpty
            if !isInside { _ = try TemplatePath(name, isSection: isWhole) }
            path = try? TemplatePath(name)
        }
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: ".-_?[]*".utf8.contains(byte)
        }
    }
}

/// Changes to a value before it is written, by the names of swift-mustache.
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

    /// The value for a place in a list, counted from 0.
    func value(at place: Int, isLast: Bool) -> JSONValue? {
        switch self {
        case .first: .bool(place == 0)
        case .last: .bool(isLast)
        case .index: .number(JSONNumber(Int64(place)))
        case .even: .bool(place.isMultiple(of: 2))
        case .odd: .bool(!place.isMultiple(of: 2))
        default: nil
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
