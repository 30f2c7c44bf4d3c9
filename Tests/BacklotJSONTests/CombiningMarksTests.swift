import BacklotJSON
import Testing

@Suite(.timeLimit(.minutes(5))) struct CombiningMarksTests {
    private static func marks(_ count: Int) -> String { String(repeating: "\u{301}", count: count) }

    private static let found: [String] = [
        marks(129), "a\(marks(128))b\(marks(129))", "\(String(repeating: "a", count: 300))\(marks(129))b",
        // Other classes, in two to four bytes.
        String(repeating: "\u{323}\u{302A}\u{1D165}", count: 43),
    ]

    @Test(arguments: found)
    func `A long run of marks is found`(text: String) {
        #expect(text.hasTooManyMarks)
        #expect(!text.withFewMarks.hasTooManyMarks)
    }

    private static let fine: [String] = [
        "", marks(128), "a\(marks(128))b\(marks(128))",
        // No marks of a normal form: letters with accents, flags, joiners, and a selector between marks.
        String(repeating: "é日😀", count: 300), String(repeating: "\u{1F1E6}\u{200D}", count: 300),
        String(repeating: "\(marks(100))\u{FE0F}", count: 10),
    ]

    @Test(arguments: fine)
    func `Other texts stay as they are`(text: String) {
        #expect(!text.hasTooManyMarks)
        #expect(text.withFewMarks.utf8.elementsEqual(text.utf8))
    }

    @Test func `Marks after the 128th of a run become U+FFFD`() {
        let repaired = "\(Self.marks(128))\(String(repeating: "\u{FFFD}", count: 72))"
        let text = "é\(Self.marks(200))b\(Self.marks(200))"
        #expect(text.withFewMarks.utf8.elementsEqual("é\(repaired)b\(repaired)".utf8))
    }

    /// Each of the second half would be moved before the first half.
    @Test func `A text of a million marks is compared once it is repaired`() {
        let below = String(repeating: "\u{323}", count: 1_000_000)
        let repaired = "\(Self.marks(1_000_000))\(below)".withFewMarks
        #expect(repaired != "\(repaired)a")
    }
}
