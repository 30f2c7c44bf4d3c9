import BacklotJSON

/// The two ways to write an action: `"push:/terms"` and `{"typ":"push","page":"/terms"}`.
enum ActionForm {
    /// What a string says: the action's name, and what stands after the first colon.
    static func parts(of text: String) -> (typ: String, argument: String?) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return (text, nil) }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }

    /// The members that an action would have if it were an object.
    static func object(of text: String) -> JSONObject {
        let (typ, argument) = parts(of: text)
        var object: JSONObject = ["typ": .string(typ)]
        if let argument, let key = Schema.actions[typ]?.argument {
            object[key] = .string(argument)
        }
        return object
    }

    /// An action as JSON, in the form of a dialect; nil when the dialect has none for it, or the action isn't well-formed.
    static func json(_ action: PageNode, in dialect: Dialect) -> String? {
        guard let schema = action.schema, schema.dialects.contains(dialect) else { return nil }
        let argument = schema.argument.flatMap(action.string)
        guard schema.argument == nil || argument != nil else { return nil }
        switch dialect {
        case .objects:
            var object: JSONObject = ["typ": .string(schema.typ)]
            if let key = schema.argument {
                object[key] = argument.map(JSONValue.string)
            }
            return JSONValue.object(object).description
        case .documented:
            let text = JSONValue.string(argument.map { "\(schema.typ):\($0)" } ?? schema.typ).description
            return action.object["on_user_error_poll"]?.bool == true ? "\(text), \"on_user_error_poll\"" : text
        }
    }
}
