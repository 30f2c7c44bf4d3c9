import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct HTTPDateParsingTests {
    /// July 2026.
    private static let now = HTTPDate(secondsSince1970: 1_784_000_000)

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Sun Nov 06 08:49:37 1994", 784_111_777),
        ("Wed Nov 16 08:49:37 1994", 784_975_777),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800),
        ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        // A leap second.
        ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_799),
        // A weekday that isn't that day's.
        ("Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        // Two digits: at most 50 years in the future.
        ("Wednesday, 01-Jan-26 00:00:00 GMT", 1_767_225_600),
        ("Wednesday, 01-Jan-76 00:00:00 GMT", 3_345_062_400),
        ("Saturday, 01-Jan-77 00:00:00 GMT", 220_924_800),
    ])
    func isRead(_ text: String, _ seconds: Int) {
        #expect(HTTPDate(text, now: Self.now)?.secondsSince1970 == seconds)
    }

    @Test(arguments: [
        "", "0", "now", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 1994 08:49:37 GMT ",
        " Sun, 06 Nov 1994 08:49:37 GMT", "sun, 06 nov 1994 08:49:37 gmt", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun,06 Nov 1994 08:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT",
        "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Xyz 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT", "Thu, 29 Feb 2001 08:49:37 GMT", "Thu, 29 Feb 1900 08:49:37 GMT",
        "Sun, 32 Dec 1994 08:49:37 GMT", "Sun, 06 Nov 0000 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08.49.37 GMT", "Sun Nov 6 08:49:37 1994",
        "Sun Nov  16 08:49:37 1994", "Sun Nov  6 08:49:37 94", "Sun Nov  6 08:49:37 1994 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", "Sun, ٠٦ Nov 1994 08:49:37 GMT",
    ])
    func isNoDate(_ text: String) {
        #expect(HTTPDate(text, now: Self.now) == nil)
    }

    @Test func whatIsWrittenIsReadAgain() {
        var seconds = 0
        while seconds < 253_402_300_800 {
            let date = HTTPDate(secondsSince1970: seconds)
            if HTTPDate(date.description, now: Self.now) != date { Issue.record("\(date)") }
            seconds += 41_999_983
        }
    }
}
