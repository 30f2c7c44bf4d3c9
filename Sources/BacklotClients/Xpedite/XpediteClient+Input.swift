public import Backlot

extension XpediteClient {
    /// Sets the initial values of the page's fields.
    func fillIn() {
        values = [:]
        for component in components {
            switch component["type"]?.string {
            case "textbox", "password": setFirst(component, in: "")
            case "form":
                let form = component["id"]?.string ?? ""
                for field in component["components"]?.array ?? [] { field.object.map { setFirst($0, in: form) } }
            default: break
            }
        }
    }

    private func setFirst(_ field: JSONObject, in form: String) {
        guard let name = field["name"]?.string else { return }
        switch field["type"]?.string {
        case "textbox", "password", "textview": values[form, default: [:]][name] = field["value"] ?? ""
        case "checkbox": values[form, default: [:]][name] = field["value"] ?? "0"
        default: values[form, default: [:]][name] = field["value"]
        }
    }

    /// The value of `formdata`: each form's values under its id, with the values of other inputs beside them.
    var allValues: JSONObject {
        var all = values[""] ?? [:]
        for form in values.keys.sorted() where !form.isEmpty { all[form] = .object(formValues(form)) }
        return all
    }

    /// The values of a form, in the form that the client sends.
    func formValues(_ form: String) -> JSONObject {
        var sent = values[form] ?? [:]
        for (owner, field) in inputs where owner == form && field["type"] == "checkbox" {
            guard let name = field["name"]?.string, let value = sent[name] else { continue }
            sent[name] = configuration.checkbox.value(of: value == "1")
        }
        return sent
    }

    /// Types a text into a field, chosen by its name, title or placeholder.
    public func enter(_ text: String, into field: String, file: String = #fileID, line: Int = #line) throws {
        try set(.string(text), field, ["textbox", "password", "textview"], StepCall("enter(\"\(text)\")", file, line))
    }

    /// Turns a checkbox on, chosen by its name or title.
    public func check(_ field: String, file: String = #fileID, line: Int = #line) throws {
        try set("1", field, ["checkbox"], StepCall("check(\"\(field)\")", file, line))
    }

    /// Turns a checkbox off, chosen by its name or title.
    public func uncheck(_ field: String, file: String = #fileID, line: Int = #line) throws {
        try set("0", field, ["checkbox"], StepCall("uncheck(\"\(field)\")", file, line))
    }

    /// Picks a date in the format `yyyy-MM-dd`, for a field chosen by its name or title.
    public func pick(_ day: String, for field: String, file: String = #fileID, line: Int = #line) throws {
        try set(.string(day), field, ["date"], StepCall("pick(\"\(day)\")", file, line))
    }

    /// Chooses an option by its text, in a field chosen by its name or title.
    public func choose(_ option: String, from field: String, file: String = #fileID, line: Int = #line) throws {
        let step = StepCall("choose(\"\(option)\")", file, line)
        let (_, object) = try find(field, ["select", "radio"], step)
        let options = object["options"]?.object ?? [:]
        guard let key = options.members.first(where: { $0.value.string == option })?.key else {
            let texts = options.members.compactMap(\.value.string).joined(separator: ", ")
            throw failure(step, "unknown option \"\(option)\"; the options are \(texts)")
        }
        try set(.string(key), field, ["select", "radio"], step)
    }

    /// The value of a field, chosen by its name or title; nil if it has no value.
    public func value(of field: String) -> JSONValue? {
        guard let (form, object) = inputs.first(where: { Self.isCalled($0.field, field) }) else { return nil }
        return object["name"]?.string.flatMap { values[form]?[$0] }
    }

    private var inputs: [(form: String, field: JSONObject)] {
        components.flatMap { component -> [(form: String, field: JSONObject)] in
            switch component["type"]?.string {
            case "textbox", "password": return [("", component)]
            case "form":
                let form = component["id"]?.string ?? ""
                return (component["components"]?.array ?? []).compactMap { $0.object.map { (form, $0) } }
            default: return []
            }
        }
    }

    private static func isCalled(_ field: JSONObject, _ name: String) -> Bool {
        guard field["name"] != nil else { return false }
        return ["name", "title", "placeholder"].contains { field[$0]?.string == name }
    }

    private func find(
        _ name: String,
        _ types: Set<String>,
        _ step: StepCall
    ) throws -> (form: String, field: JSONObject) {
        let all = inputs.filter { types.contains($0.field["type"]?.string ?? "") }
        guard let found = all.first(where: { Self.isCalled($0.field, name) }) else {
            let names = all.compactMap { $0.field["title"]?.string ?? $0.field["name"]?.string }
            throw missing(step, "no field for it is called", name, among: names)
        }
        return found
    }

    private func set(_ value: JSONValue, _ name: String, _ types: Set<String>, _ step: StepCall) throws {
        let (form, field) = try find(name, types, step)
        guard let name = field["name"]?.string else { return }
        values[form, default: [:]][name] = value
    }
}
