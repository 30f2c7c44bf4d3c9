import BacklotJSON
import FoundationEssentials

@testable import Xpedite

/// The values that something is made with, by the keys of the wire.
struct Values {
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

    var options: [String: String] {
        Dictionary(uniqueKeysWithValues: inner("options").object.members.map { ($0.key, $0.value.string ?? "") })
    }

    var method: MethodCall? { method("method") }
    func method(_ key: String) -> MethodCall? {
        object[key]?.object.map(Values.init).map { values in
            MethodCall(values.text("function") ?? "", values.object["parameters"]?.object)
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
                ?? number("x+").map(Position.after) ?? (object["centrex"] == nil ? nil : .center),
            y: number("y").map(Position.points) ?? number("y%").map(Position.percent)
                ?? number("y+").map(Position.after) ?? (object["centrey"] == nil ? nil : .center)
        )
    }

    var defaults: Defaults {
        Defaults(font: text("font"), fontsize: count("fontsize"), background: text("background"))
    }

    var preload: Preload {
        Preload(id: text("id") ?? "", url: text("url") ?? "", load: name("load", Preload.Priority.self))
    }

    var components: [any Component] { list("components").compactMap { Sample.part($0) as? any Component } }
    var fields: [any FormField] { list("components").compactMap { Sample.part($0) as? any FormField } }
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

    func styled<Styled: Aligned>(_ made: Styled) -> Styled {
        made.color(text("color")).font(text("font")).fontsize(count("fontsize")).align(name("align", Align.self))
    }

    func styled<Styled: Column>(_ made: Styled) -> Styled {
        made.color(text("color")).font(text("font")).fontsize(count("fontsize")).align(name("align", ColumnAlign.self))
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
enum Sample {
    /// The JSON that the DSL makes with the values of an object; nil for an unknown kind.
    static func json(_ kind: String, _ object: JSONObject) throws -> JSONValue? {
        let values = Values(object: object)
        if let make = parts[kind] { return try JSONValue(parsing: make(values).bytes) }
        guard let write = others[kind] else { return nil }
        var writer = JSONWriter()
        try write(values, &writer)
        return try JSONValue(parsing: writer.bytes)
    }

    /// The component or field that an object describes.
    static func part(_ values: Values) -> (any Part)? {
        parts[values.text("type") ?? ""].map { $0(values) }
    }

    private static let parts: [String: @Sendable (Values) -> any Part] = [
        "label": { values in
            values.styled(values.placed(label(values.text("text") ?? ""))).background(values.text("background"))
        },
        "image": { values in
            values.placed(values.text("url").map { image(url: $0) } ?? image(id: ""))
        },
        "button": { values in
            let made = values.text("text").map { button($0) } ?? button(icon: "")
            return values.styled(values.placed(made)).icon(values.text("icon")).style(
                values.name("style", Button.Style.self)
            )
            .method(values.method).background(values.text("background"))
        },
        "textbox": { values in values.input(textbox(name: values.text("name") ?? "")) },
        "password": { values in values.input(password(name: values.text("name") ?? "")) },
        "scrollview": { values in
            values.placed(scrollview { values.components }).background(values.text("background"))
        },
        "web": { values in
            let made = values.text("web").map { web(url: $0) } ?? web(content: values.text("content") ?? "")
            return values.placed(made).background(values.text("background"))
        },
        "table": { values in
            var made = values.placed(table(values.inner("data").text("dynamic") ?? "") { values.cells })
                .header { values.headings }.refresh(values.text("refresh")).background(values.text("background"))
            if let method = values.method("clickRow") { made = made.clickRow(method) }
            return made
        },
        "form": { values in
            values.placed(form { values.fields }).style(values.name("style", Form.Style.self))
                .title(values.text("title")).save(values.method("save"), values.text("saveNavigation"))
                .cancel(values.method("cancel"), values.text("cancelNavigation"))
        },
        "navigation": { values in
            let implementation = values.object["implementation"] == nil ? nil : values.inner("implementation")
            return Navigation(
                implementation: implementation?.implementation,
                entries: values.entries,
                id: values.text("id")
            )
            .shade(values.inner("effects").number("shade%"))
        },
        "section": { values in
            values.placed(section(values.text("title") ?? ""))
        },
        "textview": { values in
            values.placed(textview(name: values.text("name") ?? "")).title(values.text("title"))
                .placeholder(values.text("placeholder")).value(values.text("value"))
        },
        "checkbox": { values in
            values.placed(checkbox(name: values.text("name") ?? "")).title(values.text("title"))
                .value(values.text("value").map { $0 == "1" })
        },
        "date": { values in
            values.placed(date(name: values.text("name") ?? "")).title(values.text("title")).value(values.text("value"))
        },
        "select": { values in
            values.placed(select(name: values.text("name") ?? "", options: values.options))
                .title(values.text("title")).value(values.text("value"))
        },
        "radio": { values in
            values.placed(radio(name: values.text("name") ?? "", options: values.options))
                .title(values.text("title")).value(values.text("value"))
        },
    ]

    private static let others: [String: @Sendable (Values, inout JSONWriter) throws -> Void] = [
        "page": { values, writer in
            var made = page(values.text("title")) { values.components }
                .rc(values.count("rc") ?? 0).id(values.text("id")).background(values.text("background"))
                .images(values.list("images").map(\.preload)).time(
                    values.count("time").map { Date(timeIntervalSince1970: Double($0)) }
                )
            if values.text("disposition") == "permanent" { made = made.disposition(.permanent) }
            if let seconds = values.inner("disposition").count("seconds") {
                made = made.disposition(.expiry(.seconds(seconds)))
            }
            if values.object["setDefaults"] != nil { made = made.setDefaults(values.inner("setDefaults").defaults) }
            writer.object { Packet(made, version: values.count("version"), token: values.text("token")).keys(&$0) }
        },
        "disposition": { values, writer in
            Disposition.expiry(.seconds(values.count("seconds") ?? 0)).encode(into: &writer)
        },
        "setDefaults": { values, writer in writer.object { values.defaults.keys(&$0) } },
        "preload": { values, writer in writer.object { values.preload.keys(&$0) } },
        "data": { values, writer in
            let made = try JSONValue(parsing: table(values.text("dynamic") ?? "").bytes)
            writer.value(made["data"] ?? .null)
        },
        "cell": { values, writer in writer.object { values.cell.keys(&$0) } },
        "header": { values, writer in writer.object { values.heading.keys(&$0) } },
        "implementation": { values, writer in writer.object { values.implementation.keys(&$0) } },
        "effects": { values, writer in
            let made = slideFrom(.left) {}.shade(values.number("shade%"))
            writer.value(try JSONValue(parsing: made.bytes)["effects"] ?? [:])
        },
        "menuEntry": { values, writer in writer.object { values.entry.keys(&$0) } },
        "method": { values, writer in
            let method = Values(object: ["method": .object(values.object)]).method
            writer.object { method?.keys(&$0) }
        },
        "size": { values, writer in
            let made = try JSONValue(parsing: label("").size(values.size).bytes)
            writer.value(made["size"] ?? .null)
        },
    ]
}
