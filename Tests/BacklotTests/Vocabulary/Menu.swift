import Backlot

/// A small protocol to try the kit with: menus of dishes and drinks, in two dialects.
enum Menu {
    static let card = Role("card")
    static let item = Role("item", .key("type"), labels: ["id", "name"], readText: { text, _ in item(from: text) })
    static let place = Role("place")
    static let detail = Role("detail", .parentKey("class"))

    static let plain = Audience(
        dialect: "plain",
        versions: "1.9"..."1.9",
        noun: "clients up to 1.9",
        advice: "serve the menu in the plain dialect"
    )
    static let rich = Audience(
        dialect: "rich",
        platform: "ios",
        versions: "2.0"..."2.4",
        noun: "clients since 2.0",
        advice: "serve the menu in the rich dialect"
    )

    static let root = Kind(
        "menu",
        as: [card],
        "A menu.",
        keys: [
            .required("items", .objects(item), "The dishes."),
            .optional("place", .object(place), "Where they are served."),
            .optional("tables", .array(.array(.nullable(.object(item)))), "Dishes by table."),
            .optional("start", .object(item, only: ["drink"]), "What comes first."),
        ]
    )

    static let dish = Kind(
        "dish",
        as: [item],
        "Something to eat.",
        argument: "id",
        misnomers: ["cost": "Write \"price\", in cents."],
        formerNames: ["plate": "Write \"dish\": that is its name today."],
        keys: [
            .required("id", .string, "Its id."),
            .optional("name", .string, "Its name."),
            .recommended("price", .integer(0...10_000), otherwise: 0, "In cents."),
            .optional(
                "size",
                .names(["small": "A bit.", "large": "A lot."], ifUnknown: .warning("serve a small one")),
                "How much."
            ),
            .optional("level", .names(["hot": "Hot.", "mild": "Mild."]), "How hot."),
            .optional("color", .text(color), "Its colour."),
            .optional("weight", .number(.leastNonzeroMagnitude...1e39), "In grams."),
            .optional("tags", .array(.string), "Words.", ifWrong: .warning("drop all of them")),
            .optional("space", .either([.array(.number, .exactly([1, 2])), .object(place)]), "Room around it."),
            .optional("texts", .map(.string), "By language."),
            .optional("vegan", .bool, "Without animals.", support: .since("2.2")),
            .optional("halal", .bool, "By the rules.", support: .dialects("rich")),
            .unwritten("old", .bool, "Nobody writes it."),
        ]
    )

    static let drink = Kind(
        "drink",
        as: [item],
        "Something to drink.",
        groups: [.atLeastOne("id", "name"), .atMostOne(["cl", "oz"])],
        keys: [
            .optional("id", .string, "Its id."),
            .optional("name", .string, "Its name."),
            .optional("cl", .number, "In centilitres."),
            .optional("oz", .number, "In ounces."),
            .optional("class", .names(["wine": "Wine.", "beer": "Beer."]), "What it is."),
            .optional("data", .object(detail), "More about it."),
            .optional("next", .object(item), "What follows it."),
        ]
    )

    static let wine = Kind("wine", as: [detail], "Wine.", keys: [.required("year", .integer(1...3000), "The year.")])
    static let beer = Kind("beer", as: [detail], "Beer.")
    static let offer = Kind("offer", as: [item], "Something cheap.", support: .since("2.0"))
    static let news = Kind("news", as: [item], "Something new.", support: Support(since: "2.3"))
    static let where_ = Kind("place", as: [place], "A place.", keys: [.optional("top", .number, "From above.")])

    static let vocabulary = Vocabulary(
        [root, dish, drink, wine, beer, offer, news, where_],
        for: [plain, rich],
        refusal: "refuse the whole menu",
        shared: [SharedKeys([item], leftovers: [.optional("width", .number, "The width.")])]
    )

    private static let color = TextForm("a colour, such as #FF8800", example: "#FF8800", rule: "malformed-color") {
        $0.utf8.count == 7 && $0.hasPrefix("#")
    }

    @Sendable private static func item(from text: String) -> JSONObject {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        return ["type": .string(parts.first ?? ""), "id": .string(parts.last ?? "")]
    }

    static func findings(_ document: JSONValue, _ audience: Audience = rich, lines: SourceLines? = nil) -> [Finding] {
        DocumentInspector<Void>(vocabulary, rules: [])
            .findings(in: document, as: root, name: "/m", for: audience, facts: (), lines: lines)
    }

    /// What is found about the only item of a menu, without that a price should be there.
    static func findings(inItem item: JSONValue, _ audience: Audience = rich) -> [Finding] {
        findings(["items": [item]], audience).filter { $0.rule != "missing-recommended-key" }
    }
}
