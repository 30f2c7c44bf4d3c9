/// The values that clients accept.
@usableFromInline package indirect enum ValueType: Sendable {
    case any
    case bool
    case string
    /// A text of a certain form, such as a colour.
    case text(TextForm)
    /// One of several texts.
    case oneOf([Name], ifUnknown: Consequence)
    case numeric(Bounds)
    case list(ValueType, Count)
    /// An element of an array that may be `null`.
    case nullable(ValueType)
    /// An object with any keys and values of one type.
    case map(ValueType)
    /// An object that belongs to the document's tree.
    ///
    /// - only: the permitted kinds; all of the role if empty.
    case node(Role, only: [String])
    /// One of several types. The first one that fits the value's JSON type counts.
    case either([ValueType])

    /// One of several texts, each with its meaning.
    package static func names(
        _ names: KeyValuePairs<String, String>,
        ifUnknown consequence: Consequence = .refusal
    ) -> ValueType {
        .oneOf(names.map { Name(text: $0.key, meaning: $0.value) }, ifUnknown: consequence)
    }

    /// The name of one of several kinds.
    package static func name(of kinds: [Kind]) -> ValueType {
        .oneOf(kinds.map { Name(text: $0.name, meaning: $0.meaning) }, ifUnknown: .refusal)
    }

    /// A finite number.
    @usableFromInline package static let number = ValueType.numeric(
        Bounds(-Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
    )

    /// A number in the range of `Float`.
    package static let float = ValueType.numeric(
        Bounds(-Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude, .float)
    )

    package static func number(_ range: ClosedRange<Double>) -> ValueType { .numeric(Bounds(range)) }

    /// A whole number.
    package static func integer(_ range: ClosedRange<Int64>) -> ValueType { .numeric(Bounds(whole: range)) }

    package static func array(_ element: ValueType, _ count: Count = .any) -> ValueType { .list(element, count) }

    /// An object that belongs to the document's tree.
    ///
    /// - Parameter kinds: the permitted kinds; all of the role if empty.
    package static func object(_ role: Role, only kinds: [String] = []) -> ValueType { .node(role, only: kinds) }

    /// An array of objects.
    package static func objects(_ role: Role) -> ValueType { .list(.node(role, only: []), .any) }
}

/// A text from the permitted ones.
@usableFromInline package struct Name: Sendable {
    package let text: String
    /// The meaning of the text, in one sentence; empty for a text that explains itself.
    package let meaning: String

    package init(text: String, meaning: String = "") {
        self.text = text
        self.meaning = meaning
    }
}

/// A form for texts.
@usableFromInline package struct TextForm: Sendable {
    /// The text in words: `a colour, such as #FF8800`.
    package let noun: String
    /// An example of the form.
    package let example: String
    /// The rule that a text of another form breaks.
    package let rule: String
    /// A regular expression for schemas that matches every text of this form; nil without one.
    let pattern: String?
    package let isValid: @Sendable (String) -> Bool

    package init(
        _ noun: String,
        example: String,
        rule: String = "malformed-value",
        pattern: String? = nil,
        _ isValid: @escaping @Sendable (String) -> Bool
    ) {
        self.noun = noun
        self.example = example
        (self.rule, self.pattern) = (rule, pattern)
        self.isValid = isValid
    }
}

/// The permitted numbers.
@usableFromInline package struct Bounds: Sendable {
    package enum Width: Sendable {
        /// Any number in the range of `Double`.
        case double
        /// A number in the range of `Float`: neither too large nor too near to 0.
        case float
        /// A whole number of 64 bits.
        case whole
    }

    package let range: ClosedRange<Double>
    package let width: Width

    package init(_ range: ClosedRange<Double>, _ width: Width = .double) {
        self.range = range
        self.width = width
    }

    package init(whole range: ClosedRange<Int64>) {
        self.init(Double(range.lowerBound)...Double(range.upperBound), .whole)
    }

    var isWhole: Bool { width == .whole }

    package func allow(_ number: JSONNumber) -> Bool {
        guard range.contains(number.double) else { return false }
        switch width {
        case .double: return true
        case .float: return number.double == 0 || Float(number.double) != 0 && Float(number.double).isFinite
        // As a `Double`, 2⁶³ is in the range up to `Int64.max`.
        case .whole: return number.int64 != nil
        }
    }

    /// `a whole number from 0 to 255`.
    var noun: String {
        let noun =
            switch width {
            case .double: "a number"
            case .float: "a number of 32 bits"
            case .whole: "a whole number"
            }
        let (lower, upper) = (Self.text(range.lowerBound), Self.text(range.upperBound))
        return switch (isLowerOpen, isUpperOpen) {
        case (true, true): noun
        case (true, false): "\(noun) up to \(upper)"
        case (false, true): range.lowerBound == .leastNonzeroMagnitude ? "\(noun) above 0" : "\(noun) from \(lower) on"
        case (false, false): "\(noun) from \(lower) to \(upper)"
        }
    }

    var isLowerOpen: Bool { range.lowerBound <= (isWhole ? Double(Int64.min) : -Self.large) }
    var isUpperOpen: Bool { range.upperBound >= (isWhole ? Double(Int64.max) : Self.large) }
    /// Findings don't mention bounds beyond this.
    private static let large = 1e30

    private static func text(_ bound: Double) -> String {
        Int64(exactly: bound).map { "\($0)" } ?? "\(bound)"
    }
}

/// The permitted numbers of elements in an array.
@usableFromInline package enum Count: Sendable {
    case any
    case atLeast(Int)
    case exactly([Int])

    func allows(_ count: Int) -> Bool {
        switch self {
        case .any: true
        case .atLeast(let least): count >= least
        case .exactly(let counts): counts.contains(count)
        }
    }

    /// `1, 2 or 4 elements`.
    var noun: String {
        switch self {
        case .any: "any number of elements"
        case .atLeast(let least): "\(least) element\(least == 1 ? "" : "s") or more"
        case .exactly(let counts): "\(counts.map { "\($0)" }.alternatives) element\(counts == [1] ? "" : "s")"
        }
    }
}

extension ValueType {
    /// The type in sentences: `"max_lines" must be …`.
    package var noun: String {
        switch self {
        case .any: "any value"
        case .bool: "true or false"
        case .string: "a string"
        case .text(let form): form.noun
        case .oneOf(let names, _): "one of \(names.map(\.text.quoted).joined(separator: ", "))"
        case .numeric(let bounds): bounds.noun
        case .list(let element, .any): "an array of \(element.plural)"
        case .list(let element, let count): "an array of \(element.plural), with \(count.noun)"
        case .nullable(let type): "\(type.noun) or null"
        case .map(let type): "an object of \(type.plural)"
        case .node(let role, _): role.noun.withArticle
        case .either(let types): types.map(\.noun).alternatives
        }
    }

    /// Several values of the type: `an array of …`.
    private var plural: String {
        switch self {
        case .any: "values"
        case .bool: "booleans"
        case .string, .text, .oneOf: "strings"
        case .numeric(let bounds): bounds.isWhole ? "whole numbers" : "numbers"
        case .list(let element, _): "arrays of \(element.plural)"
        case .nullable(let type): type.plural
        case .map: "objects"
        case .node(let role, _): "\(role.noun)s"
        case .either(let types): types.map(\.plural).alternatives
        }
    }
}
