/// Words for items: some as frequent as in prose, most of them rare.
struct Prose {
    /// A word that every item has.
    static let inEvery = "today"
    /// A word that 20 items have, however many there are.
    static let rare = "xylophone"

    private static let frequent = """
        the of and to in for is on that by this with are be as at from it was have an will can about if page my has search \
        free but our one other do no information time they site he up may what which their news out use any there see only so \
        his when contact here business who web also now help get view online first been would how were services some these \
        click its like service than find price date back top people had list name just over state year day into email two \
        health world next used go work last most products music buy data make them should product system post her city add \
        policy number such please available copyright support message after best software then good video well where info \
        rights public books high school through each links she review years order very privacy book items company read group \
        need many user said does set under general research university january mail full map reviews program life know games
        """.split(separator: " ").map(String.init)
    private static let syllables = [
        "ka", "lo", "mi", "ne", "tu", "ra", "si", "po", "ve", "da", "gu", "zo", "fe", "ba", "str", "ent", "ion", "wer",
    ]
    private static let vocabulary =
        frequent
        + (0..<syllables.count * 20 * 90).map { number in
            var rest = number
            var word = ""
            repeat {
                word += syllables[rest % syllables.count]
                rest /= syllables.count
            } while rest > 0
            return word
        }

    private var state: UInt64

    /// Words that are the same in each run.
    init(seed: UInt64) { state = seed }

    /// The words of an item of so many.
    mutating func words(of id: Int, count: Int) -> [String] {
        var words: Set = [Self.inEvery]
        if id % (count / 20) == 1 { words.insert(Self.rare) }
        while words.count < 16 { words.insert(Self.vocabulary[nextIndex()]) }
        return words.sorted()
    }

    /// The word of rank n comes about 1/n as often as the first one.
    private mutating func nextIndex() -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let unit = Double(state >> 11) / Double(1 << 53)
        var index = 1.0
        var power = unit * Self.exponent
        // count^unit, by squaring of two's powers: no logarithm is needed.
        while power >= 1 {
            index *= 2
            power -= 1
        }
        return min(Int(index * (1 + power)) - 1, Self.vocabulary.count - 1)
    }

    private static let exponent = Double(Int.bitWidth - vocabulary.count.leadingZeroBitCount)
}
