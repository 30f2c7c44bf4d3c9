import BacklotJSON

/// What clients need of a widget is there, and what they read is of the type that they expect.
struct WidgetKeys: DocumentRule {
    /// What a value must be.
    private enum ValueType: String {
        case string = "a string"
        case bool = "true or false"
        case array = "an array"

        func matches(_ value: JSONValue) -> Bool {
            switch self {
            case .string: value.string != nil
            case .bool: value.bool != nil
            case .array: value.array != nil
            }
        }
    }

    private struct Keys {
        var required: [(key: String, type: ValueType)] = []
        var optional: [(key: String, type: ValueType)] = []
    }

    func check(_ document: CheckedDocument, _ remarks: inout Remarks) {
        for node in document.nodes {
            switch node.part {
            case .document, .configuration: break
            case .option: check(node, Keys(required: [("id", .string), ("text", .string)]), &remarks)
            case .widget:
                guard let kind = node.kind else { continue }
                check(node, Self.keys(of: kind, document.dialect), &remarks)
            }
        }
    }

    private static func keys(of kind: WidgetKind, _ dialect: Dialect) -> Keys {
        switch kind {
        case .text:
            Keys(
                required: [("text", .string)],
                optional: [("textColor", .string), ("textStyle", .string), ("showDisclosure", .bool)]
            )
        case .image: Keys(required: [("image", .string)])
        case .button:
            Keys(required: [("text", .string)], optional: [("foregroundColor", .string), ("backgroundColor", .string)])
        case .information where dialect.platform == .android:
            Keys(required: [("text", .string)], optional: [("image", .string)])
        case .information: Keys(required: [("text", .string), ("hideable", .bool)], optional: [("image", .string)])
        case .toggle: Keys(required: [("text", .string), ("key", .string)])
        case .section: Keys(required: [("header", .string), ("items", .array)])
        case .navigation: Keys(required: [("text", .string), ("resource", .string)])
        case .multiValue: Keys(required: [("text", .string), ("values", .array)])
        case .developerMode: Keys(required: [("items", .array)])
        case .customerCard where dialect.platform == .android:
            Keys(required: [("text", .string)], optional: [("projectId", .string)])
        case .customerCard, .lastPurchases: Keys(optional: [("projectId", .string)])
        case .locationPermission, .startShopping, .allStores, .connectWifi, .version: Keys()
        }
    }

    private func check(_ node: WireNode, _ keys: Keys, _ remarks: inout Remarks) {
        let noun = node.part == .option ? "An option" : "A \(node.type)"
        for (key, type) in keys.required {
            guard node.value(key) == nil else { continue }
            remarks.error(
                "missing-key",
                node,
                key,
                "\(noun) needs \"\(key)\", and clients refuse the whole document without it.",
                fix: "Add \"\(key)\", \(type.rawValue)."
            )
        }
        for (key, type) in keys.required + keys.optional {
            guard let value = node.value(key), !type.matches(value) else { continue }
            remarks.error(
                "wrong-type",
                node,
                key,
                "\"\(key)\" is \(value.summary), and must be \(type.rawValue).",
                fix: "Write \(type.rawValue)."
            )
        }
    }
}
