import Backlot

extension Catalog {
    /// The basic catalog of 0.9 and 0.9.1.
    public static let basic0_9 = basic(.v0_9, "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json")
    /// The basic catalog of 1.0.
    public static let basic1_0 = basic(.v1_0, "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json")

    /// The basic catalogs by their ids, with other ids that are in use.
    public static let basics: [String: Catalog] = [
        basic0_9.id: basic0_9, basic1_0.id: basic1_0,
        "https://a2ui.org/specification/v0_9_1/catalogs/basic/catalog.json": basic0_9,
        "https://a2ui.org/catalogs/basic/v1/catalog.json": basic1_0,
    ]

    private static func basic(_ version: ProtocolVersion, _ id: String) -> Catalog {
        let theme = [
            Property("iconUrl", .url, "A picture of the server."),
            Property("agentDisplayName", .string, "The name of the server."),
        ]
        do throws(A2UIError) {
            return try Catalog(
                id,
                version: version,
                title: "Basic catalog",
                components: basicComponents(version),
                functions: BasicFunctions.all(version),
                theme: version.isOne ? [] : [.primaryColor] + theme
            )
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Source: the A2UI specification, Basic catalog.
    package static func basicComponents(_ version: ProtocolVersion) -> [Component] {
        let isOne = version.isOne
        func named(_ name: String, _ names: [String], _ usual: String, _ meaning: String) -> Property {
            Property(name, .oneOf(names), default: .string(usual), meaning)
        }
        func text(_ name: String, _ meaning: String, required: Bool = false) -> Property {
            Property(name, .dynamic(.string), required: required, meaning)
        }
        func child(_ name: String, _ meaning: String) -> Property { Property(name, .child, required: true, meaning) }
        func value(_ type: PropertyType.Dynamic, required: Bool = true) -> Property {
            Property(
                "value",
                .dynamic(type),
                required: required,
                "The user's input. Bind it: a literal never reaches the server."
            )
        }
        func component(_ name: String, _ meaning: String, checks: Bool = false, _ properties: [Property?]) -> Component
        {
            let weight = Property("weight", .number, "The share of the room in a Row or a Column.")
            return Component(name, meaning, checks: checks, properties: properties.compactMap { $0 } + [weight])
        }
        let children = Property("children", .children, required: true, "The components in it: ids, or a template.")
        let label = text("label", "The name of the input.")
        let ends = ["start", "center", "end"]
        let align = named("align", ends + ["stretch"], "stretch", "The alignment of the children across the direction.")
        let justify = named(
            "justify",
            ends + ["spaceBetween", "spaceAround", "spaceEvenly", "stretch"],
            "start",
            "The distribution of the children along the direction."
        )
        let url = text("url", "Where it is.", required: true)
        let sizes = ["icon", "avatar", "smallFeature", "mediumFeature", "largeFeature", "header"]
        let titles = isOne ? [] : ["h1", "h2", "h3", "h4", "h5"]
        let action = Property(
            "action",
            .action,
            required: true,
            "The effect of a tap: an event for the server, or a function."
        )
        let tab = PropertyType.object([text("title", "The title.", required: true), child("child", "The content.")])
        let option = PropertyType.object([
            text("label", "The text.", required: true),
            Property("value", .string, required: true, "The value if it is chosen."),
        ])
        let path = isOne ? PropertyType.dynamic(.string) : .string
        let svg = PropertyType.object([Property("svgPath", path, required: true, "The path, as in SVG.")])
        return [
            component(
                "Text",
                "A text in simple Markdown.",
                [
                    text("text", "The text.", required: true),
                    named("variant", titles + ["caption", "body"], "body", "The style."),
                ]
            ),
            component(
                "Image",
                "A picture.",
                [
                    url, text("description", "A description for people who don't see it."),
                    named("fit", ["contain", "cover", "fill", "none", "scaleDown"], "fill", "How it fills its frame."),
                    named("variant", sizes, "mediumFeature", "The size."),
                ]
            ),
            component(
                "Icon",
                "A symbol.",
                [
                    Property("name", .either([.oneOf(iconNames), svg, .binding]), required: true, "The symbol.")
                ]
            ),
            component(
                "Video",
                "A video.",
                [url, isOne ? text("posterUrl", "A picture to show before it plays.") : nil]
            ),
            component("AudioPlayer", "A sound.", [url, text("description", "What it is.")]),
            component("Row", "Components side by side.", [children, justify, align]),
            component("Column", "Components below each other.", [children, justify, align]),
            component(
                "List",
                "Components that scroll.",
                [
                    children, named("direction", ["vertical", "horizontal"], "vertical", "The direction."), align,
                ]
            ),
            component("Card", "A frame around a component.", [child("child", "The component.")]),
            component(
                "Tabs",
                "One of several components, by the titles of all.",
                [
                    Property("tabs", .list(tab, least: 1), required: true, "The tabs.")
                ]
            ),
            component(
                "Modal",
                "A component that covers the others while it is open.",
                [
                    child("trigger", "The component that opens it."), child("content", "The component that it shows."),
                ]
            ),
            component(
                "Divider",
                "A line.",
                [named("axis", ["horizontal", "vertical"], "horizontal", "The direction.")]
            ),
            component(
                "Button",
                "A button.",
                checks: true,
                [
                    child("child", "Its contents, usually a Text."), action,
                    named("variant", ["default", "primary", "borderless"], "default", "The style."),
                ]
            ),
            component(
                "TextField",
                "An input for text.",
                checks: true,
                [
                    text("label", "The name of the input.", required: true), value(.string, required: false),
                    isOne ? text("placeholder", "The text that it shows while it is empty.") : nil,
                    named(
                        "variant",
                        ["shortText", "longText", "number", "obscured"],
                        "shortText",
                        "The kind of text."
                    ),
                    isOne ? nil : Property("validationRegexp", .string, "A regular expression for the text."),
                ]
            ),
            component(
                "CheckBox",
                "An input for yes or no.",
                checks: true,
                [
                    text("label", "The text beside it.", required: true), value(.boolean),
                ]
            ),
            component(
                "ChoicePicker",
                "An input for one or several of some options.",
                checks: true,
                [
                    label, Property("options", .list(option, least: 0), required: true, "The options."),
                    value(.stringList),
                    named(
                        "variant",
                        ["multipleSelection", "mutuallyExclusive"],
                        "mutuallyExclusive",
                        "Whether several may be chosen."
                    ),
                    named("displayStyle", ["checkbox", "chips"], "checkbox", "The style."),
                    Property("filterable", .boolean, default: false, "Whether options can be searched."),
                ]
            ),
            component(
                "Slider",
                "An input for a number in a range.",
                checks: true,
                [
                    label, value(.number), Property("max", .number, required: true, "The largest."),
                    Property("min", .number, default: 0, "The smallest."),
                    isOne ? Property("steps", .integer(least: 1), "The number of steps.") : nil,
                ]
            ),
            component(
                "DateTimeInput",
                "An input for a date, a time or both.",
                checks: true,
                [
                    label, value(.string), Property("enableDate", .boolean, default: false, "Whether it takes a date."),
                    Property("enableTime", .boolean, default: false, "Whether it takes a time."),
                    Property("min", .dateTime, "The first."), Property("max", .dateTime, "The last."),
                ]
            ),
        ]
    }

    private static let iconNames = """
        accountCircle add arrowBack arrowForward attachFile calendarToday call camera check close delete download edit event error \
        fastForward favorite favoriteOff folder help home info locationOn lock lockOpen mail menu moreVert moreHoriz \
        notificationsOff notifications pause payment person phone photo play print refresh rewind search send settings share \
        shoppingCart skipNext skipPrevious star starHalf starOff stop upload visibility visibilityOff volumeDown volumeMute \
        volumeOff volumeUp warning
        """.split(separator: " ").map(String.init)
}

extension Property {
    /// The colour of 0.9's theme.
    fileprivate static let primaryColor = Property("primaryColor", .color, "The main colour.")
}
