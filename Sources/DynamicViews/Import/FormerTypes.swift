import BacklotJSON

/// Gives widgets whose types have names of earlier days the names of today.
struct FormerTypes {
    private(set) var changes: [ImportChange] = []

    /// The document, or a widget by itself, with the names of today.
    mutating func renamed(inDocument value: JSONValue) -> JSONValue {
        guard var object = value.object else { return value }
        if object["type"] != nil { return renamed(value, at: "") }
        rename(in: "widgets", of: &object, at: "")
        return .object(object)
    }

    private mutating func renamed(_ widget: JSONValue, at pointer: String) -> JSONValue {
        guard var object = widget.object else { return widget }
        if let type = object["type"]?.string, let kind = WidgetKind.formerTypes[type] {
            object["type"] = .string(kind.rawValue)
            changes.append(.formerType(pointer: "\(pointer)/type", from: type, to: kind.rawValue))
        }
        rename(in: "items", of: &object, at: pointer)
        return .object(object)
    }

    private mutating func rename(in key: String, of object: inout JSONObject, at pointer: String) {
        guard let widgets = object[key]?.array else { return }
        var renamed: [JSONValue] = []
        for (index, widget) in widgets.enumerated() {
            renamed.append(self.renamed(widget, at: "\(pointer)/\(key)/\(index)"))
        }
        object[key] = .array(renamed)
    }
}
