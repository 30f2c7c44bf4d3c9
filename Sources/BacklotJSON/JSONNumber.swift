/// A number of a JSON document: an integer without loss from `Int64.min` to `UInt64.max`, or else a finite `Double`.
///
/// `8`, `8.0` and `0.8e1` are the same number, and all of them are whole.
public struct JSONNumber: Hashable, Sendable {
    /// The first form that fits, so that each number has exactly one and equal numbers compare equal.
    private enum Form: Hashable {
        case signed(Int64)
        case unsigned(UInt64)
        case fractional(Double)
    }

    private let form: Form

    /// Makes a whole number.
    public init(_ value: Int64) { form = .signed(value) }

    /// Makes a whole number.
    public init(_ value: UInt64) {
        form = Int64(exactly: value).map(Form.signed) ?? .unsigned(value)
    }

    /// Makes a number; nil for infinity and NaN, which JSON doesn't have.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        if let whole = value.wholeInt64 {
            form = .signed(whole)
        } else if let whole = value.wholeUInt64 {
            form = .unsigned(whole)
        } else {
            form = .fractional(value)
        }
    }

    /// Whether the number has no fraction. A whole number may still be too large for an integer type: `1e30` is whole.
    public var isWhole: Bool {
        guard case .fractional(let value) = form else { return true }
        return value.isWhole
    }

    /// The number as an `Int64`; nil if it has a fraction or doesn't fit.
    public var int64: Int64? {
        guard case .signed(let value) = form else { return nil }
        return value
    }

    /// The number as a `UInt64`; nil if it has a fraction, is negative or doesn't fit.
    public var uint64: UInt64? {
        switch form {
        case .signed(let value): UInt64(exactly: value)
        case .unsigned(let value): value
        case .fractional: nil
        }
    }

    /// The number as a `Double`; rounded if it is whole and larger than 2⁵³.
    public var double: Double {
        switch form {
        case .signed(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .fractional(let value): value
        }
    }

    func write(into writer: inout JSONWriter) {
        switch form {
        case .signed(let value): writer.value(Int(value))
        case .unsigned(let value): writer.value(value)
        case .fractional(let value): writer.value(value)
        }
    }
}

/// Conversions to integers without `rounded()` and `Int64(exactly:)`. Those call libm, which isn't linked to a Linux program that
/// imports neither Glibc nor Foundation.
extension Double {
    /// The same number as an `Int64`; nil if it has a fraction or doesn't fit.
    var wholeInt64: Int64? {
        guard self >= -0x1p63, self < 0x1p63 else { return nil }
        let whole = Int64(self)
        return Double(whole) == self ? whole : nil
    }

    /// The same number as a `UInt64`; nil if it has a fraction or doesn't fit.
    var wholeUInt64: UInt64? {
        guard self >= 0, self < 0x1p64 else { return nil }
        let whole = UInt64(self)
        return Double(whole) == self ? whole : nil
    }

    /// Whether the number has no fraction. From 2⁵³ on, a `Double` has no bits left for one.
    var isWhole: Bool { magnitude >= 0x1p53 ? isFinite : wholeInt64 != nil }
}

/// Compares and divides numbers in their decimal form, without rounding.
extension JSONNumber {
    func isLess(than other: JSONNumber) -> Bool {
        if let left = int64, let right = other.int64 { return left < right }
        if let left = uint64, let right = other.uint64 { return left < right }
        // One is negative, or has a fraction: rounding the other keeps the order.
        return double < other.double
    }

    /// Whether this is an integer multiple of `divisor`.
    func isMultiple(of divisor: JSONNumber) -> Bool {
        let value = Decimal(self)
        let divisor = Decimal(divisor)
        guard value.digits != 0 else { return true }
        guard divisor.digits != 0 else { return false }
        let shift = value.exponent - divisor.exponent
        if shift >= 0 { return Self.remainder(of: value.digits, times10To: shift, by: divisor.digits) == 0 }
        // The divisor gains digits; once it has more than the value, the value isn't a multiple.
        var larger = divisor.digits
        for _ in 0..<(-shift) {
            let (next, isTooLarge) = larger.multipliedReportingOverflow(by: 10)
            guard !isTooLarge else { return false }
            larger = next
        }
        return value.digits % larger == 0
    }

    /// `value · 10^power` modulo `divisor`.
    private static func remainder(of value: UInt64, times10To power: Int, by divisor: UInt64) -> UInt64 {
        func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
            divisor.dividingFullWidth(left.multipliedFullWidth(by: right)).remainder
        }
        var result = value % divisor
        for _ in 0..<power where result != 0 { result = product(result, 10 % divisor) }
        return result
    }

    /// `digits · 10^exponent`, without the sign.
    private struct Decimal {
        var digits: UInt64
        var exponent: Int

        init(_ number: JSONNumber) {
            exponent = 0
            if let whole = number.int64 {
                digits = whole.magnitude
            } else if let whole = number.uint64 {
                digits = whole
            } else {
                // The shortest digits for the value: the document's digits, or fewer.
                let parts = number.double.magnitude.description.split(separator: "e")
                let mantissa = parts[0].split(separator: ".")
                let fraction = mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1] : ""
                digits = UInt64(mantissa[0] + fraction) ?? 0
                exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - fraction.utf8.count
            }
        }
    }
}
