import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct AcceptEncodingTests {
    @Test(arguments: [
        ("gzip", ContentCoding?.some(.gzip)),
        ("gzip, deflate, br, zstd", .gzip),
        ("deflate, gzip", .gzip),
        ("deflate", .deflate),
        ("GZip", .gzip),
        ("x-gzip", .gzip),
        ("X-GZIP;Q=0.5", .gzip),
        ("br", nil),
        ("compress, br;q=1.0", nil),
        ("", nil),
        (",", nil),
        (" , ,gzip,", .gzip),
        ("*", .gzip),
        ("*;q=0.1", .gzip),
        ("*;q=0", nil),
        ("identity", nil),
        ("gzip;q=0", nil),
        ("gzip;q=0.0", nil),
        ("gzip;q=0.000", nil),
        ("gzip;q=0.001", .gzip),
        ("gzip;q=1.000", .gzip),
        ("gzip;q=1.", .gzip),
        ("gzip;q=0.", nil),
        ("gzip ; q=0.5", .gzip),
        ("gzip;\tq=0.5\t,deflate", .deflate),
        ("gzip;q=0.5, deflate;q=0.6", .deflate),
        ("gzip;q=0.5, deflate;q=0.50", .gzip),
        ("gzip;q=0.09, deflate;q=0.1", .deflate),
        ("gzip;q=0, *", .deflate),
        ("gzip;q=0, deflate;q=0, *", nil),
        ("deflate;q=0.5, *;q=0.4", .deflate),
        ("deflate;q=0.4, *;q=0.5", .gzip),
        // No coding at all is one of the things to choose from, and the last of equals.
        ("identity, gzip", .gzip),
        ("identity;q=1, gzip;q=0.9", nil),
        ("identity;q=0.5, gzip;q=0.5", .gzip),
        ("identity, *;q=0.5", nil),
        ("gzip;q=0.5", .gzip),
        ("gzip;q=0.5, *;q=0.6, deflate;q=0", nil),
        ("identity;q=0", nil),
        ("identity;q=0, gzip", .gzip),
        ("identity;q=0, *;q=0", nil),
        // Of two mentions the first counts.
        ("gzip;q=0, gzip", nil),
        ("x-gzip, gzip;q=0", .gzip),
    ])
    func `The coding with the highest weight is chosen`(_ value: String, _ expected: ContentCoding?) {
        #expect(AcceptEncoding(value).preferred == expected)
    }

    @Test(arguments: [
        "gzip;q=1.001", "gzip;q=2", "gzip;q=0.0001", "gzip;q=-1", "gzip;q=", "gzip;q", "gzip;", "gzip;;q=1", "gzip;q=a",
        "gzip;q=.5", "gzip;q= 1", "gzip;q =1", "gzip; q=1; x=2", "gzip;x=1", "gzip;q=1;q=1",
        "gzip q=1", "gzip gzip", "gzi", "gzipp", "\"gzip\"", "gzip/1", ";q=1", "gzip;q=1e0", "gzip;q=+1",
        "gzip;q=0.5.1",
        "gzip;q=\u{661}", "gz\u{131}p", "gzip;q=0x1", "gzip;q=00", "gzip;q=01", "**", "*gzip",
    ])
    func `Malformed codings are ignored`(_ value: String) {
        #expect(AcceptEncoding(value).preferred == nil)
        #expect(AcceptEncoding("\(value), deflate;q=0.1").preferred == .deflate)
    }

    // MARK: AcceptEncodingGzip

    @Test(arguments: [
        ("gzip", true), ("GZIP", true), ("x-gzip", true), ("gzip, deflate, br", true), ("br;q=1.0, gzip;q=0.8", true),
        ("*", true), ("*;q=0.1", true), ("deflate, gzip;q=0.5", true), ("gzip;q=0.5, identity;q=0.5", true),
        ("identity;q=0, gzip;q=0.001", true), ("identity;q=0, *", true),
        ("", false), ("identity", false), ("br", false), ("deflate", false), ("gzip;q=0", false),
        ("gzip;q=0.000", false),
        ("*, gzip;q=0", false), ("*;q=0", false), ("gzip;q=0.5, identity", false),
        ("gzip;q=0.4, identity;q=0.5", false),
        ("gzip;q=2", false), ("gzipped", false), ("gzip;level=1", false),
    ])
    func `gzip is preferred if it is accepted and identity has no higher weight`(_ field: String, _ expected: Bool) {
        #expect(AcceptEncoding(field).prefersGzip == expected)
    }
}
