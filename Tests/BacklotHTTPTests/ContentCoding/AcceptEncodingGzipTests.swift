import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct AcceptEncodingGzipTests {
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
    func prefersGzip(_ field: String, _ expected: Bool) {
        #expect(AcceptEncoding(field).prefersGzip == expected)
    }
}
