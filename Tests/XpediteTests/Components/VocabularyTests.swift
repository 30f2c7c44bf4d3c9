import Backlot
import BacklotJSON
import Testing

@testable import Xpedite

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The vocabulary and what components write can't drift apart: objects are made from the vocabulary, made again through the DSL,
/// and compared.
@Suite struct VocabularyTests {
    private static let vocabulary = XpediteVocabulary.all
    /// Rows have no type that writes them; their test goes through an app.
    static let kinds = vocabulary.kinds.filter { $0 != RowsPacket.vocabulary }

    private func example(_ kind: Kind, _ isWanted: (Key) -> Bool) -> JSONObject {
        var object = Self.vocabulary.example(of: kind, as: kind.roles[0], for: XpediteVocabulary.audience, isWanted)
        // Effects without any effect aren't written.
        if object["effects"] != nil { object["effects"] = ["shade%": 1.5] }
        return object
    }

    /// What the DSL writes with the values of an object.
    private func written(_ object: JSONObject, _ kind: Kind) throws -> JSONObject {
        let sample = try #require(Sample.all[kind.name], "Sample.all lacks the kind \(kind.name)")
        var writer = JSONWriter()
        try sample(Values(object: object), &writer)
        return try #require(try JSONValue(parsing: writer.bytes).object)
    }

    @Test func `Every kind that is declared is in the vocabulary`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Xpedite").standardizedFileURL
        var declared: [String] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path()) where path.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            declared += text.matches(of: /static let vocabulary = Kind\(\s*"(\w+)"/).map { String($0.1) }
        }
        #expect(declared.sorted() == Self.vocabulary.kinds.map(\.name).sorted())
    }

    @Test(arguments: kinds.filter { $0 != Size.vocabulary })
    func `All keys of a kind at once`(kind: Kind) throws {
        let full = example(kind) { $0.isWritten }
        #expect(try written(full, kind) == full)
    }

    @Test(arguments: kinds)
    func `Each key of a kind by itself`(kind: Kind) throws {
        let declared = Set(kind.keys.filter(\.isWritten).map(\.name)).union(["type"])
        for key in kind.keys where key.isWritten {
            let object = example(kind) { $0.isNeeded || $0.name == key.name }
            let written = try written(object, kind)
            #expect(declared.isSuperset(of: written.keys))
            // Clients ignore the value that centres a component.
            let isAny = if case .any = key.type { true } else { false }
            #expect(isAny ? written[key.name] != nil : written[key.name] == object[key.name], "\(key.name)")
        }
    }

    @Test(arguments: kinds)
    func `Each name of an enumeration`(kind: Kind) throws {
        for key in kind.keys {
            guard case .oneOf(let names, _) = key.type else { continue }
            for name in names where name.text != "center" {
                var object = example(kind) { $0.isNeeded || $0.name == key.name }
                object[key.name] = .string(name.text)
                #expect(try written(object, kind)[key.name] == .string(name.text))
            }
        }
    }

    @Test func `Every case of an enumeration is declared`() {
        func names(_ kind: Kind, _ name: String) -> Set<String> {
            guard case .oneOf(let names, _) = kind.key(name, for: XpediteVocabulary.audience)?.type else { return [] }
            return Set(names.map(\.text))
        }
        let aligns = Set(Align.allCases.map(\.rawValue) + ["center"])
        #expect(names(Label.vocabulary, "align") == aligns)
        #expect(names(CellColumn.vocabulary, "align") == aligns.subtracting(["justify"]))
        #expect(names(Button.vocabulary, "style") == Set(Button.Style.allCases.map(\.rawValue)))
        #expect(names(Form.vocabulary, "style") == Set(Form.Style.allCases.map(\.rawValue)))
        #expect(names(HeaderColumn.vocabulary, "scroll") == Set(HeaderColumn.Scroll.allCases.map(\.rawValue)))
        #expect(names(Preload.vocabulary, "load") == Set(Preload.Priority.allCases.map(\.rawValue)))
        #expect(names(TextBox.vocabulary, "keyboard") == Set(TextInput.Keyboard.allCases.map(\.rawValue)))
        #expect(names(TextBox.vocabulary, "returnkey") == Set(TextInput.ReturnKey.allCases.map(\.rawValue)))
        #expect(names(Implementation.vocabulary, "style") == Set(Implementation.Style.allCases.map(\.rawValue)))
        #expect(names(Implementation.vocabulary, "position") == Set(Implementation.Side.allCases.map(\.rawValue)))
    }

    @Test func `Rows of a table have the keys that are declared, and no others`() async throws {
        var configuration = XpediteConfiguration()
        configuration.readings.dataHasComponents = true
        let app = try TestApp(configuration: configuration) { app in
            app.connect { _ in page {} }
            app.table("rows", batch: 1) { _, _, _ in [["a": 1], ["a": 2]] }
        }
        let answer = try await app.send(["method": "rows", "token": .string(try await app.connect())])
        let declared = RowsPacket.vocabulary.keys.filter(\.isWritten).map(\.name)
        #expect(answer.object?.keys.sorted() == declared.sorted())
    }

    @Test(arguments: vocabulary.kinds)
    func `Every kind, key and name has a meaning, a sentence long`(kind: Kind) {
        let names = kind.keys.flatMap { key in
            if case .oneOf(let names, _) = key.type { names.map(\.meaning) } else { [String]() }
        }
        for meaning in [kind.meaning] + kind.keys.map(\.meaning) + names {
            #expect(meaning.hasSuffix(".") && meaning.first?.isUppercase == true, "\(meaning)")
        }
    }
}

