extension Duration {
    /// Whole milliseconds, the nearest, but at least 1 for a time that isn't zero: a short wait doesn't become none. What Int64
    /// can't hold is its largest value.
    package var milliseconds: Int64 { whole(perSecond: 1000) }

    /// Whole seconds, in the same way.
    package var wholeSeconds: Int { Int(whole(perSecond: 1)) }

    private func whole(perSecond units: Int64) -> Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: units)
        guard !overflows, whole < .max - units else { return .max }
        let length = 1_000_000_000_000_000_000 / units
        let nearest = whole + (attoseconds + length / 2) / length
        return nearest == 0 && self > .zero ? 1 : nearest
    }
}
