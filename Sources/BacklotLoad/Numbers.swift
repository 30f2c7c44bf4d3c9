internal import Backlot

extension Duration {
    var inNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflows ? .max / 4 : whole + attoseconds / 1_000_000_000
    }

    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

extension Double {
    /// The number with at most this many decimal places, without trailing zeros.
    func rounded(to digits: Int) -> String {
        guard isFinite, abs(self) < 1e15 else { return "-" }
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let whole = Int64((abs(self) * scale).rounded())
        var text = "\(whole / Int64(scale))"
        if digits > 0 {
            let rest = "\(whole % Int64(scale))"
            var fraction = String(repeating: "0", count: digits - rest.count) + rest
            while fraction.hasSuffix("0") { fraction.removeLast() }
            if !fraction.isEmpty { text += ".\(fraction)" }
        }
        return self < 0 && whole > 0 ? "-\(text)" : text
    }

    /// The number with up to three decimal places, without `.0`.
    var short: String { rounded(to: 3) }
}

extension Int {
    /// The number with commas between thousands.
    var grouped: String {
        var text = ""
        for (index, digit) in String(magnitude).reversed().enumerated() {
            if index > 0, index % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + String(text.reversed())
    }
}

extension DefaultStringInterpolation {
    /// Appends nanoseconds as milliseconds with three significant digits.
    mutating func appendInterpolation(milliseconds nanoseconds: Double) {
        let value = nanoseconds / 1e6
        appendInterpolation(value.rounded(to: value < 10 ? 2 : value < 100 ? 1 : 0))
    }
}
