import Backlot

/// A number in its shortest decimal form, for texts in English.
struct NumberText {
    private let isNegative: Bool
    /// The digits before and after the point.
    private var whole: [UInt8]
    private var fraction: [UInt8]

    /// Reads the digits of a finite number.
    init(_ number: Double) {
        isNegative = number < 0
        let parts = number.magnitude.description.split(separator: "e")
        let mantissa = parts[0].split(separator: ".")
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        var digits = Array(mantissa[0].utf8) + (mantissa.count > 1 ? Array(mantissa[1].utf8) : [])
        var point = mantissa[0].utf8.count + exponent
        let zero = UInt8(ascii: "0")
        if point < 1 {
            digits = Array(repeating: zero, count: 1 - point) + digits
            point = 1
        }
        if point > digits.count { digits += Array(repeating: zero, count: point - digits.count) }
        whole = Array(digits[..<point])
        fraction = Array(digits[point...])
    }

    /// The number with so many decimals, by default up to three, rounded half to even.
    func text(_ decimals: ClosedRange<Int>?, isGrouped: Bool) -> String {
        let decimals = decimals ?? 0...3
        let zero = UInt8(ascii: "0")
        var digits = whole + fraction.prefix(decimals.upperBound)
        let rest = fraction.dropFirst(decimals.upperBound)
        if let first = rest.first,
            first > zero + 5
                || first == zero + 5 && (rest.dropFirst().contains { $0 != zero } || (digits.last ?? 0) % 2 == 1)
        {
            var index = digits.count - 1
            while index >= 0, digits[index] == zero + 9 {
                digits[index] = zero
                index -= 1
            }
            if index >= 0 { digits[index] += 1 } else { digits.insert(zero + 1, at: 0) }
        }
        let fractionCount = min(fraction.count, decimals.upperBound)
        var decimalsText = Array(digits.suffix(fractionCount))
        while decimalsText.count > decimals.lowerBound, decimalsText.last == zero { decimalsText.removeLast() }
        decimalsText += Array(repeating: zero, count: max(0, decimals.lowerBound - decimalsText.count))
        let wholeDigits = digits.dropLast(fractionCount)
        var text = isNegative ? "-" : ""
        for (index, digit) in wholeDigits.enumerated() {
            if isGrouped, index > 0, (wholeDigits.count - index) % 3 == 0 { text += "," }
            text.unicodeScalars.append(Unicode.Scalar(digit))
        }
        return decimalsText.isEmpty ? text : text + "." + String(decoding: decimalsText, as: UTF8.self)
    }

    /// The sign of a currency in English texts; its code and a space that doesn't break for others.
    static func currencySign(_ code: String) -> String {
        let code = code.uppercased()
        return signs[code] ?? (code.isEmpty ? "" : "\(code)\u{A0}")
    }

    /// Source: Unicode CLDR, English.
    private static let signs = [
        "USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "BRL": "R$", "CNY": "CN¥", "KRW": "₩", "CAD": "CA$",
        "AUD": "A$", "MXN": "MX$", "NZD": "NZ$", "ILS": "₪", "VND": "₫", "TWD": "NT$", "HKD": "HK$", "PHP": "₱",
    ]
}
