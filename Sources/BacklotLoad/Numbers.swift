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
    /// With so many digits behind the point, and without zeros at the end.
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

    /// Without `.0`.
    var short: String { rounded(to: 3) }
}

extension Int {
    /// With commas between thousands.
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
    /// Nanoseconds as milliseconds: three digits that count.
    mutating func appendInterpolation(milliseconds nanoseconds: Double) {
        let value = nanoseconds / 1e6
        appendInterpolation(value.rounded(to: value < 10 ? 2 : value < 100 ? 1 : 0))
    }
}

/// Numbers by chance, the same for the same seed (Vigna's SplitMix64).
struct Chance: Sendable {
    private var state: UInt64

    init(seed: UInt64, part: Int) { state = seed &+ UInt64(truncatingIfNeeded: part) &* 0xD6E8_FEB8_6659_FD93 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// From 0 to just below 1.
    mutating func part() -> Double { Double(next() >> 11) * 0x1p-53 }
}
