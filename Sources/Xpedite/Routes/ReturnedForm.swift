import Backlot

/// The forms that were sent last in a session, each with its whole page, to check the values that come back and to send the form
/// again.
struct SentForms: Codable, Sendable, Equatable {
    struct Sent: Codable, Sendable, Equatable {
        /// The ids of the forms on the page.
        let forms: [String]
        /// The page's packet, as JSON.
        let page: String
    }

    /// The pages, the newest at the end.
    private(set) var pages: [Sent] = []

    /// The page that a form was sent on; nil for a forgotten one.
    func page(of form: String) -> JSONObject? {
        guard let sent = pages.last(where: { $0.forms.contains(form) }) else { return nil }
        return (try? JSONValue(parsing: sent.page))?.object
    }

    /// Keeps a page, and forgets the oldest pages beyond `limit` bytes.
    mutating func add(_ page: [UInt8], forms: [String], limit: Int) {
        pages.removeAll { !Set($0.forms).isDisjoint(with: forms) }
        pages.append(Sent(forms: forms, page: String(decoding: page, as: UTF8.self)))
        while pages.reduce(0, { $0 + $1.page.utf8.count }) > limit { pages.removeFirst() }
    }
}

/// The place of the forms in the session.
enum SentFormsKey: SessionKey {
    static let name = "xpedite.forms"
    typealias Value = SentForms
}

/// A form that is sent again, with the typed values and with messages.
struct ReturnedForm {
    let page: JSONObject
    let form: String
    let readings: ExchangeReadings

    /// The fields of the form.
    var fields: [JSONObject] {
        components.flatMap { ($0["components"]?.array ?? []).compactMap(\.object) }
    }

    /// The method that saves the form; nil for a form that can't be saved.
    var save: String? { function("save") }

    /// The method that leaves the form; nil for a form without one.
    var cancel: String? { function("cancel") }

    private func function(_ key: String) -> String? {
        components.lazy.compactMap { $0[key]?["function"]?.string }.first
    }

    private var components: [JSONObject] {
        var forms: [JSONObject] = []
        visit(page["components"]?.array ?? []) { forms.append($0) }
        return forms
    }

    /// The problems of the values, by the names of their fields: each value is compared with the field that was sent.
    func problems(with values: JSONObject) -> [String: String] {
        var problems: [String: String] = [:]
        for field in fields {
            guard let name = field["name"]?.string, let value = values[name], !value.isNull, value != "" else {
                continue
            }
            problems[name] = Self.advice(about: value, in: field)
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
        if let value = values[name], isKept(value, object) { object["value"] = Self.wireValue(of: value, in: object) }
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

    /// Whether a value goes back into its field. A value that the field can't have would break the page.
    private func isKept(_ value: JSONValue, _ field: JSONObject) -> Bool {
        if field["type"] == "password", !readings.returnsPasswords { return false }
        return !value.isNull && Self.advice(about: value, in: field) == nil
    }

    /// A value as fields have it: clients send a checkbox in several ways, but read one.
    private static func wireValue(of value: JSONValue, in field: JSONObject) -> JSONValue {
        guard field["type"] == "checkbox", let isOn = InputDecoder.isOn(value) else { return value }
        return isOn ? "1" : "0"
    }

    /// Advice for people about a value that a field can't have; nil for a value that it can have.
    private static func advice(about value: JSONValue, in field: JSONObject) -> String? {
        switch field["type"]?.string {
        case "checkbox": InputDecoder.isOn(value) == nil ? "switch it on or off" : nil
        case "date": value.string.flatMap { Day($0) } == nil ? "pick a date" : nil
        case "select", "radio":
            if let options = field["options"]?.object, value.string.flatMap({ options[$0] }) == nil {
                "choose one of the options"
            } else {
                nil
            }
        case "textbox", "password", "textview": value.string == nil ? "write a text" : nil
        default: nil
        }
    }
}
