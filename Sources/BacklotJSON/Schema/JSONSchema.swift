/// A compiled JSON Schema.
///
/// It supports all of draft 2020-12 within one document: a reference to another document is refused, except for one to the draft's
/// own meta-schema. By default, `format` and `content…` are annotations. Unknown keywords are annotations too; ``unknownKeywords``
/// lists them, since most are misspelt.
///
/// Source: draft-bhutton-json-schema-01 (Core) and draft-bhutton-json-schema-validation-01.
package struct JSONSchema: Sendable {
    /// The reason why a value doesn't fit.
    package struct Failure: Equatable, Sendable, CustomStringConvertible {
        /// The JSON pointer of the wrong part of the value; empty for the whole.
        package let instance: String
        /// The JSON pointer of the keyword that it breaks.
        package let schema: String
        /// The problem: `must be a string, not a number`.
        package let text: String
        /// Whether the validation ended without a result, because it reached a limit.
        package let isGivenUp: Bool

        init(_ instance: String, _ schema: String, _ text: String, isGivenUp: Bool = false) {
            self.instance = instance
            self.schema = schema
            self.text = text
            self.isGivenUp = isGivenUp
        }

        /// `/age must be at least 18`.
        package var description: String { "\(instance.isEmpty ? "the value" : instance) \(text)" }
    }

    /// An error in a schema, with its location.
    package struct ReadingError: Error, Equatable, CustomStringConvertible {
        /// The JSON pointer of the error.
        package let pointer: String
        /// The error: `"type": "strng" is not a type; …`.
        package let text: String

        init(_ pointer: String, _ text: String) {
            self.pointer = pointer
            self.text = text
        }

        /// `/properties/age/type: …`.
        package var description: String { pointer.isEmpty ? text : "\(pointer): \(text)" }
    }

    /// The remaining cost limit for a validation. One budget may serve several validations.
    package struct Budget: Sendable {
        /// The number of visits to parts of the schema and of the value.
        package var steps: Int
        /// Processor time for regular expressions, in nanoseconds.
        package var time: Int64

        package init(steps: Int = 500_000, time: Int64 = 20_000_000) {
            self.steps = steps
            self.time = time
        }
    }

    /// Looks for a regular expression in a text; returns nil if it gives up. The second parameter holds the remaining nanoseconds.
    package typealias PatternSearch = @Sendable (_ text: String, _ time: inout Int64) -> Bool?
    /// Compiles a regular expression; throws its syntax error.
    package typealias PatternCompiler = @Sendable (_ source: String) throws -> PatternSearch

    /// The maximum number of listed failures.
    package static let mostFailures = 20
    /// The maximum nesting of schemas during a validation. Each uses the stack.
    static let mostDepth = 300

    /// Every subschema; the first is the whole document.
    let nodes: [SchemaNode]
    /// The targets of `$dynamicRef`: for each resource, its dynamic anchors.
    let dynamicAnchors: [[String: Int]]
    /// Whether an `unevaluated…` keyword needs the set of evaluated parts.
    let tracksEvaluated: Bool
    /// The pointers of unknown keywords.
    package let unknownKeywords: [String]

    /// Reads a schema.
    ///
    /// - Parameters:
    ///   - document: An object, `true` or `false`.
    ///   - assertsFormats: Whether values must have the form that `format` names. Unknown names stay annotations.
    ///   - patterns: Compiles the regular expressions.
    /// - Throws: `ReadingError` for an invalid schema, and for a reference without a target.
    package init(
        _ document: JSONValue,
        assertsFormats: Bool = false,
        patterns: @escaping PatternCompiler
    ) throws(ReadingError) {
        var compiler = SchemaCompiler(document, assertsFormats: assertsFormats, patterns: patterns)
        try compiler.compile()
        nodes = compiler.nodes
        dynamicAnchors = compiler.dynamicAnchors
        tracksEvaluated = compiler.tracksEvaluated
        unknownKeywords = compiler.unknownKeywords
    }

    /// Validates a value.
    ///
    /// - Returns: The failures, at most ``mostFailures``; empty if the value fits.
    package func errors(in value: JSONValue, within budget: inout Budget) -> [Failure] {
        var run = SchemaRun(self, budget)
        var evaluated = Evaluated()
        _ = run.judge(value, by: 0, &evaluated)
        budget = run.budget
        return run.failures
    }

    /// Validates a value within a separate budget.
    package func errors(in value: JSONValue) -> [Failure] {
        var budget = Budget()
        return errors(in: value, within: &budget)
    }
}

