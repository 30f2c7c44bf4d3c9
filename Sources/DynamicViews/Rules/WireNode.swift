import BacklotJSON

/// An object in a document that rules are about.
struct WireNode {
    enum Part {
        case document, configuration, widget, option
    }

    let part: Part
    let object: JSONObject
    /// The way from the document, for people.
    let steps: [String]
    /// The way from the document's root (RFC 6901).
    let pointer: String
    /// Where it is among the document's nodes.
    let index: Int

    /// What stands under `type`; empty where there is no string.
    var type: String { object["type"]?.string ?? "" }

    /// The kind of a widget; nil for one that clients don't know, and for what is none.
    var kind: WidgetKind? { part == .widget ? WidgetKind(wire: type) : nil }

    /// The string under a key; nil where there is none.
    func string(_ key: String) -> String? { object[key]?.string }

    /// What stands under a key, but for `null`.
    func value(_ key: String) -> JSONValue? {
        guard let value = object[key], !value.isNull else { return nil }
        return value
    }
}
