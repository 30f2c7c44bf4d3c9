import Backlot

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Times as editors read and write them: `2026-12-01 18:00`, in UTC.
enum DeskTime {
    /// How to write one, for messages.
    static let form = "2026-12-01 18:00"

    /// The text of a time in seconds since 1970, with its zone.
    static func text(_ time: Int) -> String { "\(input(time)) UTC" }

    /// The text of a time for an input.
    static func input(_ time: Int) -> String {
        let date = Date(timeIntervalSince1970: Double(time))
        return String(date.formatted(.iso8601.dateTimeSeparator(.space).timeZoneSeparator(.omitted)).prefix(16))
    }

    /// The time in seconds since 1970; nil for another text.
    static func time(_ text: String) -> Int? {
        guard text.utf8.count == 16, let seconds = ISODate.seconds("\(text)Z") else { return nil }
        return Int(exactly: seconds)
    }
}
