public import Backlot

/// The fields of a form, by the properties of the type that its variables are decoded into: their inputs, and the messages at them.
///
/// ```swift
/// enum Plan: String, CaseIterable, Decodable { case monthly, yearly }
/// struct SignUp: Decodable { var name: String, plan: Plan, agree: Bool }
/// let check = FormValidator(SignUp.self)
/// app.page("/sign_up", check: check) { form, _ in
///     formPage("Sign Up") {
///         form.textfield("Name", \.name)
///         form.selector("Plan", \.plan)
///         form.checkbox("I agree", \.agree)
///         formButton("Sign Up", rpc(signUp), replaceAll("/"))
///     }
/// }
/// ```
/// A variable has the name that the type decodes, including `CodingKeys`. A property that isn't decoded from exactly one variable is
/// an error: the page responds with 500, and the log names the property.
public struct FormFields<Input: Decodable & Sendable>: Sendable {
    /// The messages, by the names of the variables.
    public let errors: FormErrors
    let variables: InputVariables<Input>

    /// A field to type into, with its message.
    ///
    /// The text is converted to the property's type: a number, a date, an enumeration.
    ///
    /// ```swift
    /// app.page("/sign_up", check: check) { form, _ in
    ///     formPage("Sign Up") { form.textfield("Name", \.name).maxChars(40) }
    /// }
    /// ```
    public func textfield<Value: Equatable>(_ label: String?, _ field: KeyPath<Input, Value>) -> TextField {
        let name = variables.name(of: field)
        return TextField(
            varName: name,
            label: label,
            error: errors[name],
            allow: Value.self is any BinaryInteger.Type ? .numbers : nil
        )
    }

    /// Not meant: a boolean has no text.
    @available(*, deprecated, message: "a boolean is not typed: write form.checkbox(…)")
    public func textfield(_ label: String?, _ field: KeyPath<Input, Bool>) -> TextField {
        TextField(varName: variables.name(of: field), label: label)
    }

    /// A box to check, with its message below it.
    ///
    /// ```swift
    /// app.page("/sign_up", check: check) { form, _ in
    ///     formPage("Sign Up") { form.checkbox("I agree", \.agree) }
    /// }
    /// ```
    public func checkbox(_ text: String?, _ field: KeyPath<Input, Bool>) -> Checkbox {
        let name = variables.name(of: field)
        return Checkbox(varName: name, text: text, error: errors[name])
    }

    /// A choice of an enumeration's cases, with its message.
    ///
    /// ```swift
    /// app.page("/sign_up", check: check) { form, _ in
    ///     formPage("Sign Up") { form.selector("Plan", \.plan, initialValue: .yearly) }
    /// }
    /// ```
    /// - Parameters:
    ///   - label: The label next to it.
    ///   - field: The property.
    ///   - initialValue: The chosen case until the user chooses another; nil for the first.
    public func selector<Choice: CaseIterable & RawRepresentable & Equatable>(
        _ label: String?,
        _ field: KeyPath<Input, Choice>,
        initialValue: Choice? = nil
    ) -> Selector where Choice.RawValue == String {
        let options = Choice.allCases.map(\.rawValue)
        return selector(label, variables.name(of: field), options, initialValue?.rawValue)
    }

    /// A choice of texts, with its message.
    ///
    /// ```swift
    /// app.page("/sign_up", check: check) { form, _ in
    ///     formPage("Sign Up") { form.selector("Name", \.name, options: ["Ann", "Bob"]) }
    /// }
    /// ```
    /// - Parameters:
    ///   - label: The label next to it.
    ///   - field: The property.
    ///   - options: The choices.
    ///   - initialValue: The choice until the user makes another; nil for the first.
    public func selector(
        _ label: String?,
        _ field: KeyPath<Input, String>,
        options: [String],
        initialValue: String? = nil
    ) -> Selector {
        selector(label, variables.name(of: field), options, initialValue)
    }

    private func selector(_ label: String?, _ name: String, _ options: [String], _ initial: String?) -> Selector {
        var selector = Selector(varName: name, options: options, initialValue: initial ?? options.first, label: label)
        selector.error = errors[name]
        return selector
    }

    /// Clears a field's variable, which would outlive its page: see ``ResetVar``.
    ///
    /// ```swift
    /// app.page("/sign_up", check: check) { form, _ in
    ///     formPage("Sign Up") { formButton("Save", rpc("/save"), form.reset(\.name), pop(), poll()) }
    /// }
    /// ```
    public func reset(_ field: KeyPath<Input, some Equatable>) -> ResetVar { resetVar(variables.name(of: field)) }

    /// The message at a field; nil for a correct field.
    public subscript(field: KeyPath<Input, some Equatable>) -> String? { errors[variables.name(of: field)] }

    /// The message at the field of a variable with that name; nil for a correct field.
    public subscript(name: String) -> String? { errors[name] }

    /// The message at the field of a variable; nil for a correct field.
    public subscript<Value>(variable: Variable<Value>) -> String? { errors[variable] }

