import Applin
import Backlot

/// A page as plain JSON, as a client that knows nothing of this project's types reads it.
struct PageJSON {
    /// An action, whatever the dialect.
    struct Action {
        let typ: String
        let argument: String?
    }

    let value: JSONValue
    let dialect: Dialect

    /// The strings under a key, wherever they are.
    func strings(_ key: String) -> [String] {
        var found: [String] = []
        collect(key, in: value) { if let string = $0.string { found.append(string) } }
        return found
    }

    /// The strings under any of some keys.
    func strings(_ keys: [String]) -> [String] { keys.flatMap(strings) }

    /// The actions of all widgets, those in modals among them.
    var actions: [Action] {
        var actions: [Action] = []
        collect("actions", in: value) { actions += ($0.array ?? []).compactMap(action) }
        return actions
    }

    /// The arguments of all actions of a kind.
    func arguments(_ typ: String) -> [String] { actions.filter { $0.typ == typ }.compactMap(\.argument) }

    /// Whether every action is written as the dialect wants it.
    var isOfItsDialect: Bool {
        var isRight = true
        collect("actions", in: value) { actions in
            for action in actions.array ?? [] where (action.string != nil) != (dialect == .documented) {
                isRight = false
            }
        }
        return isRight
    }

    /// The variable of each input, and what a client sends for it while nobody has touched it.
    var inputs: [(name: String, value: JSONValue)] {
        var inputs: [(name: String, value: JSONValue)] = []
        visit(value) { object in
            switch object["typ"]?.string {
            case "checkbox":
                inputs.append((object["var_name"]?.string ?? "", object["initial_bool"] ?? false))
            case "textfield", "selector":
                for suffix in ["", "1", "2"] {
                    guard let name = object["var_name\(suffix)"]?.string else { continue }
                    inputs.append((name, object["initial_string\(suffix)"] ?? ""))
                }
            default: break
            }
        }
        return inputs
    }

    /// All keys of all objects.
    var keys: Set<String> {
        var keys: Set<String> = []
        visit(value) { object in keys.formUnion(object.members.map(\.key)) }
        return keys
    }

    /// The only value under a key of the widget for a variable; nil where there is none.
    func input(_ varName: String, _ key: String) -> String? {
        var found: String?
        visit(value) { object in
            if object["var_name"]?.string == varName { found = object[key]?.string }
        }
        return found
    }

    private func action(_ value: JSONValue) -> Action? {
        if let text = value.string {
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            return Action(typ: parts[0], argument: parts.count > 1 ? parts[1] : nil)
        }
        guard let typ = value["typ"]?.string else { return nil }
        let argument = ["page", "url", "var_name", "string_value"].lazy.compactMap { value[$0]?.string }.first
        return Action(typ: typ, argument: argument)
    }

    private func collect(_ key: String, in value: JSONValue, _ body: (JSONValue) -> Void) {
        visit(value) { object in
            if let found = object[key] { body(found) }
        }
    }

    private func visit(_ value: JSONValue, _ body: (JSONObject) -> Void) {
        if let object = value.object {
            body(object)
            for member in object.members { visit(member.value, body) }
        }
        for element in value.array ?? [] { visit(element, body) }
    }
}
