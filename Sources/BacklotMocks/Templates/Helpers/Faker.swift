import Backlot

/// Random values, which a seed repeats.
extension TemplateHelper {
    static let random: [TemplateHelper] = [
        drawing("randomValue", 0...0, named: ["length", "type", "uppercase", "mixedcase"]) { arguments, sources in
            let type = arguments["type"].isMissing ? "ALPHANUMERIC" : arguments["type"].text.uppercased()
            let isUpper = arguments.flag("uppercase") == true
            if type == "UUID" {
                let id = sources.random("uuid").text
                return .text(isUpper ? id.uppercased() : id)
            }
            guard let length = arguments.value("length", or: 36, \.int), (0...100_000).contains(length) else {
                throw MessageError("length must be a number up to 100000")
            }
            guard var letters = alphabets[type] else {
                let hint = Suggestion.hint(for: type, among: alphabets.keys.sorted() + ["UUID"])
                throw MessageError("randomValue knows no type \(type.shown)\(hint)")
            }
            if isUpper { letters = letters.uppercased() }
            if arguments.flag("mixedcase") == true { letters += letters.uppercased() }
            return .text(sources.characters(length, of: letters))
        },
        drawing("randomInt", 0...0, named: ["lower", "upper"]) { arguments, sources in
            guard let lower = arguments.value("lower", or: Int(Int32.min), \.int),
                let upper = arguments.value("upper", or: Int(Int32.max), \.int), lower <= upper
            else { throw MessageError("lower and upper must be whole numbers, the lower one first") }
            return .int(sources.draw { Int.random(in: lower...upper, using: &$0) })
        },
        drawing("randomDecimal", 0...0, named: ["lower", "upper"]) { arguments, sources in
            guard let lower = arguments.value("lower", or: -1e9, \.number),
                let upper = arguments.value("upper", or: 1e9, \.number), lower <= upper, (upper - lower).isFinite
            else { throw MessageError("lower and upper must be numbers, the lower one first") }
            return try number(sources.draw { Double.random(in: lower...upper, using: &$0) })
        },
        drawing("pickRandom", 1...(.max), named: ["count"]) { arguments, sources in
            let list = arguments.values.count == 1 ? arguments[0].elements : nil
            let choices = list ?? arguments.values.map(\.json)
            guard !choices.isEmpty else {
                throw MessageError(
                    "Must specify either a single list argument or a set of single value arguments."
                )
            }
            guard !arguments["count"].isMissing else {
                return .optional(sources.draw { choices.randomElement(using: &$0) })
            }
            guard let count = arguments["count"].int, count >= 0 else {
                throw MessageError("count must be a number")
            }
            return .list(sources.draw { Array(choices.shuffled(using: &$0).prefix(count)) })
        },
        drawing("random", 1...1, named: ["locale"], preparing: fakerNames) { arguments, sources in
            if !arguments["locale"].isMissing { _ = try english(arguments["locale"].text) }
            let form = try Faker.form(arguments[0].text)
            return sources.draw { form.value(&$0) }
        },
    ]

    /// A helper that draws its value. During checks of a file it writes nothing.
    private static func drawing(
        _ name: String,
        _ arguments: ClosedRange<Int>,
        named: [String],
        preparing preparations: [Preparation] = [],
        _ value: @escaping @Sendable (TemplateArguments, TemplateSources) throws -> TemplateValue
    ) -> TemplateHelper {
        TemplateHelper(name, arguments, named: named, block: .none, preparing: preparations) { arguments, run in
            try run.context.map { try value(arguments, $0.sources) } ?? .missing
        }
    }

    private static let fakerNames = [
        Preparation(position: 0, read: Faker.form), Preparation(name: "locale", read: english),
    ]

    private static func english(_ locale: String) throws(TemplateError) -> String {
        if locale.split(whereSeparator: { $0 == "_" || $0 == "-" }).first?.lowercased() == "en" { return locale }
        throw TemplateError(
            "random knows no locale '\(locale)': its words are English; write 'en', or leave locale out"
        )
    }

    private static let alphabets = [
        "ALPHANUMERIC": TemplateSources.letters + "0123456789", "ALPHABETIC": TemplateSources.letters,
        "NUMERIC": "0123456789", "HEXADECIMAL": "0123456789abcdef",
        "ALPHANUMERIC_AND_SYMBOLS": TemplateSources.letters + TemplateSources.letters.uppercased()
            + "0123456789!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~",
    ]
}