/// The values that something is made with, by the keys of the wire.
private struct Values {
    let object: JSONObject

    func text(_ key: String) -> String? { object[key]?.string }
    func bool(_ key: String) -> Bool? { object[key]?.bool }
    func number(_ key: String) -> Double? { object[key]?.number?.double }
    func count(_ key: String) -> Int? { object[key]?.number?.int64.map { Int($0) } }
    func name<Value: RawRepresentable<String>>(_ key: String, _ type: Value.Type) -> Value? {
        text(key).flatMap(Value.init(rawValue:))
    }
    func inner(_ key: String) -> Values { Values(object: object[key]?.object ?? [:]) }
    func list(_ key: String) -> [Values] { (object[key]?.array ?? []).compactMap(\.object).map(Values.init) }

    var method: Method? { method("method") }
    func method(_ key: String) -> Method? {
        object[key]?.object.map(Values.init).map { values in
            Method(values.text("function") ?? "", values.object["parameters"]?.object)
                .formdata(values.bool("formdata")).navigation(values.text("navigation"))
                .selected(values.text("selected"))
        }
    }

    var implementation: Implementation {
        Implementation(
            name("style", Implementation.Style.self) ?? .button,
            name("position", Implementation.Side.self) ?? .left,
            icon: text("icon"),
            image: text("image")
        )
    }

    var size: Size {
        Size(
            width: number("width").map(Length.points) ?? number("width%").map(Length.percent)
                ?? number("relative-width%").map(Length.relative),
            height: number("height").map(Length.points) ?? number("height%").map(Length.percent)
                ?? number("relative-height%").map(Length.relative),
            x: number("x").map(Position.points) ?? number("x%").map(Position.percent)
                ?? number("x+").map(Position.after) ?? (object["centrex"] == nil ? nil : .centre),
            y: number("y").map(Position.points) ?? number("y%").map(Position.percent)
                ?? number("y+").map(Position.after) ?? (object["centrey"] == nil ? nil : .centre)
        )
    }

    var defaults: Defaults {
        Defaults(font: text("font"), fontsize: count("fontsize"), background: text("background"))
    }

    var preload: Preload {
        Preload(id: text("id") ?? "", url: text("url") ?? "", load: name("load", Preload.Priority.self))
    }

    /// The vocabulary's example of a component is an image, and of a field a section.
    var components: [any Component] { list("components").map { image(url: $0.text("url") ?? "") } }
    var fields: [any FormField] { list("components").map { section($0.text("title") ?? "") } }
    var cells: [CellColumn] { list("cell").map(\.cell) }
    var headings: [HeaderColumn] { list("header").map(\.heading) }
    var entries: [MenuEntry] { list("components").map(\.entry) }

    var cell: CellColumn {
        styled(Xpedite.cell(text("field") ?? "").width(number("width%")).lines(count("lines")))
    }
    var heading: HeaderColumn {
        styled(
            Xpedite.heading(text("text") ?? "").width(number("width%")).lines(count("lines"))
                .scroll(name("scroll", HeaderColumn.Scroll.self))
        )
    }
    var entry: MenuEntry {
        MenuEntry(text: text("text"), method: method).icon(text("icon")).symbol(text("symbol"))
    }

    func styled<Styled: TextStyled>(_ made: Styled) -> Styled {
        made.color(text("color")).font(text("font")).fontsize(count("fontsize")).align(name("align", Align.self))
    }

    func placed<Placed: Part & Sized>(_ made: Placed) -> Placed {
        made.id(text("id")).size(object["size"] == nil ? nil : inner("size").size)
    }

    func input<Input: TextInputComponent>(_ made: Input) -> Input {
        let input = styled(placed(made)).title(text("title")).placeholder(text("placeholder")).value(text("value"))
            .keyboard(name("keyboard", TextInput.Keyboard.self)).onEnter(text("onEnter"))
            .returnkey(name("returnkey", TextInput.ReturnKey.self))
        return input.autotextDisabled(text("autotext") == "disable").focus(bool("focus") ?? false)
    }
}

/// Makes each kind of the vocabulary through the DSL.
private enum Sample {
    typealias Maker = @Sendable (Values, inout JSONWriter) throws -> Void

    static let all = parts.merging(others) { _, other in other }

