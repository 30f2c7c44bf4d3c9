/// Comparing and dividing numbers as the decimals that they were written as, without rounding.
extension JSONNumber {
    func isLess(than other: JSONNumber) -> Bool {
        if let left = int64, let right = other.int64 { return left < right }
        if let left = uint64, let right = other.uint64 { return left < right }
        // One is negative, or has a fraction: rounding the other keeps the order.
        return double < other.double
    }

    /// Whether this is `divisor` times a whole number.
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
        for _ in 0..<power where result != 0 {
            result = product(result, 10 % divisor)
        }
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
                // The shortest digits that stand for the value: those that were written, or fewer.
                let parts = number.double.magnitude.description.split(separator: "e")
                let mantissa = parts[0].split(separator: ".")
                let fraction = mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1] : ""
                digits = UInt64(mantissa[0] + fraction) ?? 0
                exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - fraction.utf8.count
            }
        }
    }
}
