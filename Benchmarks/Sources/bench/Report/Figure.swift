import Foundation

/// Figures as the tables print them.
enum Figure {
    /// What stands for a figure that there is none of.
    static let none = "–"

    /// `value` with some decimals.
    static func decimal(_ value: Double?, places: Int = 2) -> String {
        value.map { String(format: "%.\(places)f", $0) } ?? none
    }

    /// How many times `base` goes into `value`: `0.25×`.
    static func ratio(_ value: Double?, to base: Double?) -> String {
        times(quotient(value, base))
    }

    /// A factor: `0.25×`, `12.3×`.
    static func times(_ factor: Double?) -> String {
        factor.map { decimal($0, places: $0 < 10 ? 2 : 1) + "×" } ?? none
    }

    /// A whole number with its thousands marked: `123,456`.
    static func whole(_ value: Double?) -> String {
        guard let value else { return none }
        var digits = String(Int(value.rounded().magnitude))
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        groups.insert(digits, at: 0)
        return (value.rounded() < 0 ? "-" : "") + groups.joined(separator: ",")
    }

    /// `value` divided by `base`; nil if one is missing or the base is not above zero.
    static func quotient(_ value: Double?, _ base: Double?) -> Double? {
        guard let value, let base, base > 0 else { return nil }
        return value / base
    }
}
