/// A value of a packet that is missing, or of another type than the app asks for.
public struct InputError: Error, Equatable, CustomStringConvertible {
    /// The value's name; keys and indices below it follow with dots between them.
    public let name: String
    /// The problem, for the people who fill in the form: `is missing`, `must be a whole number`.
    public let problem: String

    /// A value that can't be used.
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
/// When a handler of Xpedite throws them, the form is returned with the typed values and with the messages at their fields. An rpc
/// of Applin answers them with 422 and all the messages; its page shows them at the fields: see `FormValidator`.
public struct FormErrors: HTTPError, Equatable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
    /// The messages, by the names of their fields. A message without a field is shown above the form.
    public var messages: [String: String]
    /// The names of the fields, in the order in which they got messages.
    private var order: [String] = []

    /// Messages by the names of their fields.
    public init(_ messages: [String: String] = [:]) { self.messages = messages }

    /// Messages by the names of their fields, in this order; for a repeated name, the last one.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init()
        for (name, message) in elements { self[name] = message }
    }

    /// The message at a field; nil where all is well. Set them in the order of the form: users get them in the same.
    public subscript(name: String) -> String? {
        get { messages[name] }
        set {
            messages[name] = newValue
            if !order.contains(name) { order.append(name) }
        }
    }

    /// The message at the field of a variable; nil where all is well.
    public subscript<Value>(variable: Variable<Value>) -> String? {
        get { self[variable.name] }
        set { self[variable.name] = newValue }
    }

    /// Whether there are no messages.
    public var isEmpty: Bool { messages.isEmpty }

    /// 422.
    public var status: HTTPResponse.Status { .unprocessableContent }

    /// The text for the user: a request to correct the fields, then each message, in the order in which they were set.
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

    /// The same messages in the order of a form's fields; messages at other fields follow.
    package func ordered(by fields: [String]) -> FormErrors {
        var errors = self
        errors.order = fields + ordered.map(\.name).filter { !fields.contains($0) }
        return errors
    }

    /// Whether the same fields have the same messages, in any order.
    public static func == (left: FormErrors, right: FormErrors) -> Bool { left.messages == right.messages }
}

extension AnyKeyPath {
    /// The name of the property that it leads to, with dots between the names of properties in properties; nil for a computed
    /// property and for an element of a collection, which have none.
    package var fieldName: String? {
        if let known = FieldNames.known.withLock({ $0[self] }) { return known }
        // `\Entry.address.zip`, where the type has no module before it; `?` and `!` stand after optional properties.
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

/// Names that were looked up before: a look-up takes 7 µs, and a page has many fields.
private enum FieldNames {
    static let known = Locked<[AnyKeyPath: String]>([:])
    /// The most names that are kept. The key paths in an app's code are fewer.
    static let maximumCount = 10_000
}

extension FormErrors {
    /// One message, at the field of a property.
    ///
    /// ```swift
    /// throw FormErrors(\Member.email, "is taken")
    /// ```
    public init<Input, Value>(_ field: KeyPath<Input, Value>, _ message: String) {
        self.init()
        self[field] = message
    }

    /// The message at the field of a property; nil where all is well.
    ///
    /// The field has the property's name, also where `CodingKeys` give it another: name such fields by strings. A computed property
    /// has no field, and its message is shown above the form.
    public subscript<Input, Value>(field: KeyPath<Input, Value>) -> String? {
        get { self[field.fieldName ?? ""] }
        set { self[field.fieldName ?? ""] = newValue }
    }
}
