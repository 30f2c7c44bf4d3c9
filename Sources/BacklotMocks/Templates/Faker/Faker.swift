import Backlot
import BacklotJSON

/// Made-up names, addresses, companies and the like, for `{{random 'Name.first_name'}}`.
struct Faker {
    /// The words of one language.
    struct Words: Sendable {
        var firstNames: [String]
        var lastNames: [String]
        var prefixes: [String]
        var jobs: [String]
        var cities: [String]
        var streets: [String]
        /// Where `#` stands for a digit: a street's name comes first, unless the form says otherwise.
        var streetAddress: String
        var states: [String]
        var country: String
        var countries: [String]
        var postcode: String
        var companies: [String]
        var companyForms: [String]
        var industries: [String]
        var slogans: [String]
        var words: [String]
        var products: [String]
        var departments: [String]
        var materials: [String]
        var colors: [String]
        var phone: String
        var mobile: String
        var domain: String
        /// The names in Latin letters, for addresses of the Internet; the names themselves where they are Latin already.
        var logins: [String]
    }

    private typealias Generator = @Sendable (Words, inout SplitMix64) -> TemplateValue

    private let words: Words

    /// - Parameter locale: `en`, `de` or `ar`, perhaps with a country; English for others.
    init(_ locale: String) {
        words =
            switch locale.prefix(2).lowercased() {
            case "de": .german
            case "ar": .arabic
            default: .english
            }
    }

    /// What a name such as `Name.first_name` stands for.
    func value(_ name: String, _ random: inout SplitMix64) -> TemplateValue {
        guard let generator = Self.generators[Self.key(name)] else {
            let hint = Suggestion.hint(for: name, among: Self.names)
            return .failed("random knows no \(name.shown)\(hint)")
        }
        return generator(words, &random)
    }

    /// The names, as they are written.
    static let names = table.map(\.name)

    static func key(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }

    private static let generators = Dictionary(
        table.map { (key($0.name), $0.generator) },
        uniquingKeysWith: { first, _ in first }
    )

    private static let table: [(name: String, generator: Generator)] = [
        ("Name.first_name", { text($0.firstNames, &$1) }), ("Name.last_name", { text($0.lastNames, &$1) }),
        ("Name.name", { .text(name($0, &$1)) }), ("Name.full_name", { .text(name($0, &$1)) }),
        ("Name.name_with_middle", { .text("\(one($0.firstNames, &$1)) \(name($0, &$1))") }),
        ("Name.prefix", { text($0.prefixes, &$1) }), ("Name.title", { text($0.jobs, &$1) }),
        ("Name.username", { .text(login($0, &$1)) }), ("Job.title", { text($0.jobs, &$1) }),
        ("Address.city", { text($0.cities, &$1) }), ("Address.city_name", { text($0.cities, &$1) }),
        ("Address.street_name", { text($0.streets, &$1) }), ("Address.street_address", { .text(street($0, &$1)) }),
        ("Address.building_number", { .text(digits("##", &$1)) }), ("Address.state", { text($0.states, &$1) }),
        ("Address.country", { text($0.countries, &$1) }), ("Address.postcode", { .text(digits($0.postcode, &$1)) }),
        ("Address.zip_code", { .text(digits($0.postcode, &$1)) }),
        (
            "Address.full_address",
            { .text("\(street($0, &$1)), \(digits($0.postcode, &$1)) \(one($0.cities, &$1)), \($0.country)") }
        ),
        ("Address.latitude", { .text(decimal(-90...90, 6, &$1)) }),
        ("Address.longitude", { .text(decimal(-180...180, 6, &$1)) }),
        ("Company.name", { .text("\(one($0.companies, &$1)) \(one($0.companyForms, &$1))") }),
        ("Company.suffix", { text($0.companyForms, &$1) }), ("Company.industry", { text($0.industries, &$1) }),
        ("Company.catch_phrase", { text($0.slogans, &$1) }),
        ("Company.url", { .text("www.\(login($0, &$1)).\($0.domain)") }),
        ("Lorem.word", { text($0.words, &$1) }), ("Lorem.words", { .text(words($0, 3, &$1)) }),
        ("Lorem.sentence", { .text(sentence($0, &$1)) }), ("Lorem.paragraph", { .text(sentences($0, 4, &$1)) }),
        ("Lorem.characters", { _, random in .text(letters(255, &random)) }),
        ("Commerce.product_name", { .text("\(one($0.materials, &$1)) \(one($0.products, &$1))") }),
        ("Commerce.price", { .text(decimal(1...100, 2, &$1)) }), ("Commerce.department", { text($0.departments, &$1) }),
        ("Commerce.material", { text($0.materials, &$1) }), ("Color.name", { text($0.colors, &$1) }),
        ("Internet.email_address", { .text("\(login($0, &$1))@example.\($0.domain)") }),
        ("Internet.safe_email_address", { .text("\(login($0, &$1))@example.com") }),
        ("Internet.domain_name", { .text("\(login($0, &$1)).example") }),
        ("Internet.url", { .text("https://\(login($0, &$1)).example/") }),
        ("Internet.uuid", { _, random in .text("\(StubID((random.next(), random.next())))") }),
        ("Internet.ip_v4_address", { _, random in .text("192.0.2.\(Int.random(in: 1...254, using: &random))") }),
        ("Internet.slug", { .text("\(login($0, &$1))-\(login($0, &$1))") }),
        ("Internet.password", { _, random in .text(letters(12, &random)) }),
        ("PhoneNumber.phone_number", { .text(digits($0.phone, &$1)) }),
        ("PhoneNumber.cell_phone", { .text(digits($0.mobile, &$1)) }),
        ("Number.digit", { _, random in .text(digits("#", &random)) }),
        ("Bool.bool", { _, random in .bool(Bool.random(using: &random)) }),
    ]

