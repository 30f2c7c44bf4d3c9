import FoundationEssentials

/// The time as a text, for pages that show when they were made.
enum ClockText {
    /// Now, in UTC, such as `2026-11-21 10:50:27`.
    static var now: String {
        Date.now.formatted(.iso8601.dateTimeSeparator(.space).timeZoneSeparator(.omitted)).replacing("Z", with: "")
    }
}
