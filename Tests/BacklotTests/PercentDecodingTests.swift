import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct PercentDecodingTests {
    @Test(arguments: [
        ("", ""),
        ("plain", "plain"),
        ("a%20b", "a b"),
        ("a+b", "a+b"),
        ("%C3%A9", "é"),
        ("%c3%a9", "é"),
        ("%2F", "/"),
        ("%252F", "%2F"),
        ("%41%42", "AB"),
    ])
    func `Decodes once`(encoded: String, decoded: String) {
        #expect(PercentDecoding.decode(encoded[...]) == decoded)
    }

    @Test(arguments: ["%", "%4", "%zz", "a%", "%C3", "%FF", "%00", "a%00b", "%ED%A0%80"])
    func `Refuses what is no text`(encoded: String) {
        #expect(PercentDecoding.decode(encoded[...]) == nil)
    }

    @Test func `A text has at most 128 combining marks in a row`() {
        let (mark, encoded) = ("\u{301}", "%CC%81")
        let most = String(repeating: mark, count: 128)
        #expect(PercentDecoding.decode(String(repeating: encoded, count: 128)[...]) == most)
        for text in [String(repeating: encoded, count: 129), String(repeating: mark, count: 129)] {
            #expect(PercentDecoding.decode(text[...]) == nil)
            #expect(PercentDecoding.repair(text.utf8.span).utf8.elementsEqual("\(most)\u{FFFD}".utf8))
        }
    }

    @Test(arguments: [
        ("a%20b+c", "a b+c", "a b c"), ("%", "%", "%"), ("%4", "%4", "%4"), ("%zz+", "%zz+", "%zz "),
        ("%C3", "\u{FFFD}", "\u{FFFD}"),
        ("%00", "\0", "\0"), ("%2B", "+", "+"),
    ])
    func `Repairs what is no text`(encoded: String, decoded: String, ofForm: String) {
        #expect(PercentDecoding.repair(encoded.utf8.span) == decoded)
        #expect(PercentDecoding.repair(encoded.utf8.span, plusIsBlank: true) == ofForm)
    }
}
