internal import BacklotHTTP

extension Validators {
    /// Programs that build the same bytes for the same sources set every file's time to one of long ago.
    private static let earliestBelieved = 1_000_000_000  // September 2001

    /// The validators of a file, from its size and the time when it was changed last.
    ///
    /// The tag is weak until the file is a second old: before that it may change again without a change of its time, of which
    /// some systems count only hundredths of a second. A strong tag is wrong only where a program changes a file, keeps its
    /// size and sets its time back. Times before September 2001 are no times of changes, and the same in each release of a
    /// program: for them the tag has the time when the system put the file there, and there is no date.
    ///
    /// - Parameters:
    ///   - coding: the content coding, if the file is in one: its tag must differ from that of the file without.
    ///   - now: the time now.
    init(of file: OpenFile, coding: String? = nil, now: FileTime = .now) {
        let isBelieved = file.modified.seconds >= Self.earliestBelieved
        let time = isBelieved ? file.modified : max(file.modified, file.changed)
        var value = ""
        for number in [time.seconds, time.nanoseconds, file.size] {
            if !value.isEmpty { value += "-" }
            value += String(number, radix: 16)
        }
        if let coding { value += "-\(coding)" }
        let isSettled = time < FileTime(seconds: now.seconds - 1, nanoseconds: now.nanoseconds)
        // A date in the future would be taken for no date (RFC 9110, section 8.8.2.1).
        let date = min(file.modified.seconds, now.seconds)
        self.init(
            eTag: ETag(value, isWeak: !isSettled),
            lastModified: isBelieved ? HTTPDate(secondsSince1970: date) : nil
        )
    }
}
