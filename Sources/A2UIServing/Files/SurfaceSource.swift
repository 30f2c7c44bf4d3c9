import A2UI
package import Backlot

/// Writes the surface of a server's messages in Swift: its model, its actions, and its tree.
package struct SurfaceSource {
    /// The Swift type of a value of the model.
    private indirect enum ModelType {
        case string, bool, int, double
        case list(ModelType)
        case object(name: String, members: [(name: String, type: ModelType)])
        /// A value without a type, such as null.
        case unknown
    }

    private let surface: Surface
    private let version: ProtocolVersion
    private let components: [String: Component]
    private var model: DataModel
    private var type = ModelType.unknown
    /// The element of the innermost template.
    private var scope: (name: String, type: ModelType)?
    private var structs: [String] = []
    private var actions: [(name: String, constant: String, context: String?)] = []
    /// The names that mean something else in the code: parameters, the functions of components, and constants.
    private var takenNames: Set<String> = [
        "_", "app", "audioPlayer", "button", "card", "checkBox", "choicePicker", "column", "dateTimeInput", "divider",
        "icon", "image", "item", "list", "m", "modal", "row", "slider", "tabs", "text", "textField", "turn", "video",
    ]
    private var omissions: [SwiftSource.Omission] = []

    /// The code of the first surface that messages make.
    package static func source(of document: JSONValue) throws(DocumentError) -> SwiftSource {
        var processor = Processor()
        // Beside its messages, a document may have a name.
        if let error = processor.apply(document["messages"] ?? document).first {
            throw DocumentError(pointer: error.path, problem: "is wrong: \(error.message)")
        }
        guard let surface = processor.surfaces.values.min(by: { $0.id < $1.id }), surface.components["root"] != nil
        else {
            throw DocumentError(pointer: "", problem: "makes no surface with a component \"root\"")
        }
        var source = SurfaceSource(surface)
        return source.written()
    }

    private init(_ surface: Surface) {
        (self.surface, version, components, model) = (surface, surface.version, surface.components, surface.model)
    }

    private mutating func omit(_ id: String, _ text: String) {
        omissions.append(SwiftSource.Omission(pointer: "/\(id)", text: text))
    }

    private mutating func written() -> SwiftSource {
        addMissingValues()
        let (id, name) = (Self.identifier(surface.id), constant(surface.id, "Surface"))
        let typeName = "\(id.capitalizedFirst)Model"
        type = modelType(model.value, typeName)
        let tree = element("root")
        var lines = structs + declaration(of: type, model.value) + [""]
        for action in actions {
            lines.append(
                "let \(action.constant) = SurfaceAction<\(action.context ?? "NoContext")>(\(action.name.swiftLiteral))"
            )
        }
        if !actions.isEmpty { lines.append("") }
        let declares = actions.isEmpty ? "" : "let \(name) = "
        lines.append("\(declares)app.surface(\(id.swiftLiteral)) { _ in")
        lines += ["    \(typeName)()", "} tree: { m in"] + tree.map { "    \($0)" } + ["}"]
        for action in actions { lines.append("\(name).on(\(action.constant)) { _, turn in }") }
        let notes = omissions.map { "// \($0.pointer.swiftComment): \($0.text.swiftComment)" }
        return SwiftSource(text: (lines + notes).joined(separator: "\n") + "\n", omissions: omissions)
    }

    private static func identifier(_ text: String) -> String {
        let name = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return name.first?.isNumber == false ? name : "_\(name)"
    }

    /// Whether a property of a type can have this name.
    private static func isPropertyName(_ key: String) -> Bool { key == identifier(key) && key != "_" }

    /// A new constant for a surface or an action: its identifier, with the noun behind a name that the code can't have.
    private mutating func constant(_ name: String, _ noun: String) -> String {
        var name = Self.identifier(name)
        while name.isSwiftKeyword || !takenNames.insert(name).inserted { name += noun }
        return name
    }

    // MARK: The model

    /// Adds a value for each path that an input or a list is bound to, and that the model lacks.
    private mutating func addMissingValues() {
        let tables = Catalog.basicComponents(version)
        for (_, component) in components.sorted(by: { $0.key < $1.key }) {
            for property in tables.first(where: { $0.name == component.type })?.properties ?? [] {
                guard let value = component.properties[property.name] else { continue }
                let usual: JSONValue
                switch property.type {
                case .dynamic(.boolean): usual = false
                case .dynamic(.number): usual = 0
                case .dynamic(.stringList), .children: usual = []
                case .dynamic, .dateTime: usual = ""
                default: continue
                }
                guard let path = value[version.isOne ? "@path" : "path"]?.string ?? value["path"]?.string,
                    path.hasPrefix("/"), model[DataPath(path)] == nil
                else { continue }
                try? model.set(usual, at: DataPath(path))
            }
        }
    }

    private func modelType(_ value: JSONValue, _ name: String) -> ModelType {
        switch value {
        case .null: return .unknown
        case .string: return .string
        case .bool: return .bool
        case .number(let number): return number.isWhole ? .int : .double
        case .array(let elements): return .list(elements.first.map { modelType($0, name) } ?? .string)
        case .object(let object):
            let members = object.members.filter { Self.isPropertyName($0.key) }.map { member in
                let inner = member.key.capitalizedFirst
                return (member.key, modelType(member.value, inner.isSwiftKeyword ? "\(inner)Value" : inner))
            }
            return .object(name: name, members: members)
        }
    }

    /// The declaration of a struct, with those of its members' types in it.
    private func declaration(of type: ModelType, _ value: JSONValue) -> [String] {
        guard case .object(let name, let members) = type else { return [] }
        var lines: [String] = []
        for member in members {
            let (inner, part) = (Self.element(of: member.type), value[member.name] ?? .null)
            lines += declaration(of: inner, part.array?.first ?? part)
        }
        for member in members {
            switch member.type {
            case .unknown: lines.append("var \(member.name.inCode): String?")
            case .list where value[member.name]?.array?.isEmpty == true:
                lines.append("var \(member.name.inCode): [String] = []")
            default: lines.append("var \(member.name.inCode) = \(literal(value[member.name] ?? .null, member.type))")
            }
        }
        return ["struct \(name): Codable, Sendable {"] + lines.map { "    \($0)" } + ["}"]
    }

    private static func element(of type: ModelType) -> ModelType {
        if case .list(let element) = type { Self.element(of: element) } else { type }
    }

    private func literal(_ value: JSONValue, _ type: ModelType) -> String {
        switch (value, type) {
        case (.array(let elements), .list(let element)):
            return "[\(elements.map { literal($0, element) }.joined(separator: ", "))]"
        case (.object(let object), .object(let name, let members)):
            let arguments = members.compactMap { member in
                object[member.name].map { "\(member.name.asLabel): \(literal($0, member.type))" }
            }
            return "\(name)(\(arguments.joined(separator: ", ")))"
        case (.string(let text), _): return text.swiftLiteral
        case (.null, _): return "nil"
        default: return value.description
        }
    }

    /// The expression of a path, and its type; nil for one that Swift can't write.
    private func path(_ text: String) -> (text: String, type: ModelType)? {
        var (expression, type) = text.hasPrefix("/") ? ("m", self.type) : (scope?.name ?? "m", scope?.type ?? self.type)
        for segment in DataPath(text).segments where segment != "." {
            guard case .object(_, let members) = type, let member = members.first(where: { $0.name == segment }) else {
                return nil
            }
            (expression, type) = ("\(expression).\(segment.inCode)", member.type)
        }
        return (expression, type)
    }

    // MARK: Values

    private func binding(_ value: JSONValue) -> String? { value[version.isOne ? "@path" : "path"]?.string }
    private func call(_ value: JSONValue) -> String? { value[version.isOne ? "@call" : "call"]?.string }

    /// A value of any type, as an expression of a `Dynamic`.
    private mutating func any(_ value: JSONValue, _ id: String) -> String {
        if let text = binding(value) {
            if let found = path(text) { return found.text }
            omit(id, "the path \(text.quoted) has no form in Swift")
            return #"Dynamic("")"#
        }
        if call(value) != nil { return function(value, id, isExplicit: true) }
        return value == .null ? #"Dynamic("")"# : "Dynamic(\(literal(value, modelType(value, ""))))"
    }

    private mutating func text(_ value: JSONValue, _ id: String) -> String {
        if let text = value.string { return text.swiftLiteral }
        if let bound = binding(value), let found = path(bound) {
            if case .string = found.type { return found.text }
            return "\"\\(\(found.text))\""
        }
        return call(value) == nil ? any(value, id) : function(value, id, isExplicit: false)
    }

    private mutating func value(_ value: JSONValue, _ id: String) -> String {
        call(value) != nil
            ? function(value, id, isExplicit: false) : binding(value) != nil ? any(value, id) : value.description
    }

    /// A call, with the type of its result where the compiler can't find it.
    private mutating func function(_ value: JSONValue, _ id: String, isExplicit: Bool) -> String {
        let (name, args) = (call(value) ?? "", value["args"] ?? [:])
        if name == "formatString" { return format(args["value"] ?? "", id) }
        func result(_ type: String, _ text: String) -> String { isExplicit ? "Dynamic<\(type)>\(text)" : text }
        let first = args["value"].map { any($0, id) } ?? #"Dynamic("")"#
        let keys = Set(args.object?.keys.map { $0 } ?? [])
        switch name {
        case "required", "email", "not": return result("Bool", ".\(name)(\(first))")
        case "regex": return result("Bool", ".regex(\(first), \(literal(args["pattern"] ?? "", .string)))")
        case "length" where keys == ["value", "min", "max"], "numeric" where keys == ["value", "min", "max"]:
            return result("Bool", ".\(name)(\(first), \(args["min"] ?? 0)...\(args["max"] ?? 0))")
        case "and", "or":
            let conditions = (args["values"]?.array ?? []).map { self.value($0, id) }
            return result("Bool", ".\(name)(\(conditions.joined(separator: ", ")))")
        case "formatCurrency" where keys == ["value", "currency"]:
            return result("String", ".currency(\(first), \(text(args["currency"] ?? "", id)))")
        case "formatDate": return result("String", ".date(\(first), \(text(args["format"] ?? "", id)))")
        case "pluralize" where keys == ["value", "one", "other"]:
            let (one, other) = (text(args["one"] ?? "", id), text(args["other"] ?? "", id))
            return result("String", ".plural(\(first), one: \(one), other: \(other))")
        case "formatNumber" where keys == ["value"]: return result("String", ".number(\(first))")
        default:
            let isCheck = ["length", "numeric"].contains(name)
            let arguments = (args.object?.members ?? []).map { (name: $0.key, value: $0.value) }.map { member in
                ".with(\(member.name.swiftLiteral), \(any(member.value, id)))"
            }
            return result(isCheck ? "Bool" : "String", ".call(\(name.swiftLiteral))\(arguments.joined())")
        }
    }

    private mutating func format(_ value: JSONValue, _ id: String) -> String {
        guard let text = value.string, let parts = try? Expression.parts(of: text) else {
            return ".call(\"formatString\").with(\"value\", \(any(value, id)))"
        }
        var result = ""
        for part in parts {
            switch part {
            case .literal(let value): result += (value.string ?? value.description).swiftLiteral.dropFirst().dropLast()
            default: result += "\\(\(any(json(part), id)))"
            }
        }
        return "\"\(result)\""
    }

    private func json(_ expression: Expression) -> JSONValue {
        switch expression {
        case .literal(let value): return value
        case .path(let path): return [version.isOne ? "@path" : "path": .string(path)]
        case .call(let name, let arguments):
            let args = arguments.sorted { $0.key < $1.key }.reduce(into: JSONObject()) { $0[$1.key] = json($1.value) }
            return [version.isOne ? "@call" : "call": .string(name), "args": .object(args)]
        }
    }

    // MARK: The tree

    /// The lines of a component and of the components inside it.
    private mutating func element(_ id: String) -> [String] {
        guard let component = components[id] else {
            omit(id, "the component \(id.quoted) isn't there")
            return ["text(\"\")"]
        }
        let properties = component.properties
        func name(_ key: String, _ label: String = "") -> [String] {
            properties[key]?.string.map { ["\(label).\($0)"] } ?? []
        }
        func texts(_ keys: [(String, String)], _ writer: inout SurfaceSource) -> [String] {
            keys.compactMap { key, label in properties[key].map { "\(label)\(writer.text($0, id))" } }
        }
        var lines: [String]
        let own = texts([("label", "")], &self)
        let input = properties["value"].map { "value: \(value($0, id))" } ?? #"value: """#
        switch component.type {
        case "Text": lines = [Self.code("text", texts([("text", "")], &self) + name("variant"))]
        case "Image":
            lines = [
                Self.code(
                    "image",
                    texts([("url", ""), ("description", "description: ")], &self) + name("fit", "fit: ")
                        + name("variant")
                )
            ]
        case "Icon":
            let path = properties["name"]?["svgPath"]
            lines = [Self.code("icon", path.map { ["svgPath: \(text($0, id))"] } ?? texts([("name", "")], &self))]
        case "Video": lines = [Self.code("video", texts([("url", ""), ("posterUrl", "poster: ")], &self))]
        case "AudioPlayer":
            lines = [Self.code("audioPlayer", texts([("url", ""), ("description", "description: ")], &self))]
        case "Row", "Column":
            lines = container(
                component.type.lowercased(),
                properties["children"],
                name("justify", "justify: ") + name("align", "align: "),
                id
            )
        case "List": lines = container("list", properties["children"], name("direction") + name("align", "align: "), id)
        case "Card": lines = Self.block("card {", element(properties["child"]?.string ?? ""))
        case "Divider": lines = [Self.code("divider", name("axis"))]
        case "Tabs":
            let tabs = (properties["tabs"]?.array ?? []).map { tab in
                let child = element(tab["child"]?.string ?? "")
                return ["(\(text(tab["title"] ?? "", id)), \(child[0])"] + child.dropFirst()
            }
            let parts = tabs.enumerated().flatMap { index, tab in
                tab.dropLast() + ["\(tab[tab.count - 1]))\(index < tabs.count - 1 ? "," : "")"]
            }
            lines = Self.block("tabs(", parts, ")")
        case "Modal":
            let (trigger, content) = (
                element(properties["trigger"]?.string ?? ""), element(properties["content"]?.string ?? "")
            )
            lines = Self.block("modal {", trigger, "} content: {") + content.map { "    \($0)" } + ["}"]
        case "Button":
            let (event, child) = (action(properties["action"] ?? [:], id), properties["child"]?.string ?? "")
            let style = name("variant").filter { $0 != ".default" }
            if let title = components[child], title.type == "Text", title.properties.count == 3 {
                lines = [Self.code("button", [text(title.properties["text"] ?? "", child), event] + style)]
            } else {
                lines = Self.block("\(Self.code("button", [event] + style)) {", element(child))
            }
        case "TextField":
            lines = [
                Self.code(
                    "textField",
                    own + [input] + name("variant") + texts([("placeholder", "placeholder: ")], &self)
                )
            ]
        case "CheckBox": lines = [Self.code("checkBox", own + [input])]
        case "ChoicePicker":
            let options = (properties["options"]?.array ?? []).map { option in
                "\(literal(option["value"] ?? "", .string)): \(text(option["label"] ?? "", id))"
            }
            var arguments = own + [input, "options: [\(options.isEmpty ? ":" : options.joined(separator: ", "))]"]
            if properties["variant"] == "multipleSelection" { arguments.append("isMultiple: true") }
            arguments += name("displayStyle")
            if properties["filterable"] == true { arguments.append("isFilterable: true") }
            lines = [Self.code("choicePicker", arguments)]
        case "Slider":
            let steps = properties["steps"].map { ["steps: \($0)"] } ?? []
            lines = [
                Self.code("slider", own + [input, "\(properties["min"] ?? 0)...\(properties["max"] ?? 0)"] + steps)
            ]
        case "DateTimeInput":
            let (date, time) = (properties["enableDate"] == true, properties["enableTime"] == true)
            let parts = date == time ? ".dateAndTime" : date ? ".date" : ".time"
            lines = [
                Self.code("dateTimeInput", own + [input, parts] + texts([("min", "min: "), ("max", "max: ")], &self))
            ]
        default:
            omit(id, "\(component.type) is no component of the basic catalog")
            lines = ["text(\"\")"]
        }
        lines[lines.count - 1] += modifiers(of: component)
        return lines
    }

    private mutating func modifiers(of component: Component) -> String {
        let (properties, mark) = (component.properties, version == .v1_0 ? "@" : "")
        var text = properties["weight"].map { ".weight(\($0))" } ?? ""
        for check in properties["\(mark)checks"]?.array ?? [] {
            let condition = value(check["condition"] ?? true, component.id)
            text += ".check(\(condition), \(literal(check["message"] ?? "", .string)))"
        }
        let words = properties["\(mark)accessibility"]
        let arguments = ["label", "description"].compactMap { key in
            words?[key].map { "\(key): \(self.text($0, component.id))" }
        }
        return arguments.isEmpty ? text : text + Self.code(".accessibility", arguments)
    }

    private mutating func container(
        _ name: String,
        _ children: JSONValue?,
        _ arguments: [String],
        _ id: String
    ) -> [String] {
        guard let row = children?["componentId"]?.string else {
            let lines = (children?.array ?? []).flatMap { element($0.string ?? "") }
            return Self.block(arguments.isEmpty ? "\(name) {" : "\(Self.code(name, arguments)) {", lines)
        }
        guard let list = path(children?["path"]?.string ?? ""), case .list(let type) = list.type else {
            omit(id, "the template's list has no form in Swift")
            return ["text(\"\")"]
        }
        let outer = scope
        defer { scope = outer }
        let variable = scope == nil ? "item" : "\(scope?.name ?? "")Item"
        scope = (variable, type)
        return Self.block("\(Self.code(name, [list.text] + arguments)) { \(variable) in", element(row))
    }

    private mutating func action(_ action: JSONValue, _ id: String) -> String {
        guard let event = action["event"], let name = event["name"]?.string else {
            let call = action["functionCall"] ?? [:]
            guard self.call(call) == "openUrl" else { return ".function(\(any(call, id)))" }
            return ".openURL(\(text(call["args"]?["url"] ?? "", id)))"
        }
        let members = event["context"]?.object?.members.map { (key: $0.key, value: $0.value) } ?? []
        let context = members.filter { Self.isPropertyName($0.key) }
        for member in members where !Self.isPropertyName(member.key) {
            omit(id, "the context's key \(member.key.quoted) has no form in Swift")
        }
        let known = actions.first { $0.name == name }
        let constant = known?.constant ?? self.constant(name, "Action")
        if known == nil {
            let typeName = context.isEmpty ? nil : "\(constant.capitalizedFirst)Context"
            actions.append((name, constant, typeName))
            if let typeName {
                let members = context.map { member in
                    var type = modelType(member.value, "")
                    if let bound = binding(member.value) { type = path(bound)?.type ?? .string }
                    return "    var \(member.key.inCode) = \(Self.usual(call(member.value) == nil ? type : .string))"
                }
                structs += ["struct \(typeName): Codable, Sendable {"] + members + ["}", ""]
            }
        }
        let message = event["userMessage"].map { "(message: \(text($0, id)))" }
        guard !context.isEmpty else { return "\(constant).event\(message ?? "()")" }
        let values = context.map { "$0.\($0.key.inCode) = " + value($0.value, id) }
        return "\(constant).event\(message ?? "") { \(values.joined(separator: "; ")) }"
    }

    private static func usual(_ type: ModelType) -> String {
        switch type {
        case .bool: "false"
        case .int: "0"
        case .double: "0.0"
        case .list: "[String]()"
        default: "\"\""
        }
    }

    private static func code(_ function: String, _ arguments: [String]) -> String {
        "\(function)(\(arguments.joined(separator: ", ")))"
    }

    private static func block(_ head: String, _ lines: [String], _ end: String = "}") -> [String] {
        [head] + lines.map { "    \($0)" } + [end]
    }
}

extension String {
    /// The name of a property in the code.
    fileprivate var inCode: String { isSwiftKeyword ? "`\(self)`" : self }

    /// The label of an argument. Only three words of Swift need backticks there, and the compiler refuses them around others.
    fileprivate var asLabel: String { ["inout", "let", "var"].contains(self) ? inCode : self }
}
