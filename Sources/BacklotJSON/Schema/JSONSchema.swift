/// A JSON Schema that is ready to judge values.
///
/// All of draft 2020-12 is understood, within one document: a reference to another document is refused, except for one to the
/// draft's own meta-schema. `format` and `content…` are annotations, unless formats are asked for. Keywords that the draft
/// doesn't know are annotations too; ``unknownKeywords`` lists them, since most are misspelt.
///
/// Source: draft-bhutton-json-schema-01 (Core) and draft-bhutton-json-schema-validation-01.
package struct JSONSchema: Sendable {
    /// Why a value doesn't fit.
    package struct Failure: Equatable, Sendable, CustomStringConvertible {
        /// The JSON pointer of the part of the value that is wrong; empty for the whole.
        package let instance: String
        /// The JSON pointer of the keyword that it breaks.
        package let schema: String
        /// What is wrong: `must be a string, not a number`.
        package let text: String
        /// Whether the judgement ended without a result, since a bound was reached.
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

    /// Why a document isn't a schema: what is wrong, and where.
    package struct ReadingError: Error, Equatable, CustomStringConvertible {
        /// The JSON pointer of what is wrong.
        package let pointer: String
        /// What is wrong: `"type": "strng" is not a type; …`.
        package let text: String

        init(_ pointer: String, _ text: String) {
            self.pointer = pointer
            self.text = text
        }

        /// `/properties/age/type: …`.
        package var description: String { pointer.isEmpty ? text : "\(pointer): \(text)" }
    }

    /// How much a judgement may cost, and what is left of it. One budget may serve several judgements.
    package struct Budget: Sendable {
        /// Parts of the schema and of the value that are looked at.
        package var steps: Int
        /// Nanoseconds of the processor, for regular expressions.
        package var time: Int64

        package init(steps: Int = 500_000, time: Int64 = 20_000_000) {
            self.steps = steps
            self.time = time
        }
    }

    /// Looks for a regular expression in a text: nil when that was given up. The second parameter holds the nanoseconds that are
    /// left.
    package typealias PatternSearch = @Sendable (_ text: String, _ time: inout Int64) -> Bool?
    /// Compiles a regular expression; throws what is wrong with it.
    package typealias PatternCompiler = @Sendable (_ source: String) throws -> PatternSearch

    /// How many failures are listed at most.
    package static let mostFailures = 20
    /// How many schemas may be at work within each other. Each uses the stack.
    static let mostDepth = 300

    /// Every subschema; the first is the whole document.
    let nodes: [SchemaNode]
    /// What `$dynamicRef` finds: for each resource, its dynamic anchors.
    let dynamicAnchors: [[String: Int]]
    /// Whether any `unevaluated…` needs to know what has been evaluated.
    let tracksEvaluated: Bool
    /// The pointers of keywords that the draft doesn't know.
    package let unknownKeywords: [String]

    /// Reads a schema.
    ///
    /// - Parameters:
    ///   - document: An object, `true` or `false`.
    ///   - assertsFormats: Whether values must have the form that `format` names. Names that the draft doesn't know stay
    ///     annotations.
    ///   - patterns: Compiles the regular expressions.
    /// - Throws: `ReadingError` for what isn't a schema, and for a reference that leads nowhere.
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

    /// Judges a value.
    ///
    /// - Returns: What is wrong, at most ``mostFailures``; empty when the value fits.
    package func errors(in value: JSONValue, within budget: inout Budget) -> [Failure] {
        var run = SchemaRun(self, budget)
        var evaluated = Evaluated()
        _ = run.judge(value, by: 0, &evaluated)
        budget = run.budget
        return run.failures
    }

    /// Judges a value within a budget of its own.
    package func errors(in value: JSONValue) -> [Failure] {
        var budget = Budget()
        return errors(in: value, within: &budget)
    }
}

extension String {
    /// The text in quotes, shortened to what fits an error.
    var shown: String { "\"\(excerpt(upTo: 100))\"" }
}

extension JSONValue {
    /// The value as JSON, shortened to what fits an error.
    var shown: String {
        switch self {
        case .array(let elements) where elements.count > 20: "an array of \(elements.count) elements"
        case .object(let object) where object.count > 20: "an object of \(object.count) members"
        case .string(let text): text.shown
        default: description.excerpt(upTo: 80)
        }
    }

    /// The value's type, as an error names it.
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
    /// Its JSON pointer in the document.
    let pointer: String
    /// The schema resource that it belongs to (Core, section 8.2.1).
    let resource: Int
    /// What it asks for, in the order in which it is judged: `unevaluated…` last. One keyword `false` for the schema `false`.
    var keywords: [SchemaKeyword] = []
}

/// What one keyword, or several that work together, ask for. Numbers are indices of nodes.
enum SchemaKeyword: Sendable {
    case never
    case types([SchemaType])
    /// `const` (one value) and `enum`; `weight` says how many values there are to compare.
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
    /// The node that the reference leads to by itself, and the anchor to look for.
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

    /// As an error names it.
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

/// What `min…` and `max…` count.
enum SchemaCount: String, CaseIterable, Sendable {
    case characters = "Length"
    case elements = "Items"
    case members = "Properties"

    /// Nil for a value of another type.
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
