import BacklotJSON

/// An object of a document that rules are about.
struct WireScope {
    let object: JSONObject
    /// The way from the document, for people.
    let steps: [String]
    /// The way from the document's root (RFC 6901).
    let pointer: String

    /// The whole of a document.
    init(_ object: JSONObject) {
        self.object = object
        steps = []
        pointer = ""
    }

    private init(_ object: JSONObject, steps: [String], pointer: String) {
        self.object = object
        self.steps = steps
        self.pointer = pointer
    }

    /// What stands under a key; nil where there is nothing, or `null`.
    subscript(key: String) -> JSONValue? {
        guard let value = object[key], !value.isNull else { return Optional.none }
        return value
    }

    /// The object under a key; nil where there is none.
    func scope(_ key: String) -> WireScope? {
        self[key]?.object.map { WireScope($0, steps: steps + [key], pointer: "\(pointer)/\(key)") }
    }

    /// The objects of the array under a key. Elements that are none are left out.
    ///
    /// - Parameter label: the key of what an object is called by.
    func scopes(_ key: String, labelled label: String) -> [WireScope] {
        var names: [String: Int] = [:]
        return (self[key]?.array ?? []).enumerated().compactMap { index, value in
            guard let object = value.object else { return nil }
            let text = object[label].map { " \($0.description.excerpt)" } ?? ""
            let base = "\(key)\(text)"
            let number = names[base, default: 0] + 1
            names[base] = number
            let step = number > 1 ? "\(base) #\(number)" : base
            return WireScope(object, steps: steps + [step], pointer: "\(pointer)/\(key)/\(index)")
        }
    }
}

extension String {
    /// The text for one line of a terminal: without control characters, and not too long.
    var excerpt: String {
        let limit = 40
        var text = ""
        text.unicodeScalars.append(
            contentsOf: unicodeScalars.prefix(limit).lazy.map { $0.properties.generalCategory == .control ? " " : $0 }
        )
        return unicodeScalars.dropFirst(limit).isEmpty ? text : text + "…"
    }
}