/// Invented names, addresses, companies and so on in English, for `{{random 'Name.first_name'}}`.
struct Faker: Sendable {
    /// The generator for a name such as `Name.first_name`.
    ///
    /// - Throws: for an unknown name, with the nearest one.
    static func form(_ name: String) throws(TemplateError) -> Faker {
        guard let form = known[key(name)] else {
            throw TemplateError("random knows no \(name.shown)\(Suggestion.hint(for: name, among: names))")
        }
        return Faker(name: form)
    }

    /// The names, in their usual spelling.
    static let names = (Array(forms.keys) + Array(drawn.keys)).filter { $0.contains(".") }.sorted()

    private static let known = Dictionary(uniqueKeysWithValues: names.map { (key($0), $0) })

    private static func key(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }

    private let name: String

    func value(_ random: inout SplitMix64) -> TemplateValue {
        if let draw = Self.drawn[name] { return draw(&random) }
        return .text(Self.text(name, &random))
    }

    /// A text in one of a name's forms. Names in braces stand for their texts, and `#` for a digit.
    private static func text(_ name: String, _ random: inout SplitMix64) -> String {
        let forms = Self.forms[name] ?? []
        guard forms.count == 1 else { return forms.randomElement(using: &random) ?? "" }
        var text = ""
        for part in forms[0].split(separator: "{", omittingEmptySubsequences: false) {
            guard let end = part.firstIndex(of: "}") else {
                text += part
                continue
            }
            text += self.text(String(part[..<end]), &random) + part[part.index(after: end)...]
        }
        // The first digit isn't 0.
        var least = 1
        return String(
            text.map { character in
                guard character == "#" else { return character }
                defer { least = 0 }
                return Character("\(Int.random(in: least...9, using: &random))")
            }
        )
    }

    private static func decimal(_ range: ClosedRange<Int>, _ places: Int, _ random: inout SplitMix64) -> TemplateValue {
        var fraction = ""
        for _ in 0..<places { fraction += "\(Int.random(in: 0...9, using: &random))" }
        return .text("\(Int.random(in: range.lowerBound..<range.upperBound, using: &random)).\(fraction)")
    }

    private static func letters(_ count: Int, _ random: inout SplitMix64) -> TemplateValue {
        let all = TemplateSources.letters + "0123456789"
        return .text(String((0..<count).map { _ in all.randomElement(using: &random) ?? "a" }))
    }

    private static func sentence(_ random: inout SplitMix64) -> String {
        let words = (0..<Int.random(in: 5...10, using: &random)).map { _ in text("Lorem.word", &random) }
        let sentence = words.joined(separator: " ")
        return sentence.prefix(1).uppercased() + sentence.dropFirst() + "."
    }

    private static let drawn: [String: @Sendable (inout SplitMix64) -> TemplateValue] = [
        "Address.latitude": { decimal(-90...90, 6, &$0) }, "Address.longitude": { decimal(-180...180, 6, &$0) },
        "Lorem.sentence": { .text(sentence(&$0)) },
        "Lorem.paragraph": { random in .text((0..<4).map { _ in sentence(&random) }.joined(separator: " ")) },
        "Lorem.characters": { letters(255, &$0) }, "Commerce.price": { decimal(1...100, 2, &$0) },
        "Internet.uuid": { .text("\(StubID(($0.next(), $0.next())))") },
        "Internet.ip_v4_address": { .text("192.0.2.\(Int.random(in: 1...254, using: &$0))") },
        "Internet.password": { letters(12, &$0) }, "Bool.bool": { .bool(Bool.random(using: &$0)) },
    ]

    /// The forms of each name, with bars between: words, or a text made of others.
    private static let forms: [String: [String]] = {
        let lines = vocabulary.split(separator: "\n").compactMap { line -> (String, [String])? in
            guard let end = line.firstRange(of: ": ") else { return nil }
            let forms = line[end.upperBound...].split(separator: " | ").map(String.init)
            return (String(line[..<end.lowerBound]), forms)
        }
        return Dictionary(uniqueKeysWithValues: lines)
    }()

