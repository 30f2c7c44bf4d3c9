import Applin
import Testing

/// text, error_text and last_error_text.
@Suite(.timeLimit(.minutes(5))) struct TextTests {
    @Test func `Each kind of text has its type on the wire`() {
        #expect(encoded(text("Hello \"world\"!\n")) == #"{"typ":"text","text":"Hello \"world\"!\n"}"#)
        #expect(encoded(errorText("Wrong")) == #"{"typ":"error_text","text":"Wrong"}"#)
        #expect(encoded(lastErrorText()) == #"{"typ":"last_error_text"}"#)
    }

    @Test func `Texts have no children`() {
        #expect(text("a").children.isEmpty)
        #expect(errorText("a").children.isEmpty)
        #expect(lastErrorText().children.isEmpty)
    }
}
