import Backlot

/// Writes a page in the DSL of this library: the code of an app that makes the same page.
struct PageSource {
    /// The maximum number of levels of nested calls: phones crash on deeper pages.
    static let deepest = PageRules.deepestNesting + 20

    private var omissions: [SwiftSource.Omission] = []

    /// The source for a page, which is the body of a response (`{"page":{"typ":…}}`) or only the page in it (`{"typ":…}`).
    ///
    /// - Throws: `DocumentError` for a page that the DSL can't make.
    static func source(of document: JSONValue) throws(DocumentError) -> SwiftSource {
        let isResponse = document["typ"] == nil && document["page"] != nil
        guard let object = document.object, isResponse || object["typ"] != nil else {
            let problem =
                "isn't an Applin page, and only those have a form in Swift: a page is {\"typ\":\"nav_page\",…}, "
                + "or is under \"page\" in the body of a response"
            throw DocumentError(pointer: "", problem: problem)
        }
        var source = PageSource()
        var comments: [String] = []
        for member in object.members where isResponse && member.key != "page" && !member.namesSchema {
            comments.append(source.omit(member, at: "", "no client reads it"))
        }
        let page = isResponse ? object["page"] ?? .null : document
        var call = try source.call(page, as: .page, at: isResponse ? "/page" : "", depth: 0)
        call.comments = comments + call.comments
        var layout = SwiftLayout()
        layout.write(call)
        return SwiftSource(text: layout.text, omissions: source.omissions)
    }

    /// The call that makes a page, a widget, an action or a button of a modal.
    mutating func call(
        _ value: JSONValue,
        as role: Role,
        only: [String] = [],
        at pointer: String,
        depth: Int
    ) throws(DocumentError) -> SwiftCall {
        guard depth < Self.deepest else {
            let problem = "stands in \(depth) others, and the parsers of phones crash on so deep a page: nest less"
            throw DocumentError(pointer: pointer, problem: problem)
        }
        guard let object = value.object else {
            throw DocumentError(pointer: pointer, problem: "is \(value.summary), but must be \(role.noun.withArticle)")
        }
        let kind = try kind(of: object, as: role, only: only, at: pointer)
        var node = SourceNode(kind: kind, object: object, pointer: pointer, depth: depth)
        for member in object.members where !member.value.isNull && (member.key != "typ" || role == .modalButton) {
            if role == .page, member.namesSchema { continue }
            if member.key == "id", member.value.string != nil { continue }
            switch kind.keys.first(where: { $0.name == member.key })?.presence {
            case nil: node.comments.append(omit(member, at: pointer, "clients don't read it here"))
            case .unwritten: node.comments.append(omit(member, at: pointer, "the DSL never writes it"))
            default: break
            }
        }
        let form = DSLForm.all[kind] ?? DSLForm(kind)
        let isDestructive = kind == ModalButton.vocabulary && object["text"]?.string?.hasPrefix("!") == true
        if isDestructive { node.object["text"] = .string(String(object["text"]?.string?.dropFirst() ?? "")) }
        var parts = [try mainPart(&node, form)]
        for key in form.modifiers {
            if let part = try modifier(key, &node) { parts.append(part) }
        }
        if kind == Selector.vocabulary { parts += try choices(&node) }
        if isDestructive { parts.append(SwiftCall.Part(text: ".destructive()")) }
        if role != .modalButton, let id = object["id"]?.string {
            parts.append(SwiftCall.Part(text: ".id(\(id.swiftLiteral))"))
        }
        return SwiftCall(comments: node.comments, parts: parts)
    }

    private func kind(
        of object: JSONObject,
        as role: Role,
        only: [String],
        at pointer: String
    ) throws(DocumentError) -> Kind {
        let vocabulary = ApplinVocabulary.all
        let kinds = vocabulary.kinds(as: role).filter {
            only.isEmpty ? $0 != BackButton.vocabulary : only.contains($0.name)
        }
        guard case .key(let key) = role.naming else { return kinds[0] }
        let place = pointer + JSONPointer.step(key)
        guard let name = object[key], !name.isNull else {
            throw DocumentError(pointer: place, problem: "is missing: it says which \(role.noun) this is")
        }
        guard let name = name.string else {
            throw DocumentError(pointer: place, problem: "is \(name.summary), but must be a string")
        }
        if let kind = kinds.first(where: { $0.name == name }) { return kind }
        let hint = Suggestion.hint(for: name, among: kinds.map(\.name))
        let isElsewhere = vocabulary.kind(name, as: role) != nil
        let problem = isElsewhere ? "which can't stand here" : "which no client knows as \(role.noun.withArticle)"
        throw DocumentError(pointer: place, problem: "is \(name.quoted), \(problem)\(hint)")
    }

