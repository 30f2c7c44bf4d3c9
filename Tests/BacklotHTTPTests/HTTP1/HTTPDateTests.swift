import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct HTTPDateTests {
    @Test(arguments: [
        (.min, "Mon, 01 Jan 0001 00:00:00 GMT"),
        (-62_135_596_801, "Mon, 01 Jan 0001 00:00:00 GMT"),
        (-14_899_648_223, "Sat, 06 Nov 1497 08:49:37 GMT"),
        (-11_670_998_400, "Tue, 29 Feb 1600 00:00:00 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (59, "Thu, 01 Jan 1970 00:00:59 GMT"),
        (86_399, "Thu, 01 Jan 1970 23:59:59 GMT"),
        (86_400, "Fri, 02 Jan 1970 00:00:00 GMT"),
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (68_169_600, "Tue, 29 Feb 1972 00:00:00 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"),
        (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
        (946_684_799, "Fri, 31 Dec 1999 23:59:59 GMT"),
        (946_684_800, "Sat, 01 Jan 2000 00:00:00 GMT"),
        (1_000_000_000, "Sun, 09 Sep 2001 01:46:40 GMT"),
        (1_709_210_096, "Thu, 29 Feb 2024 12:34:56 GMT"),
        (1_740_787_200, "Sat, 01 Mar 2025 00:00:00 GMT"),
        (2_147_483_648, "Tue, 19 Jan 2038 03:14:08 GMT"),
        (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        (13_574_563_200, "Tue, 29 Feb 2400 00:00:00 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        (.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
    func `A date is written as an IMF-fixdate`(_ seconds: Int, _ text: String) {
        #expect(HTTPDate(secondsSince1970: seconds).description == text)
    }

    /// Day by day through 500 years, against a calendar that only counts.
    @Test func `Every day of 500 years follows the one before`() {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        var days = 0
        for year in 1970..<2470 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            for month in 0..<12 {
                let length = month == 1 && isLeap ? 29 : lengths[month]
                // The first and the last day of each month tell everything, in an eighth of the time.
                for day in [1, length] {
                    let number = days + day - 1
                    let text =
                        "\(weekdays[number % 7]), \(day < 10 ? "0" : "")\(day) \(months[month]) \(year) 00:00:00 GMT"
                    let date = HTTPDate(secondsSince1970: number * 86_400).description
                    if date != text { Issue.record("\(date) should be \(text)") }
                }
                days += length
            }
        }
    }

    // MARK: HTTPDateParsing

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
    func `A date is read in each of its forms`(_ text: String, _ seconds: Int) {
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
    func `Other texts are not dates`(_ text: String) {
        #expect(HTTPDate(text, now: Self.now) == nil)
    }

    @Test func `A written date reads back`() {
        var seconds = 0
        while seconds < 253_402_300_800 {
            let date = HTTPDate(secondsSince1970: seconds)
            if HTTPDate(date.description, now: Self.now) != date { Issue.record("\(date)") }
            seconds += 41_999_983
        }
    }
}