extension String {
    /// The text in quotes, shortened for an error.
    var shown: String { "\"\(excerpt(upTo: 100))\"" }
}

extension JSONValue {
    /// The value as JSON, shortened for an error.
    var shown: String {
        switch self {
        case .array(let elements) where elements.count > 20: "an array of \(elements.count) elements"
        case .object(let object) where object.count > 20: "an object of \(object.count) members"
        case .string(let text): text.shown
        default: description.excerpt(upTo: 80)
        }
    }

    /// The value's type, for errors.
    package var typeText: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// One subschema, compiled.
struct SchemaNode: Sendable {
    /// The schema's JSON Pointer in the document.
    let pointer: String
    /// The schema resource that it belongs to (Core, section 8.2.1).
    let resource: Int
    /// The schema's keywords in the order of validation, with `unevaluated…` last. The schema `false` has one keyword `never`.
    var keywords: [SchemaKeyword] = []
}

/// The requirement of one keyword, or of several that work together. Numbers are indices of nodes.
enum SchemaKeyword: Sendable {
    case never
    case types([SchemaType])
    /// `const` (one value) and `enum`; `weight` is the number of values to compare.
    case values([JSONValue], weight: Int, name: String)
    case number(SchemaBound, JSONNumber)
    /// `minLength`, `maxItems` and the like.
    case count(SchemaCount, least: Bool, Int)
    case pattern(String, JSONSchema.PatternSearch)
    case format(SchemaFormat, JSONSchema.PatternCompiler)
    case uniqueItems
    case elements(prefix: [Int], rest: Int?)
    case contains(Int, least: Int, most: Int?)
    case required([String])
    case dependentRequired([(key: String, needs: [String])])
    case dependentSchemas([(key: String, node: Int)])
    case members(SchemaMembers)
    case propertyNames(Int)
    case all([Int])
    case any([Int])
    case one([Int])
    case not(Int)
    case condition(Int, then: Int?, otherwise: Int?)
    case reference(Int)
    /// The node of the reference itself, and the anchor to look for.
    case dynamicReference(Int, String)
    /// A reference to the draft's meta-schema: the value must be a schema.
    case metaSchema
    case unevaluatedItems(Int)
    case unevaluatedProperties(Int)
}

/// `properties`, `patternProperties` and `additionalProperties`.
struct SchemaMembers: Sendable {
    var named: [ExactKey: Int] = [:]
    var patterns: [(source: String, search: JSONSchema.PatternSearch, node: Int)] = []
    var additional: Int?
}

/// The types of values; `integer` is a number without a fraction.
enum SchemaType: String, CaseIterable, Sendable {
    case null, boolean, object, array, number, string, integer

    func includes(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.null, .null), (.boolean, .bool), (.object, .object), (.array, .array), (.number, .number),
            (.string, .string):
            true
        case (.integer, .number(let number)): number.isWhole
        default: false
        }
    }

    /// The type in errors.
    var text: String {
        switch self {
        case .null: "null"
        case .object, .array: "an \(rawValue)"
        case .integer: "a whole number"
        case .boolean, .number, .string: "a \(rawValue)"
        }
    }
}

/// The keywords that bound a number.
enum SchemaBound: String, CaseIterable, Sendable {
    case multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum

    func allows(_ number: JSONNumber, _ bound: JSONNumber) -> Bool {
        switch self {
        case .multipleOf: number.isMultiple(of: bound)
        case .maximum: !bound.isLess(than: number)
        case .exclusiveMaximum: number.isLess(than: bound)
        case .minimum: !number.isLess(than: bound)
        case .exclusiveMinimum: bound.isLess(than: number)
        }
    }

    var text: String {
        switch self {
        case .multipleOf: "a multiple of"
        case .maximum: "at most"
        case .exclusiveMaximum: "less than"
        case .minimum: "at least"
        case .exclusiveMinimum: "greater than"
        }
    }
}

/// The things that `min…` and `max…` count.
enum SchemaCount: String, CaseIterable, Sendable {
    case characters = "Length"
    case elements = "Items"
    case members = "Properties"

    /// The count; nil for a value of another type.
    func count(_ value: JSONValue) -> Int? {
        switch (self, value) {
        case (.characters, .string(let text)): text.unicodeScalars.count
        case (.elements, .array(let elements)): elements.count
        case (.members, .object(let object)): object.count
        default: nil
        }
    }

    func text(_ count: Int) -> String {
        switch self {
        case .characters: count == 1 ? "1 character" : "\(count) characters"
        case .elements: count == 1 ? "1 element" : "\(count) elements"
        case .members: count == 1 ? "1 member" : "\(count) members"
        }
    }
}
