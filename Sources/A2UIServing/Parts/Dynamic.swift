import A2UI
import Backlot

/// A value of a component: a literal, a path into the surface's model, or a call.
///
/// A surface's tree gets the path of its whole model. Members are paths too: `m.name` is the path of the property `name`. Literals are
/// written as such, and a text may hold paths and calls: `"\(m.first) of \(m.count)"`.
///
/// ```swift
/// let greeting: Dynamic<String> = "Hello \(m.name)"
/// ```
///
/// Source: the A2UI specification, Dynamic values.
@dynamicMemberLookup
public struct Dynamic<Value>: Sendable {
    let term: Term

    init(term: Term) { self.term = term }

    /// Makes a literal.
    public init(_ value: Value) where Value: Encodable {
        do {
            term = .literal(try JSONValue(encoding: value))
        } catch {
            term = .mistake("the value \("\(value)".excerpt) can't be written as JSON: \(error)")
        }
    }

    /// Calls a function of a catalog: `.call("shout").with("value", m.name)`. Most functions of the basic catalog have their own form.
    public static func call(_ function: String) -> Dynamic { Dynamic(term: .call(function, [])) }

    /// Adds an argument to a call.
    public func with<Argument>(_ name: String, _ value: Dynamic<Argument>) -> Dynamic {
        guard case .call(let function, let arguments) = term else {
            return Dynamic(term: .mistake("the argument \(name.quoted) belongs to no call"))
        }
        return Dynamic(term: .call(function, arguments + [Entry(name, value.term)]))
    }

    /// The path of a property. Its name is that of the stored property, regardless of `CodingKeys`.
    public subscript<Member>(dynamicMember property: KeyPath<Value, Member>) -> Dynamic<Member> {
        Dynamic<Member>(term: member(property.fieldName, "\(property)", isOptional: false))
    }

    /// The path of a property that may be nil.
    public subscript<Member>(dynamicMember property: KeyPath<Value, Member?>) -> Dynamic<Member> {
        Dynamic<Member>(term: member(property.fieldName, "\(property)", isOptional: true))
    }

    private func member(_ name: String?, _ text: String, isOptional: Bool) -> Term {
        if case .mistake = term { return term }
        guard case .path(let path) = term else { return .mistake("\(text) is a member of a literal or a call") }
        guard let name else { return .mistake("\(text) isn't a stored property: clients have only those") }
        return .path(path.appending(name.split(separator: ".").map(String.init), isOptional: isOptional))
    }
}

extension Dynamic where Value: RandomAccessCollection, Value.Index == Int {
    /// The path of an element. Templates, such as that of `list(m.rows)`, have the paths of all elements.
    public subscript(index: Int) -> Dynamic<Value.Element> {
        guard case .path(let path) = term else {
            return Dynamic<Value.Element>(term: .mistake("an element of a literal or a call"))
        }
        return Dynamic<Value.Element>(term: .path(path.appending(["\(index)"], isOptional: false)))
    }
}

extension Dynamic: ExpressibleByUnicodeScalarLiteral where Value == String {}
extension Dynamic: ExpressibleByExtendedGraphemeClusterLiteral where Value == String {}
extension Dynamic: ExpressibleByStringLiteral where Value == String {}

extension Dynamic: ExpressibleByStringInterpolation where Value == String {
    /// The parts of a text.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Term] = []

        /// Makes an empty text.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds text.
        public mutating func appendLiteral(_ literal: String) { parts.append(.literal(.string(literal))) }

        /// Adds a path or a call. Clients write null and missing values as nothing.
        public mutating func appendInterpolation<Part>(_ part: Dynamic<Part>) { parts.append(part.term) }

        /// Adds a value of the server's.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            appendLiteral("\(value)")
        }
    }

    /// Makes a literal.
    public init(stringLiteral value: String) { term = .literal(.string(value)) }

    /// Makes a text, which is a call of `formatString` if it has paths or calls.
    public init(stringInterpolation: StringInterpolation) { term = .text(stringInterpolation.parts) }
}

extension DefaultStringInterpolation {
    /// Not available: the server doesn't know the values of a client's model when it writes a tree.
    @available(
        *,
        unavailable,
        message: "a path or call belongs into a text of the type Dynamic<String>, such as that of text(…)"
    )
    public mutating func appendInterpolation<Value>(_ part: Dynamic<Value>) {}
}

extension Dynamic: ExpressibleByBooleanLiteral where Value == Bool {
    /// Makes a literal.
    public init(booleanLiteral value: Bool) { self.init(value) }
}

extension Dynamic: ExpressibleByIntegerLiteral where Value: ExpressibleByIntegerLiteral & Encodable {
    /// Makes a literal.
    public init(integerLiteral value: Value.IntegerLiteralType) { self.init(Value(integerLiteral: value)) }
}

