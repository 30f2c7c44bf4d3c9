import Backlot
import Testing

@testable import A2UI
@testable import A2UIServing

struct Slot: Codable, Sendable, Equatable {
    var id = ""
    var time = ""
    var seats = [1]
}

struct Booking: Codable, Sendable, Equatable {
    var name = ""
    var doctor: [String] = []
    var age = 30
    var isNew = true
    var day = ""
    var slots: [Slot] = []
    var other: [Slot] = []
    var grid = [["a"]]
    var note: String?
    var slot: Slot { slots[0] }
}

/// Trees in Swift as components of each version.
@Suite(.timeLimit(.minutes(2))) struct ElementTests {
    static let model = Dynamic<Booking>(term: .path(ModelPath()))
    static let booking = Booking(slots: [Slot(id: "a", time: "9:00")], other: [Slot()])
    static let take = SurfaceAction<Slot>("take")
    static let stars = Catalog.Component(
        "Stars",
        "A rating.",
        properties: [Property("value", .dynamic(.number), "The number."), Property("extra", .child, "A component.")]
    )

    static func writer(_ element: Element, _ version: ProtocolVersion = .v0_9) -> ElementWriter {
        let model = try? JSONValue(encoding: booking)
        return ElementWriter(element, version: version, model: model ?? .null)
    }

    /// The components without ids, those in others first.
    static func json(_ element: Element, _ version: ProtocolVersion = .v0_9) -> JSONValue {
        let writer = writer(element, version)
        #expect(writer.mistakes == [])
        return .array(
            writer.components.map { component in
                var component = component
                component["id"] = nil
                return .object(component)
            }
        )
    }

    @Test(arguments: [ProtocolVersion.v0_9, .v1_0October, .v1_0])
    func `All components of the basic catalog are correct in each version`(version: ProtocolVersion) throws {
        let m = Self.model
        let all = column(justify: .start, align: .stretch) {
            text("Hello", .h1)
            text("\(m.name), ${x} and \(7)", .caption)
            text(m.note)
            image("https://a.example/a.png", description: m.name, fit: .cover, .avatar)
            icon("home")
            icon(svgPath: "M0 0")
            video("https://a.example/a.mp4", poster: "https://a.example/a.png")
            audioPlayer("https://a.example/a.mp3", description: "A song")
            row(justify: .spaceBetween, align: .center) { text("a").weight(2) }
            row(m.slots) { text($0.time) }
            column(m.slots, align: .end) { slot in
                list(slot.seats, .horizontal) { seat in text("Seat \(seat) of \(m.name)") }
            }
            list(.vertical, align: .start) { divider(.vertical) }
            card { text("c") }
            tabs(("One", text("1")), ("Two", text(m.name)))
            modal(trigger: { text("open") }, content: { text("inside") })
            list(m.slots) { slot in
                button("Take", Self.take.event { $0.id = slot.id }, .primary).check(.required(m.name), "Who?")
            }
            button(.openURL("https://a.example/"), .borderless) { icon("info") }
            textField("Name", value: m.name, .shortText, placeholder: "Jo")
                .check(.and(.required(m.name), .not(.regex(m.name, "[0-9]"))), "A name, please.")
                .check(.or(.length(m.name, 1...20), .email(m.name)), "Too long.")
                .accessibility(label: "Your name", description: m.note, live: .polite, hidden: false)
            checkBox("New", value: m.isNew)
            choicePicker(
                "Doctor",
                value: m.doctor,
                options: ["ito": "Dr Ito"],
                isMultiple: true,
                .chips,
                isFilterable: true
            )
            slider("Age", value: m.age, 0...120, steps: 10).check(.numeric(m.age, 18...99), "Not yet.")
            dateTimeInput("Day", value: m.day, .dateAndTime, min: "2026-01-01", max: "2026-12-31")
            text(.currency(m.age, "EUR"))
            text(.date(m.day, "d MMM"))
            text(
                "\(Dynamic<String>.number(m.age, decimals: 1, grouping: false)) \(Dynamic<String>.plural(m.age, zero: "no", one: "it's", other: "many"))"
            )
        }
        let writer = Self.writer(all, version)
        #expect(writer.mistakes == [])
        #expect(writer.events == ["take"])
        let catalog: Catalog = version.isOne ? .basic1_0 : .basic0_9
        var client = Processor(strictness: .strict)
        let messages: [ServerMessage] = [
            ServerMessage(version, .createSurface("s", ServerMessage.Creation(catalogID: catalog.id))),
            ServerMessage(version, .updateDataModel("s", path: "/", value: try JSONValue(encoding: Self.booking))),
            ServerMessage(version, .updateComponents("s", writer.components)),
        ]
        #expect(client.apply(.array(messages.map(\.json))) == [])
        let nodes = try #require(client.nodes(of: "s"))
        #expect(nodes.errors == [])
        let texts = nodes.order.compactMap { path -> JSONValue? in
            guard case .value(let value, _)? = nodes.nodes[path]?.properties["text"] else { return nil }
            return value
        }
        #expect(texts.contains(", ${x} and 7"))
        #expect(texts.contains("Seat 1 of "))
        #expect(texts.contains("30.0 many"))
        #expect(texts.contains(version.isOne ? "# Hello" : "Hello"))
        let types = Set(nodes.nodes.values.compactMap { $0.component?.type })
        #expect(types == Set(catalog.components.keys))
    }

    @Test(
        arguments: [
            (
                text("a", .h2), ["component": "Text", "text": "a", "variant": "h2"],
                ["component": "Text", "text": "## a"]
            ),
            (
                text(model.name), ["component": "Text", "text": ["path": "/name"]],
                ["component": "Text", "text": ["@path": "/name"]]
            ),
            (
                text("Hi \(model.name)", .h1),
                [
                    "component": "Text", "text": ["call": "formatString", "args": ["value": "Hi ${/name}"]],
                    "variant": "h1",
                ],
                ["component": "Text", "text": ["@call": "formatString", "args": ["value": "# Hi ${/name}"]]]
            ),
            (
                checkBox("a", value: true).check(.required(model.name), "b").accessibility(label: "c", live: .off),
                [
                    "component": "CheckBox", "label": "a", "value": true, "accessibility": ["label": "c"],
                    "checks": [
                        ["condition": ["call": "required", "args": ["value": ["path": "/name"]]], "message": "b"]
                    ],
                ],
                [
                    "component": "CheckBox", "label": "a", "value": true,
                    "@accessibility": ["label": "c", "live": "off"],
                    "@checks": [
                        ["condition": ["@call": "required", "args": ["value": ["@path": "/name"]]], "message": "b"]
                    ],
                ]
            ),
            (
                element(stars).property("value", 3).weight(2), ["component": "Stars", "value": 3, "weight": 2],
                ["component": "Stars", "value": 3, "weight": 2]
            ),
            (
                element(stars).property("value", Dynamic<Int>.call("rate").with("of", model.name)),
                ["component": "Stars", "value": ["call": "rate", "args": ["of": ["path": "/name"]]]],
                ["component": "Stars", "value": ["@call": "rate", "args": ["of": ["@path": "/name"]]]]
            ),
        ] as [(Element, JSONValue, JSONValue)]
    )
    func `Versions differ in keys, headings and accessibility`(element: Element, old: JSONValue, new: JSONValue) {
        #expect(Self.json(element) == [old])
        #expect(Self.json(element, .v1_0) == [new])
    }

    static let visitor = "Bob"
    static let greeting: Dynamic<String> = "Hello \(visitor)"

    @Test(
        arguments: [
            (text(greeting, .h2), "## Hello Bob"), (text("(\(greeting))"), "(Hello Bob)"),
            (text("\(Dynamic<Int>(5)) left"), "5 left"),
        ] as [(Element, String)]
    )
    func `A text of literals and of such texts is one literal`(element: Element, text: String) {
        #expect(Self.json(element, .v1_0) == [["component": "Text", "text": .string(text)]])
    }

    static let braces = "{x}"

    @Test(
        arguments: [
            ("C:\\\(model.name)", #"C:${'\\'}${/name}"#, #"C:\Ada"#),
            ("\\\\\(model.name)\\", #"${'\\\\'}${/name}\"#, #"\\Ada\"#),
            ("$\(braces) for \(model.name)", #"\${x} for ${/name}"#, "${x} for Ada"),
            ("$\(model.name)", "$${/name}", "$Ada"),
            ("${\u{301}x} \(model.name)", "\\${\u{301}x} ${/name}", "${\u{301}x} Ada"),
            (
                "\(Dynamic<String>.plural(model.age, one: "1", other: "it'\u{301}s"))",
                "${pluralize(value: /age, one: '1', other: 'it\\'\u{301}s')}", "it'\u{301}s"
            ),
        ] as [(Dynamic<String>, String, String)]
    )
    func `Plain text beside paths is read as it stands`(content: Dynamic<String>, format: String, shown: String) {
        let call: JSONValue = ["call": "formatString", "args": ["value": .string(format)]]
        #expect(Self.json(text(content)) == [["component": "Text", "text": call]])
        let scope = CatalogScope(catalogs: Catalog.basics, defaultID: Catalog.basic0_9.id, version: .v0_9)
        var evaluator = Evaluator(DataModel(["name": "Ada", "age": 30]), scope)
        #expect(evaluator.value(of: call) == .string(shown))
    }

    @Test func `Paths in a template lead from its element, those of the model from the root`() {
        let tree = list(Self.model.slots) { slot in
            button(
                "\(slot.time) for \(Self.model.name)",
                Self.take.event {
                    $0.time = slot.time; $0.id = "x"
                }
            )
        }
        #expect(
            Self.json(tree) == [
                ["component": "Text", "text": ["call": "formatString", "args": ["value": "${time} for ${/name}"]]],
                [
                    "component": "Button", "child": "button_text",
                    "action": ["event": ["name": "take", "context": ["time": ["path": "time"], "id": "x"]]],
                ],
                ["component": "List", "children": ["componentId": "button", "path": "/slots"]],
            ]
        )
    }

    @Test func `A template's element knows its position in 1.0`() throws {
        let tree = column(Self.model.slots) { _ in text(.number(.index(from: 1))) }
        let writer = Self.writer(tree, .v1_0)
        #expect(writer.mistakes == [])
        var client = Processor(strictness: .strict)
        let creation = ServerMessage.Creation(catalogID: Catalog.basic1_0.id)
        let messages: [ServerMessage] = [
            ServerMessage(.v1_0, .createSurface("s", creation)),
            ServerMessage(.v1_0, .updateDataModel("s", path: "/", value: ["slots": [["id": "a"], ["id": "b"]]])),
            ServerMessage(.v1_0, .updateComponents("s", writer.components)),
        ]
        #expect(client.apply(.array(messages.map(\.json))) == [])
        let nodes = try #require(client.nodes(of: "s"))
        let texts = nodes.order.compactMap { nodes.nodes[$0]?.properties["text"] }
        #expect(texts == [.value("1", path: nil), .value("2", path: nil)])
    }

    @Test func `Ids come from positions, and a missing branch leaves those of others alone`() {
        func ids(_ hasNote: Bool) -> [String] {
            let tree = column {
                if hasNote { text("note") }
                for name in ["a", "b"] { card { text(verbatim: name) } }
                text("c").id("last")
            }
            return Self.writer(tree).components.compactMap { $0["id"]?.string }
        }
        #expect(
            ids(true) == ["text_0_0", "card_1_0_0_text", "card_1_0_0", "card_1_1_0_text", "card_1_1_0", "last", "root"]
        )
        #expect(ids(false) == Array(ids(true).dropFirst()))
    }

    @Test(
        arguments: [
            (text(model.slot.time), "isn't a stored property"),
            (list(model.slots) { slot in list(model.other) { _ in text(slot.time) } }, "leads out of its list"),
            (
                column {
                    text("a").id("x"); text("b").id("x")
                }, "x: two components have this id"
            ),
            (element(stars).property("valeu", 3), "Stars has no property \"valeu\"; do you mean value?"),
            (text("\(Dynamic<Bool>.and(true, false))"), "can't stand in a text"),
            (list(model.grid) { row in text("\(row[0])") }, "the path \"0\" can't stand in a text"),
            (text(Dynamic<Booking>("x" as Dynamic<String>).name), "is a member of a literal"),
            (slider(value: Dynamic(Double.infinity), 0...1), "can't be written as JSON"),
            (text(Dynamic<Renamed>(term: .path(ModelPath())).title), "the model has no /title"),
            (row(Dynamic(["a"])) { text($0) }, "a template needs a list of the model"),
            (list(model.slots) { _ in text(.number(.index())) }, "clients of A2UI before 1.0 know no @index"),
            (
                list(model.slots) { _ in text("No. \(Dynamic<Int>.index())") },
                "let .number(.index()) be all of the text"
            ),
        ] as [(Element, String)]
    )
    func `Mistakes name the component and the fix`(element: Element, text: String) {
        let mistakes = Self.writer(element).mistakes
        #expect(mistakes.count == 1)
        #expect(mistakes.first?.contains(text) == true, "\(mistakes)")
    }

    @Test func `An absent optional and the elements of an empty list are no mistakes`() {
        let tree = column {
            text(Self.model.note)
            list(Self.model.other) { text($0.time) }
        }
        #expect(ElementWriter(tree, version: .v0_9, model: ["other": []]).mistakes == [])
        #expect(ElementWriter(tree, version: .v0_9, model: [:]).mistakes.count == 2)
    }
}

struct Renamed: Codable { var title: String }

extension Dynamic {
    fileprivate init(_ other: Dynamic<String>) { self.init(term: other.term) }
}
