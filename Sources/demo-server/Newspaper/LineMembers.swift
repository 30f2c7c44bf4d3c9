import Backlot

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The members of a line, read by their types. null counts as left out.
struct LineMembers {
    private let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    /// - Throws: `LineMistake` for a member that isn't one of these.
    func check(among names: [String]) throws(LineMistake) {
        guard let wrong = object.members.first(where: { !names.contains($0.key) }) else { return }
        throw LineMistake(wrong.key.excerpt, "is unknown\(Suggestion.hint(for: wrong.key, among: names))")
    }

    private func value(_ name: String) -> JSONValue? {
        guard let value = object[name], !value.isNull else { return .none }
        return value
    }

    /// A value that must be there.
    func required<Value>(_ name: String, _ value: Value?) throws(LineMistake) -> Value {
        guard let value else { throw LineMistake(name, "is missing") }
        return value
    }

    /// The highest id of a line. New stories get ids above all that were there, up to 2147483647.
    static let highestID = 2_000_000_000

    /// The number of the entry.
    var id: Int {
        get throws(LineMistake) { try required("id", whole("id", in: 1...Self.highestID)) }
    }

    func text(_ name: String) throws(LineMistake) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string else { throw LineMistake(name, "must be a text") }
        return text
    }

    func flag(_ name: String) throws(LineMistake) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let flag = value.bool else { throw LineMistake(name, "must be true or false") }
        return flag
    }

    func number(_ name: String) throws(LineMistake) -> Double? {
        guard let value = value(name) else { return nil }
        guard let number = value.number else { throw LineMistake(name, "must be a number") }
        return number.double
    }

    func whole(_ name: String, in range: ClosedRange<Int>) throws(LineMistake) -> Int? {
        guard let value = value(name) else { return nil }
        return try whole(value, name, range)
    }

    func wholes(_ name: String, in range: ClosedRange<Int>) throws(LineMistake) -> [Int] {
        guard let value = value(name) else { return [] }
        guard let values = value.array else { throw LineMistake(name, "must be an array of whole numbers") }
        return try values.map { value throws(LineMistake) in try whole(value, name, range) }
    }

    private func whole(_ value: JSONValue, _ name: String, _ range: ClosedRange<Int>) throws(LineMistake) -> Int {
        guard let number = value.number?.int64.flatMap({ Int(exactly: $0) }), range.contains(number) else {
            throw LineMistake(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func texts(_ name: String) throws(LineMistake) -> [String] {
        guard let value = value(name) else { return [] }
        let texts = (value.array ?? []).compactMap(\.string)
        guard let values = value.array, texts.count == values.count, !texts.contains("") else {
            throw LineMistake(name, "must be an array of texts, none of them empty")
        }
        return texts
    }

    func date(_ name: String) throws(LineMistake) -> Date? {
        guard let text = try text(name) else { return nil }
        guard let seconds = ISODate.seconds(text), (1...Double(Int32.max)).contains(seconds) else {
            throw LineMistake(name, "must be a date from 1970 to 2038, such as 2026-12-01T00:00:00Z")
        }
        return Date(timeIntervalSince1970: seconds.rounded(.down))
    }
}
