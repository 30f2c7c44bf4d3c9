import Backlot

/// The two ways to write an action: `"push:/terms"` and `{"typ":"push","page":"/terms"}`.
enum ActionForm {
    /// The members that an action would have as an object: its name, and the text after the first colon. Clients ignore colons before
    /// the name.
    static func object(of text: String, among vocabulary: Vocabulary = ApplinVocabulary.all) -> JSONObject {
        let text = text.hasPrefix(":") ? String(text.drop { $0 == ":" }) : text
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return ["typ": .string(text)] }
        let name = String(text[..<colon])
        var object: JSONObject = ["typ": .string(name)]
        if let key = vocabulary.kind(name, as: .action)?.argument {
            object[key] = .string(String(text[text.index(after: colon)...]))
        }
        return object
    }

    /// An action as JSON, in the form of a dialect; nil if the dialect has no form for it, or the action isn't well-formed.
    static func json(_ action: DocumentNode, in dialect: Dialect) -> String? {
        guard let kind = action.kind, kind.support.covers(dialect.audience) else { return nil }
        let argument = kind.argument.flatMap(action.string)
        guard kind.argument == nil || argument != nil else { return nil }
        switch dialect {
        case .objects:
            var object: JSONObject = ["typ": .string(kind.name)]
            if let key = kind.argument {
                object[key] = argument.map(JSONValue.string)
            }
            return JSONValue.object(object).description
        case .documented:
            let text = JSONValue.string(argument.map { "\(kind.name):\($0)" } ?? kind.name).description
            return action.bool("on_user_error_poll") == true ? "\(text), \"on_user_error_poll\"" : text
        }
    }
}
