/// A value that is missing from a client's input, or has another type than the app expects.
public struct InputError: Error, Equatable, CustomStringConvertible {
    /// The value's name, followed by its keys and indices, with dots between them.
    public let name: String
    /// The problem, for the user of the form: `is missing`, `must be a whole number`.
    public let problem: String

    /// Creates the error for a value that the app can't use.
    public init(name: String, problem: String) {
        self.name = name
        self.problem = problem
    }

    /// The name and the problem.
    public var description: String { "'\(name)' \(problem)" }
}

/// Messages about the fields of a form.
///
/// ```swift
/// throw FormErrors(["email": "is taken"])
/// ```
/// If a handler of Xpedite throws them, the client gets the form again, with the typed values and with the messages at their
/// fields. An rpc of Applin responds with 422 and all messages; its page shows them at the fields: see `FormValidator`.
public struct FormErrors: HTTPError, Equatable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
    /// The messages, by the names of their fields. A message without a field is shown above the form.
    public var messages: [String: String]
    /// The names of the fields, in the order of their first messages.
    private var order: [String] = []

    /// Creates messages by the names of their fields.
    public init(_ messages: [String: String] = [:]) { self.messages = messages }

    /// Creates messages by the names of their fields, in this order; for a repeated name, the last message counts.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init()
        for (name, message) in elements { self[name] = message }
    }

    /// The message at a field; nil for a correct field. Set them in the order of the form, because users get them in that order.
    public subscript(name: String) -> String? {
        get { messages[name] }
        set {
            messages[name] = newValue
            if !order.contains(name) { order.append(name) }
        }
    }

    /// The message at the field of a variable; nil for a correct field.
    public subscript<Value>(variable: Variable<Value>) -> String? {
        get { self[variable.name] }
        set { self[variable.name] = newValue }
    }

    /// Whether there are no messages.
    public var isEmpty: Bool { messages.isEmpty }

    /// 422.
    public var status: HTTPResponse.Status { .unprocessableContent }

    /// The text for the user: a request to correct the fields, followed by the messages in their order.
    public var reason: String {
        (["Please correct the marked fields."] + ordered.map(\.message)).joined(separator: "\n")
    }

    /// All messages, for a response without the form.
    public var description: String { ordered.map { "\($0.name) \($0.message)" }.joined(separator: ", ") }

    /// The messages in their order.
    var ordered: [(name: String, message: String)] {
        let rest = messages.keys.filter { !order.contains($0) }.sorted()
        return (order + rest).compactMap { name in messages[name].map { (name, $0) } }
    }

    /// The same messages in the order of a form's fields, followed by messages at other fields.
    package func ordered(by fields: [String]) -> FormErrors {
        var errors = self
        errors.order = fields + ordered.map(\.name).filter { !fields.contains($0) }
        return errors
    }

    /// Compares the messages by field, in any order.
    public static func == (left: FormErrors, right: FormErrors) -> Bool { left.messages == right.messages }
}

extension AnyKeyPath {
    /// The name of the property at the end of the path, with dots between nested properties. nil for a computed property and for an
    /// element of a collection.
    package var fieldName: String? {
        if let known = FieldNames.known.withLock({ $0[self] }) { return known }
        // For example `\Entry.address.zip`. The type's name has no module, and `?` or `!` follows an optional property.
        let root = "\\\(type(of: self).rootType)."
        let text = debugDescription
        guard text.hasPrefix(root), !text.contains("<computed") else { return nil }
        let name = String(text.dropFirst(root.count).filter { $0 != "?" && $0 != "!" })
        FieldNames.known.withLock { names in
            if names.count < FieldNames.maximumCount { names[self] = name }
        }
        return name
    }
}

/// A cache of field names: finding one takes 7 µs, and a page has many fields.
private enum FieldNames {
    static let known = Locked<[AnyKeyPath: String]>([:])
    /// The maximum number of cached names. An app's code has fewer key paths.
    static let maximumCount = 10_000
}

extension FormErrors {
    /// Creates one message, at the field of a property.
    ///
    /// ```swift
    /// throw FormErrors(\Member.email, "is taken")
    /// ```
    public init<Input, Value>(_ field: KeyPath<Input, Value>, _ message: String) {
        self.init()
        self[field] = message
    }

    /// The message at the field of a property; nil for a correct field.
    ///
    /// The field is named after the property even if `CodingKeys` rename it: use strings for the names of such fields. A computed
    /// property has no field, so the form shows its message at the top.
    public subscript<Input, Value>(field: KeyPath<Input, Value>) -> String? {
        get { self[field.fieldName ?? ""] }
        set { self[field.fieldName ?? ""] = newValue }
    }
}