    /// Notes an omitted member. Returns a comment about it.
    mutating func omit(_ member: JSONObject.Member, at pointer: String, _ reason: String) -> String {
        omissions.append(
            SwiftSource.Omission(pointer: pointer + JSONPointer.step(member.key), text: "left out, as \(reason)")
        )
        let key = JSONValue.string(member.key.excerpt).description
        return "Left out, as \(reason): \(key): \(member.value.description.excerpt(upTo: 60))".swiftComment
    }

    /// Notes that the value under a key is omitted, if the key exists.
    mutating func omit(_ key: String, of node: inout SourceNode, _ reason: String) {
        guard let member = node.object.members.first(where: { $0.key == key }), !member.value.isNull else { return }
        node.comments.append(omit(member, at: node.pointer, reason))
    }
}

/// An object that becomes a call.
struct SourceNode {
    let kind: Kind
    var object: JSONObject
    let pointer: String
    let depth: Int
    /// The omissions, for the lines above the call.
    var comments: [String] = []

    func pointer(_ key: Key) -> String { pointer + JSONPointer.step(key.name) }

    /// The value under a key; nil for `null`.
    func value(_ key: Key) throws(DocumentError) -> JSONValue? {
        if let value = object[key.name], !value.isNull { return value }
        guard key.isRequired else { return nil }
        throw DocumentError(pointer: pointer(key), problem: "is missing, and \(kind.noun) needs it: \(key.meaning)")
    }
}

extension JSONObject.Member {
    /// Whether the member names the file's schema for editors, and isn't a part of the page.
    fileprivate var namesSchema: Bool { key == "$schema" && value.string != nil }
}

/// Lists of actions, which are texts in one dialect and objects in the other.
extension PageSource {
    mutating func actions(_ actions: [JSONValue], at pointer: String, depth: Int) throws(DocumentError) -> [SwiftCall] {
        var calls: [SwiftCall] = []
        var index = 0
        while index < actions.count {
            let place = "\(pointer)/\(index)"
            var action = actions[index]
            index += 1
            if let text = action.string {
                var object = try Self.object(of: text, at: place)
                // As strings, the two are one call.
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

    /// The members of an action that is a string.
    private static func object(of text: String, at pointer: String) throws(DocumentError) -> JSONObject {
        var object = ActionForm.object(of: text)
        let name = object["typ"]?.string ?? ""
        guard let kind = ApplinVocabulary.all.kind(name, as: .action) else {
            let hint = Suggestion.hint(for: name, among: ApplinVocabulary.all.kinds(as: .action).map(\.name))
            throw DocumentError(pointer: pointer, problem: "is \(text.quoted), an action that no client knows\(hint)")
        }
        guard let key = kind.argument else {
            guard !text.contains(":") || text.drop(while: { $0 == ":" }) == name else {
                let problem = "is \(text.quoted), but \(name) takes nothing after its name: write \(name.quoted)"
                throw DocumentError(pointer: pointer, problem: problem)
            }
            return object
        }
        guard let argument = object[key]?.string else {
            let problem = "is \(text.quoted), without its \(key): write it after a colon, as \"\(name):…\""
            throw DocumentError(pointer: pointer, problem: problem)
        }
        if kind.keys.contains(where: { $0.name == "aspect_ratio" }), let (url, ratio) = splitRatio(argument) {
            object[key] = .string(url)
            object["aspect_ratio"] = .number(ratio)
        }
        return object
    }

    /// Takes the aspect ratio off the end of a photo's URL, if the DSL writes it in the same way.
    private static func splitRatio(_ url: String) -> (url: String, ratio: JSONNumber)? {
        let parts = url.split(separator: "?aspect_ratio=", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let ratio = Double(parts[1]), let number = JSONNumber(ratio),
            ChoosePhoto(url: parts[0], aspectRatio: ratio).argument == url
        else { return nil }
        return (parts[0], number)
    }
}
