import BacklotJSON

/// A form that comes back, with what was typed and with messages.
struct ReturnedForm {
    let page: JSONObject
    let form: String
    let readings: Readings

    /// The fields of the form.
    var fields: [JSONObject] {
        var fields: [JSONObject] = []
        visit(page["components"]?.array ?? []) { form in
            fields += (form["components"]?.array ?? []).compactMap(\.object)
        }
        return fields
    }

    /// What is wrong with the values, by the names of their fields, when each is compared with the field that was sent.
    func problems(with values: JSONObject) -> [String: String] {
        var problems: [String: String] = [:]
        for field in fields {
            guard let name = field["name"]?.string, let value = values[name], !value.isNull, value != "" else {
                continue
            }
            if let problem = FieldValue.problem(value, in: field) { problems[name] = problem.advice }
        }
        return problems
    }

    /// The page's packet with the values and messages in it.
    func packet(values: JSONObject, messages: [String: String], token: String) -> JSONObject {
        var packet = page
        var general = messages
        for field in fields { field["name"]?.string.map { general[$0] = nil } }
        let labels = general.sorted { $0.key < $1.key }.map { label -> JSONValue in
            ["type": "label", "text": .string(label.key.isEmpty ? label.value : "\(label.key) \(label.value)")]
        }
        packet["rc"] = .number(JSONNumber(Int64(readings.codes.returnedForm)))
        packet["token"] = .string(token)
        packet["components"] = .array(labels + patched(page["components"]?.array ?? [], values, messages))
        return packet
    }

    private func visit(_ components: [JSONValue], _ body: (JSONObject) -> Void) {
        for object in components.compactMap(\.object) {
            if object["type"] == "form", object["id"]?.string == form { body(object) }
            if object["type"] == "scrollview" { visit(object["components"]?.array ?? [], body) }
        }
    }

    private func patched(_ components: [JSONValue], _ values: JSONObject, _ messages: [String: String]) -> [JSONValue] {
        components.map { component in
            guard var object = component.object else { return component }
            let inner = object["components"]?.array ?? []
            if object["type"] == "form", object["id"]?.string == form {
                object["components"] = .array(inner.flatMap { patched(field: $0, values, messages) })
            } else if object["type"] == "scrollview" {
                object["components"] = .array(patched(inner, values, messages))
            }
            return .object(object)
        }
    }

    private func patched(field: JSONValue, _ values: JSONObject, _ messages: [String: String]) -> [JSONValue] {
        guard var object = field.object, let name = object["name"]?.string else { return [field] }
        if let value = values[name], isKept(value, object) { object["value"] = value }
        guard let message = messages[name] else { return [.object(object)] }
        let title = object["title"]?.string
        switch readings.messagePlace {
        case .title:
            object["title"] = .string(title.map { "\($0): \(message)" } ?? message)
            return [.object(object)]
        case .section:
            let text = title.map { "\($0) \(message)" } ?? message
            return [["type": "section", "title": .string(text)], .object(object)]
        }
    }

    /// Whether a value goes back into its field: one that the field can't have would make the page a broken one.
    private func isKept(_ value: JSONValue, _ field: JSONObject) -> Bool {
        if field["type"] == "password", !readings.returnsPasswords { return false }
        return value.isNull == false && FieldValue.problem(value, in: field) == nil
    }
}