    /// Whether all fields are without messages.
    public var isEmpty: Bool { errors.isEmpty }
}

/// Messages at the fields of a form, by the properties of the type that its variables are decoded into.
public struct FieldErrors<Input: Decodable & Sendable>: Sendable {
    var errors = FormErrors()
    let variables: InputVariables<Input>

    /// The message at a field; nil for a correct field.
    public subscript(field: KeyPath<Input, some Equatable>) -> String? {
        get { errors[variables.name(of: field)] }
        set { errors[variables.name(of: field)] = newValue }
    }
}

/// The names of the variables that a type is decoded from, by its properties.
///
/// Swift has no supported way from a key path to a name. So the type is decoded from example values, and again with another example
/// for each variable in turn. If the property changes too, the variable is the property's.
final class InputVariables<Input: Decodable & Sendable>: Sendable {
    private let examples: Result<(plain: Input, changed: [(name: String, input: Input)]), any Error>
    private let known = Locked((names: [(field: AnyKeyPath, name: String)](), problem: (any Error)?.none))

    init() {
        examples = Result {
            let plain = ExampleDecoder(changed: nil)
            let input = try Input(from: plain)
            return (input, try plain.names.withLock(\.self).map { ($0, try Input(from: ExampleDecoder(changed: $0))) })
        }
    }

    /// The reason why the properties' variables are unknown; nil if they are known.
    var problem: (any Error)? { if case .failure(let error) = examples { error } else { nil } }

    /// The name of the property's variable; empty for a property without a variable, and then ``checked(_:)`` throws.
    func name(of field: KeyPath<Input, some Equatable>) -> String {
        known.withLock { known in
            // Nearly always it is the same object: to compare or to hash key paths takes long.
            let first = known.names.first { $0.field === field } ?? known.names.first { $0.field == field }
            if let first { return first.name }
            do {
                let name = try find(field)
                known.names.append((field, name))
                return name
            } catch {
                known.problem = error
                return ""
            }
        }
    }

    /// Returns a value that was made with the names.
    ///
    /// - Throws: `FieldError` after the use of a property without a variable.
    func checked<Value>(_ value: Value) throws -> Value {
        if let problem = known.withLock(\.problem) { throw problem }
        return value
    }

    private func find(_ field: KeyPath<Input, some Equatable>) throws -> String {
        let (plain, changed) = try examples.get()
        let names = changed.filter { $0.input[keyPath: field] != plain[keyPath: field] }.map(\.name)
        if names.count == 1 { return names[0] }
        let found = names.isEmpty ? "none of its variables" : names.joined(separator: " and ")
        let fix = "name a stored property that is decoded (\(changed.map(\.name).joined(separator: ", ")))"
        throw FieldError(reason: "a key path of \(Input.self) shows \(found), but a field has one variable: \(fix)")
    }
}

/// The error for a property without a variable.
struct FieldError: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
}

/// Gives an example value to each variable that a type decodes, and notes its name.
private struct ExampleDecoder: Decoder {
    /// The variable that gets another value.
    let changed: String?
    let names = Locked<[String]>([])
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Variables<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw unnamed }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw unnamed }
    private var unnamed: FieldError {
        FieldError(reason: "a form's type has a property for each variable: decode it from an object")
    }

    private struct Variables<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: ExampleDecoder
        let codingPath: [any CodingKey] = []
        let allKeys: [Key] = []

        func contains(_ key: Key) -> Bool { true }
        func decodeNil(forKey key: Key) throws -> Bool { false }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            let name = key.stringValue
            decoder.names.withLock { if !$0.contains(name) { $0.append(name) } }
            guard let examples = Self.examples(of: type) else {
                let fix = "name the form's fields by strings"
                throw FieldError(
                    reason: "the variable '\(name)' is a \(type), but no two values of it are known: \(fix)"
                )
            }
            return name == decoder.changed ? examples.1 : examples.0
        }

        /// Two different values of a type; nil for a type that can't be made from the values of inputs.
        private static func examples<Value: Decodable>(of type: Value.Type) -> (Value, Value)? {
            if let choices = (type as? any CaseIterable.Type)?.values, choices.count > 1 {
                guard let first = choices[0] as? Value, let second = choices[1] as? Value else { return nil }
                return (first, second)
            }
            let texts: [(JSONValue, JSONValue)] = [
                ("0", "1"), ("2000-01-01", "2000-01-02"), ([], ["0"]), ([:], ["0": "0"]),
                ("00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000001"),
            ]
            for (first, second) in texts {
                guard let first = try? InputDecoder.decode([String: Value].self, from: ["": first])[""],
                    let second = try? InputDecoder.decode([String: Value].self, from: ["": second])[""]
                else { continue }
                return (first, second)
            }
            return nil
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { throw decoder.unnamed }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw decoder.unnamed }
        func superDecoder() throws -> any Decoder { decoder }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw decoder.unnamed }
    }
}

extension CaseIterable {
    /// All cases, in their order.
    fileprivate static var values: [Any] { allCases.map { $0 } }
}
