extension Duration {
    /// Whole milliseconds, rounded up, so that a short wait doesn't become none. What Int64 can't hold is its largest value.
    package var milliseconds: Int64 { whole(perSecond: 1000) }

    /// Whole seconds, rounded up, in the same way.
    package var wholeSeconds: Int { Int(whole(perSecond: 1)) }

    private func whole(perSecond units: Int64) -> Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: units)
        guard !overflows, whole < .max - units else { return .max }
        let length = 1_000_000_000_000_000_000 / units
        return whole + (attoseconds > 0 ? (attoseconds - 1) / length + 1 : attoseconds / length)
    }
}