extension Dynamic: ExpressibleByFloatLiteral where Value == Double {
    /// Makes a literal.
    public init(floatLiteral value: Double) { self.init(value) }
}

extension Dynamic: ExpressibleByArrayLiteral where Value == [String] {
    /// Makes a literal.
    public init(arrayLiteral elements: String...) { self.init(elements) }
}

/// The functions of the basic catalog that give a text or a number.
extension Dynamic where Value == String {
    /// A number in the client's language. Without `decimals`, it has three decimals at most.
    public static func number<N>(_ value: Dynamic<N>, decimals: Int? = nil, grouping: Bool? = nil) -> Dynamic {
        call("formatNumber").with("value", value).with("decimals", optional: decimals)
            .with("grouping", optional: grouping)
    }

    /// An amount of money in the client's language.
    ///
    /// - Parameter currency: the code of ISO 4217, such as `EUR`.
    public static func currency<N>(_ value: Dynamic<N>, _ currency: Dynamic<String>) -> Dynamic {
        call("formatCurrency").with("value", value).with("currency", currency)
    }

    /// A date or time.
    ///
    /// - Parameters:
    ///   - value: a date of ISO 8601.
    ///   - format: a pattern of Unicode TR 35, such as `d MMM`.
    public static func date<D>(_ value: Dynamic<D>, _ format: Dynamic<String>) -> Dynamic {
        call("formatDate").with("value", value).with("format", format)
    }

    /// A text for a number of things.
    public static func plural<N>(
        _ value: Dynamic<N>,
        zero: Dynamic<String>? = nil,
        one: Dynamic<String>,
        other: Dynamic<String>
    ) -> Dynamic {
        let call = call("pluralize").with("value", value).with("one", one).with("other", other)
        return zero.map { call.with("zero", $0) } ?? call
    }
}

extension Dynamic where Value == Int {
    /// The position of a template's element in its list. Only clients of 1.0 know it.
    ///
    /// ```swift
    /// list(m.slots) { slot in text(.number(.index(from: 1))) }
    /// ```
    /// - Parameter first: the position of the first element.
    public static func index(from first: Int = 0) -> Dynamic {
        let call = Term.call("@index", first == 0 ? [] : [Entry("offset", Dynamic(first).term)])
        return Dynamic(term: .versions(.mistake("clients of A2UI before 1.0 know no @index"), call))
    }
}

/// The functions of the basic catalog that check something.
extension Dynamic where Value == Bool {
    /// Whether a value isn't null, an empty text or an empty list.
    public static func required<V>(_ value: Dynamic<V>) -> Dynamic { call("required").with("value", value) }

    /// Whether a regular expression matches somewhere in a text.
    public static func regex(_ value: Dynamic<String>, _ pattern: String) -> Dynamic {
        call("regex").with("value", value).with("pattern", Dynamic<String>(pattern))
    }

    /// Whether a text has so many characters, or a list so many elements.
    public static func length<V>(_ value: Dynamic<V>, _ range: ClosedRange<Int>) -> Dynamic {
        call("length").with("value", value).with("min", Dynamic<Int>(range.lowerBound))
            .with("max", Dynamic<Int>(range.upperBound))
    }

    /// Whether a number, or the number in a text, lies within bounds.
    public static func numeric<V>(_ value: Dynamic<V>, _ range: ClosedRange<Double>) -> Dynamic {
        call("numeric").with("value", value).with("min", Dynamic<Double>(range.lowerBound))
            .with("max", Dynamic<Double>(range.upperBound))
    }

    /// Whether a text is an email address. An empty text isn't one.
    public static func email(_ value: Dynamic<String>) -> Dynamic { call("email").with("value", value) }

    /// Whether all conditions are true; two at least.
    public static func and(_ conditions: Dynamic<Bool>...) -> Dynamic { call("and").with("values", conditions) }

    /// Whether one of the conditions is true; two at least.
    public static func or(_ conditions: Dynamic<Bool>...) -> Dynamic { call("or").with("values", conditions) }

    /// Whether a condition is false.
    public static func not(_ condition: Dynamic<Bool>) -> Dynamic { call("not").with("value", condition) }

    private func with(_ name: String, _ values: [Dynamic<Bool>]) -> Dynamic {
        with(name, Dynamic<[Bool]>(term: .list(values.map(\.term))))
    }
}

extension Dynamic {
    fileprivate func with<Argument: Encodable>(_ name: String, optional value: Argument?) -> Dynamic {
        value.map { with(name, Dynamic<Argument>($0)) } ?? self
    }
}