    private static let parts: [String: Maker] = [
        "label": { values, writer in
            values.styled(values.placed(label(values.text("text") ?? ""))).background(values.text("background"))
                .encode(into: &writer)
        },
        "image": { values, writer in
            var made = values.text("url").map { image(url: $0) } ?? image(id: "")
            made = values.placed(made)
            made.encode(into: &writer)
        },
        "button": { values, writer in
            let made = values.text("text").map { button($0) } ?? button(icon: "")
            values.styled(values.placed(made)).icon(values.text("icon")).style(values.name("style", Button.Style.self))
                .method(values.method).background(values.text("background")).encode(into: &writer)
        },
        "textbox": { values, writer in values.input(textbox(values.text("name") ?? "")).encode(into: &writer) },
        "password": { values, writer in values.input(password(values.text("name") ?? "")).encode(into: &writer) },
        "scrollview": { values, writer in
            values.placed(scrollview { values.components }).background(values.text("background")).encode(into: &writer)
        },
        "web": { values, writer in
            let made = values.text("web").map { web(url: $0) } ?? web(content: values.text("content") ?? "")
            values.placed(made).background(values.text("background")).encode(into: &writer)
        },
        "table": { values, writer in
            var made = values.placed(table(values.inner("data").text("dynamic") ?? "") { values.cells })
                .header { values.headings }.refresh(values.text("refresh")).background(values.text("background"))
            if let method = values.method("clickRow") { made = made.clickRow(method) }
            made.encode(into: &writer)
        },
        "form": { values, writer in
            values.placed(form { values.fields }).style(values.name("style", Form.Style.self))
                .title(values.text("title")).save(values.method("save"), values.text("saveNavigation"))
                .cancel(values.method("cancel"), values.text("cancelNavigation")).encode(into: &writer)
        },
        "navigation": { values, writer in
            let implementation = values.object["implementation"] == nil ? nil : values.inner("implementation")
            Navigation(implementation: implementation?.implementation, id: values.text("id"), entries: values.entries)
                .shade(values.inner("effects").number("shade%")).encode(into: &writer)
        },
        "section": { values, writer in
            values.placed(section(values.text("title") ?? "")).encode(into: &writer)
        },
        "textview": { values, writer in
            values.placed(textview(values.text("name") ?? "")).title(values.text("title"))
                .placeholder(values.text("placeholder")).value(values.text("value")).encode(into: &writer)
        },
        "checkbox": { values, writer in
            values.placed(checkbox(values.text("name") ?? "")).title(values.text("title"))
                .value(values.text("value").map { $0 == "1" }).encode(into: &writer)
        },
        "date": { values, writer in
            values.placed(date(values.text("name") ?? "")).title(values.text("title")).value(values.text("value"))
                .encode(into: &writer)
        },
        "select": { values, writer in
            let options = values.inner("options").object.members.map { ($0.key, $0.value.string ?? "") }
            values.placed(select(values.text("name") ?? "", options: Dictionary(uniqueKeysWithValues: options)))
                .title(values.text("title")).value(values.text("value")).encode(into: &writer)
        },
        "radio": { values, writer in
            let options = values.inner("options").object.members.map { ($0.key, $0.value.string ?? "") }
            values.placed(radio(values.text("name") ?? "", options: Dictionary(uniqueKeysWithValues: options)))
                .title(values.text("title")).value(values.text("value")).encode(into: &writer)
        },
    ]

    private static let others: [String: Maker] = [
        "page": { values, writer in
            var made = page(values.text("title")) { values.components }
                .rc(values.count("rc") ?? 0).id(values.text("id")).background(values.text("background"))
                .images(values.list("images").map(\.preload)).time(values.count("time"))
            if let seconds = values.inner("disposition").count("seconds") {
                made = made.disposition(.expiry(seconds: seconds))
            }
            if values.object["setDefaults"] != nil { made = made.setDefaults(values.inner("setDefaults").defaults) }
            Packet(made, version: values.count("version"), token: values.text("token")).encode(into: &writer)
        },
        "disposition": { values, writer in
            Disposition.expiry(seconds: values.count("seconds") ?? 0).encode(into: &writer)
        },
        "setDefaults": { values, writer in values.defaults.encode(into: &writer) },
        "preload": { values, writer in values.preload.encode(into: &writer) },
        "data": { values, writer in
            let made = try JSONValue(parsing: table(values.text("dynamic") ?? "").bytes)
            writer.value(made["data"] ?? .null)
        },
        "cell": { values, writer in values.cell.encode(into: &writer) },
        "header": { values, writer in values.heading.encode(into: &writer, scroll: nil) },
        "implementation": { values, writer in values.implementation.encode(into: &writer) },
        "effects": { values, writer in
            let made = slideFrom(.left) {}.shade(values.number("shade%"))
            writer.value(try JSONValue(parsing: made.bytes)["effects"] ?? [:])
        },
        "menuEntry": { values, writer in values.entry.encode(into: &writer) },
        "method": { values, writer in
            Values(object: ["method": .object(values.object)]).method?.encode(into: &writer)
        },
        "size": { values, writer in
            let made = try JSONValue(parsing: label("").size(values.size).bytes)
            writer.value(made["size"] ?? .null)
        },
    ]
}
