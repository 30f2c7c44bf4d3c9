import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct Base64URLTests {
    /// The examples of RFC 4648, section 10, without padding, and the two characters of section 5.
    @Test(arguments: [
        ("", ""), ("Zg", "f"), ("Zm8", "fo"), ("Zm9v", "foo"), ("Zm9vYg", "foob"), ("Zm9vYmE", "fooba"),
        ("Zm9vYmFy", "foobar"), ("-_-_", "\u{FB}\u{FF}\u{BF}"),
    ])
    func texts(_ text: String, _ expected: String) {
        #expect(Base64URL.decode(text) == bytes(expected))
    }

    @Test(arguments: ["Z", "Zg==", "Zm9vY", "Z+9v", "Z/9v", "Zm 9", "Zh", "Zm9", "\u{E9}abc"])
    func anythingElse(_ text: String) {
        #expect(Base64URL.decode(text) == nil)
    }
}