    private static func one(_ list: [String], _ random: inout SplitMix64) -> String {
        list.randomElement(using: &random) ?? ""
    }

    private static func text(_ list: [String], _ random: inout SplitMix64) -> TemplateValue {
        .text(one(list, &random))
    }

    private static func name(_ words: Words, _ random: inout SplitMix64) -> String {
        "\(one(words.firstNames, &random)) \(one(words.lastNames, &random))"
    }

    private static func login(_ words: Words, _ random: inout SplitMix64) -> String {
        "\(one(words.logins, &random)).\(one(words.logins, &random))"
    }

    private static func street(_ words: Words, _ random: inout SplitMix64) -> String {
        digits(words.streetAddress.replacing("@", with: one(words.streets, &random)), &random)
    }

    /// A text with a digit for each `#`; the first of them is not 0.
    private static func digits(_ form: String, _ random: inout SplitMix64) -> String {
        var isFirst = true
        return String(
            form.map { character in
                guard character == "#" else { return character }
                defer { isFirst = false }
                return Character("\(Int.random(in: (isFirst ? 1 : 0)...9, using: &random))")
            }
        )
    }

    private static func decimal(_ range: ClosedRange<Int>, _ places: Int, _ random: inout SplitMix64) -> String {
        var fraction = ""
        for _ in 0..<places { fraction += "\(Int.random(in: 0...9, using: &random))" }
        return "\(Int.random(in: range.lowerBound...(range.upperBound - 1), using: &random)).\(fraction)"
    }

    private static func letters(_ count: Int, _ random: inout SplitMix64) -> String {
        String((0..<count).map { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement(using: &random) ?? "a" })
    }

    private static func words(_ words: Words, _ count: Int, _ random: inout SplitMix64) -> String {
        (0..<count).map { _ in one(words.words, &random) }.joined(separator: " ")
    }

    private static func sentence(_ words: Words, _ random: inout SplitMix64) -> String {
        let text = self.words(words, Int.random(in: 5...10, using: &random), &random)
        return text.prefix(1).uppercased() + text.dropFirst() + "."
    }

    private static func sentences(_ words: Words, _ count: Int, _ random: inout SplitMix64) -> String {
        (0..<count).map { _ in sentence(words, &random) }.joined(separator: " ")
    }
}
