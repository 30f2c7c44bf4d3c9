import Backlot
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTMLEscapeTests {
    @Test(arguments: [
        ("Tea & <b>\"milk\"</b>", "Tea &amp; &lt;b&gt;&quot;milk&quot;&lt;/b&gt;"), ("it's", "it&#39;s"),
        ("Tee", "Tee"),
        ("\"\u{301}x", "&quot;\u{301}x"), ("<\u{200D}b", "&lt;\u{200D}b"),
    ])
    func `Special characters are escaped, also before an accent`(text: String, escaped: String) {
        #expect(Array(text.htmlEscaped.utf8) == Array(escaped.utf8))
    }
}
