import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct ChunkExtensionTests {
    /// Whether the text, which stands after a size's semicolon, may end there; nil when it is refused before.
    private func mayEnd(_ text: String) -> Bool? {
        var part = ChunkExtension.nameStart
        for byte in bytes(text) {
            guard let next = part.after(byte) else { return nil }
            part = next
        }
        return part.mayEnd
    }

    @Test(arguments: [
        "a", "a=b", "a;b", "a=b;c=d", "a=\"\"", "a=\"b\"", "a=\"b c\td\u{FF}\"", "a=\"\\\"\"", "a=\"\\\\\"",
        "a=\"b\";c",
        "!#$%&'*+-.^_`|~=1",
    ])
    func mayEndAfter(_ text: String) { #expect(mayEnd(text) == true) }

    @Test(arguments: ["", "a=", "a;", "a=b;", "a=\"", "a=\"b", "a=\"b\\", "a=\"b\";"])
    func mayNotEndAfter(_ text: String) { #expect(mayEnd(text) == false) }

    @Test(arguments: [
        " ", ";", "=", "\"", "\r", "\n", "a ", "a\t", "a\"", "a= ", "a==", "a=;", "a=b ", "a=b=", "a=b\"", "a=\"b\" ",
        "a=\"b\"c", "a=\"b\"\"", "a=\"\r", "a=\"\n", "a=\"\u{0}", "a=\"\u{7F}", "a=\"\\\r", "a=\"\\\n", "\u{E9}",
        "a\u{0}",
    ])
    func refuses(_ text: String) { #expect(mayEnd(text) == nil) }
}
