import Testing

@testable import Backlot

struct PercentDecodingTests {
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
}
