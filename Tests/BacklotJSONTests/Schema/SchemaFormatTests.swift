import BacklotJSON
import Testing

@Suite(.timeLimit(.minutes(5))) struct SchemaFormatTests {
    private static let forms: [(name: String, valid: [String], invalid: [String])] = [
        (
            "date-time", ["2026-05-17T12:30:00Z", "2024-02-29t23:59:60.5z", "1985-04-12T23:20:50+02:00"],
            ["2026-05-17", "2026-05-17 12:30:00Z", "2026-05-17T12:30:00", "2026-05-17T12:30:60Z"]
        ),
        (
            "date", ["2024-02-29", "2000-02-29", "2026-12-31"],
            ["2025-02-29", "1900-02-29", "2026-13-01", "2026-1-1", "26-01-01"]
        ),
        (
            "time", ["12:30:00Z", "00:59:60+01:00", "23:00:00.123-00:30"],
            ["24:00:00Z", "12:60:00Z", "12:30Z", "12:30:00.Z", "12:30:00+1:00"]
        ),
        ("duration", ["P1D", "PT5M", "P1Y2M3DT4H5M6S", "P3W"], ["", "P", "P1", "PT", "P1Y3D", "P1W2D", "1D", "P1DT"]),
        (
            "email", ["a@b.org", "a.b+c@d-e.org", "\"a b\"@c.org", "a@[127.0.0.1]"],
            ["a", "a@", "@b", ".a@b", "a..b@c", "a b@c", "a@b_c"]
        ),
        ("idn-email", ["käse@müller.de"], ["käse", "@müller.de"]),
        (
            "hostname", ["localhost", "a-b.example", "xn--nxasmq6b"],
            ["", "-a", "a-", "a..b", "a_b", "ab--c", String(repeating: "a", count: 64)]
        ),
        (
            "ipv4", ["0.0.0.0", "255.255.255.255"],
            ["256.0.0.1", "1.2.3", "1.2.3.04", "1.2.3.4.5", "a.b.c.d", "1.2.3."]
        ),
        (
            "ipv6", ["::", "::1", "1::", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "1::8"],
            [
                "1", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "::g", "1:2:3:4:5:6:7::8", ":1",
                "::%eth0",
            ]
        ),
        (
            "uri", ["https://a.org/b?c#d", "urn:a:b", "http://[::1]:80/", "mailto:a@b.org"],
            ["/a", "a.org", "http://a b", "http://[::g]/", "http://a:b", "%zz:", "http://ä.org"]
        ),
        ("uri-reference", ["/a", "a/b:c", "", "#x"], ["\\a", "a b", "a:b:c^"]),
        ("iri", ["http://ä.org/ü"], ["/ä", "http://ä .org"]),
        ("iri-reference", ["/ä"], ["/ä ö"]),
        (
            "uuid", ["2EB8AA08-aa98-11ea-b4aa-73b441d16380"],
            ["2eb8aa08aa9811eab4aa73b441d16380", "2eb8aa08-aa98-11ea-b4ga-73b441d16380"]
        ),
        ("regex", ["a"], ["("]),
        ("json-pointer", ["", "/a~0b~1", "/"], ["a", "/~", "/~2", "#/a"]),
        ("relative-json-pointer", ["0", "1/a", "20#"], ["", "01", "/a", "-1", "0##"]),
        ("made-up", ["anything"], []),
    ]

    @Test(arguments: forms.indices)
    func `A format is asserted when asked for`(_ index: Int) throws {
        struct Unreadable: Error {}
        let form = Self.forms[index]
        let document: JSONValue = ["format": .string(form.name)]
        let schema = try JSONSchema(document, assertsFormats: true) { source in
            if source == "(" { throw Unreadable() }
            return { _, _ in true }
        }
        for text in form.valid { #expect(schema.errors(in: .string(text)) == [], "\(form.name) \(text)") }
        for text in form.invalid { #expect(schema.errors(in: .string(text)).count == 1, "\(form.name) \(text)") }
        #expect(schema.errors(in: 1) == [])
    }
}
