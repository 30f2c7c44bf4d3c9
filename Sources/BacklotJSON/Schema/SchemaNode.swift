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