    private static let vocabulary = """
        Name.name: {Name.full_name}
        Name.full_name: {Name.first_name} {Name.last_name}
        Name.name_with_middle: {Name.first_name} {Name.full_name}
        Name.title: {Job.title}
        Name.username: {login}.{login}
        Address.city_name: {Address.city}
        Address.street_address: ## {Address.street_name}
        Address.building_number: ##
        Address.postcode: #####
        Address.zip_code: #####
        Address.full_address: {Address.street_address}, {Address.postcode} {Address.city}, United States
        Company.name: {company} {Company.suffix}
        Company.url: www.{Name.username}.com
        Lorem.words: {Lorem.word} {Lorem.word} {Lorem.word}
        Commerce.product_name: {Commerce.material} {product}
        Internet.email_address: {Name.username}@example.com
        Internet.safe_email_address: {Name.username}@example.com
        Internet.domain_name: {Name.username}.example
        Internet.url: https://{Name.username}.example/
        Internet.slug: {Name.username}-{Name.username}
        PhoneNumber.phone_number: (###) 555-01##
        PhoneNumber.cell_phone: ###-555-01##
        Number.digit: #
        Name.first_name: Ada | Amelia | Ben | Chloe | Daniel | Ella | Ethan | Freya | George | Grace | Harper | \
        Isla | Jack | Leo | Lucy | Mason | Mia | Noah | Olivia | Owen | Ruby | Samuel | Sophie | Theo | Zoe
        Name.last_name: Adams | Baker | Bennett | Brooks | Carter | Collins | Cooper | Evans | Fisher | Foster | \
        Gray | Hayes | Hughes | Jenkins | Kelly | Morgan | Murphy | Parker | Price | Reed | Russell | Shaw | \
        Turner | Walker | Wood
        Name.prefix: Mr. | Mrs. | Ms. | Dr.
        Job.title: Accountant | Architect | Baker | Carpenter | Designer | Electrician | Engineer | Gardener | \
        Journalist | Librarian | Nurse | Teacher
        Address.city: Ashford | Brookhaven | Cedar Falls | Eastport | Fairview | Greenville | Kingston | \
        Lakewood | Maple Grove | Northfield | Oakdale | Riverside | Springdale | Westbrook
        Address.street_name: Birch Lane | Cedar Street | Church Road | Elm Avenue | Garden Street | High Street \
        | Hill Road | Lake Drive | Main Street | Maple Avenue | Mill Lane | Oak Street | Park Avenue | River \
        Road
        Address.state: Alabama | Arizona | California | Colorado | Florida | Georgia | Illinois | Maine | \
        Montana | Nevada | Ohio | Oregon | Texas | Vermont
        Address.country: Argentina | Australia | Brazil | Canada | Chile | Denmark | Egypt | France | Germany | \
        India | Italy | Japan | Kenya | Mexico | Norway | Portugal | Spain | Sweden | United Kingdom | United \
        States
        company: Bluebird | Bright Harbor | Copper Kettle | Evergreen | Granite | Lighthouse | Northwind | \
        Pinecone | Redwood | Silver Creek | Summit | Willow
        Company.suffix: Inc | LLC | Group | and Sons
        Company.industry: Agriculture | Banking | Construction | Education | Fashion | Food | Health | Insurance \
        | Logistics | Software | Tourism
        Company.catch_phrase: Made to last | Simply better bread | Close to you since 1954 | Tools that stay \
        sharp | The short way home | Quality without noise
        Lorem.word: apple | bridge | candle | cloud | corner | evening | field | garden | harbor | kettle | \
        lantern | letter | market | meadow | morning | music | paper | pebble | river | shadow | silver | stone \
        | summer | table | ticket | train | valley | window | winter | yellow
        product: Backpack | Bicycle | Bottle | Chair | Clock | Cup | Hat | Jacket | Keyboard | Lamp | Pen | \
        Shoes | Table | Umbrella | Wallet
        Commerce.department: Books | Clothing | Electronics | Garden | Grocery | Health | Home | Music | Sports \
        | Toys
        Commerce.material: Cotton | Glass | Granite | Leather | Linen | Paper | Plastic | Rubber | Silk | Steel \
        | Wooden | Woolen
        Color.name: black | blue | brown | gold | green | grey | orange | pink | purple | red | silver | white | \
        yellow
        login: ada | amelia | ben | chloe | daniel | ella | ethan | freya | grace | isla | jack | leo | lucy | \
        mia | noah | owen | ruby | theo | zoe
        """
}
