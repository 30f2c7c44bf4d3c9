/// Whole numbers without `rounded()` and `Int64(exactly:)`: those call libm, which a program on Linux that imports neither
/// Glibc nor Foundation isn't linked with.
extension Double {
    /// The same number as an `Int64`; nil when it has a fraction or does not fit.
    var wholeInt64: Int64? {
        guard self >= -0x1p63, self < 0x1p63 else { return nil }
        let whole = Int64(self)
        return Double(whole) == self ? whole : nil
    }

    /// The same number as a `UInt64`; nil when it has a fraction or does not fit.
    var wholeUInt64: UInt64? {
        guard self >= 0, self < 0x1p64 else { return nil }
        let whole = UInt64(self)
        return Double(whole) == self ? whole : nil
    }

    /// Whether the number has no fraction. From 2⁵³ on, a `Double` has no bits left for one.
    var isWhole: Bool {
        magnitude >= 0x1p53 ? isFinite : wholeInt64 != nil
    }
}
