/// Sebastiano Vigna's SplitMix64: random numbers that are reproducible from a seed.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// A number from 0 to just below 1.
    package mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A number spread over all 64 bits; different numbers stay different.
    static func mixed(_ number: UInt64) -> UInt64 {
        var number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }
}
