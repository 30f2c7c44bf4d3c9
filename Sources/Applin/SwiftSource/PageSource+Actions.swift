import Backlot
import BacklotJSON

/// Lists of actions, which are texts in one dialect and objects in the other.
extension PageSource {
    mutating func actions(_ actions: [JSONValue], at pointer: String, depth: Int) throws(WireError) -> [SwiftCall] {
        var calls: [SwiftCall] = []
        var index = 0
        while index < actions.count {
            let place = "\(pointer)/\(index)"
            var action = actions[index]
            index += 1
            if let text = action.string {
                var object = try Self.object(of: text, at: place)
                // As texts, the two are one call.
                if object["typ"] == "rpc", index < actions.count, actions[index] == "on_user_error_poll" {
                    object["on_user_error_poll"] = true
                    index += 1
                }
                action = .object(object)
            }
            calls.append(try call(action, as: .action, at: place, depth: depth))
        }
        return calls
    }

    /// The members of an action that is a text.
    private static func object(of text: String, at pointer: String) throws(WireError) -> JSONObject {
        var object = ActionForm.object(of: text)
        let name = object["typ"]?.string ?? ""
        guard let kind = ApplinVocabulary.all.kind(name, as: .action) else {
            let hint = Suggestion.hint(for: name, among: ApplinVocabulary.all.kinds(as: .action).map(\.name))
            throw WireError(pointer: pointer, problem: "is \(text.quoted), an action that no client knows\(hint)")
        }
        guard let key = kind.argument else {
            guard !text.contains(":") || text.drop(while: { $0 == ":" }) == name else {
                let problem = "is \(text.quoted), but \(name) takes nothing after its name: write \(name.quoted)"
                throw WireError(pointer: pointer, problem: problem)
            }
            return object
        }
        guard let argument = object[key]?.string else {
            let problem = "is \(text.quoted), without its \(key): write it after a colon, as \"\(name):…\""
            throw WireError(pointer: pointer, problem: problem)
        }
        if kind.keys.contains(where: { $0.name == "aspect_ratio" }), let (url, ratio) = splitRatio(argument) {
            object[key] = .string(url)
            object["aspect_ratio"] = .number(ratio)
        }
        return object
    }

    /// Takes the aspect ratio off the end of a photo's URL, where the DSL writes it in the same way.
    private static func splitRatio(_ url: String) -> (url: String, ratio: JSONNumber)? {
        let parts = url.split(separator: "?aspect_ratio=", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let ratio = Double(parts[1]), let number = JSONNumber(ratio),
            ChoosePhoto(url: parts[0], aspectRatio: ratio).argument == url
        else { return nil }
        return (parts[0], number)
    }
}
