public import Backlot

/// The element of a template that relative paths begin at.
public struct DataScope: Hashable, Sendable {
    /// The path of the element; the root outside of templates.
    public var path = DataPath.root
    /// The position in the innermost template's list; nil outside of templates.
    public var index: Int?

    package init(path: DataPath = .root, index: Int? = nil) { (self.path, self.index) = (path, index) }

    /// The scope of components outside of templates.
    public static let root = DataScope()
}

/// Computes values with bindings and calls.
///
/// Source: the A2UI specification, Dynamic values.
public struct Evaluator: Sendable {
    /// The deepest nesting of values and calls.
    static let depthLimit = 50
    /// The largest number of arguments of a call.
    static let argumentLimit = 1000
    /// The largest number of parts of a value's format strings, with those of the format strings that they evaluate.
    static let partLimit = 10_000
    /// The largest number of elements and members of the lists and objects that are made, and of pieces of the texts.
    static let elementLimit = 1_000_000
    /// The bytes of a text that count as much as an element.
    private static let pieceSize = 16

    /// A call that only the client can carry out, such as that of `openUrl`.
    public struct Effect: Equatable, Sendable {
        /// The name of the function.
        public let name: String
        /// The arguments, without bindings and calls.
        public let arguments: JSONObject
    }

    /// The data model.
    public let model: DataModel
    /// The version of the surface.
    public let version: ProtocolVersion
    /// The scope of relative paths.
    public var scope: DataScope
    let catalogs: CatalogScope
    /// The errors so far, of values that became null because of them.
    public private(set) var errors: [A2UIError] = []
    /// The effects so far.
    public private(set) var effects: [Effect] = []
    /// The result of checks that gave more than true or false.
    private var depth = 0
    /// The parts of format strings in the current value.
    private var partCount = 0
    /// The elements and members so far, of all values.
    private var elementCount = 0

    package init(_ model: DataModel, _ catalogs: CatalogScope, scope: DataScope = .root) {
        (self.model, self.catalogs, self.scope) = (model, catalogs, scope)
        version = catalogs.version
    }

    /// The value of a binding or a call, and that of a literal with such parts; nil without one. An error makes nil.
    public mutating func value(of dynamic: JSONValue) -> JSONValue? {
        if depth == 0 { partCount = 0 }
        do throws(A2UIError) {
            return try result(of: dynamic)
        } catch {
            errors.append(error)
            return nil
        }
    }

    /// As ``value(of:)``, but an error is thrown.
    mutating func result(of dynamic: JSONValue) throws(A2UIError) -> JSONValue? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else {
            throw A2UIError(.recursion, "too_deep", "A value is nested more than \(Self.depthLimit) deep.")
        }
        try count(dynamic.array?.count ?? dynamic.object?.count ?? 0)
        switch dynamic {
        case .array(let elements):
            var values: [JSONValue] = []
            for element in elements { values.append(try result(of: element) ?? .null) }
            return .array(values)
        case .object(let object):
            if let path = object[version.pathKey]?.string { return model[DataPath(path, in: scope.path)] }
            if let name = object[version.callKey]?.string {
                return try call(name, object["args"]?.object ?? JSONObject(), catalog: object["catalogId"]?.string)
            }
            var values: [(String, JSONValue)] = []
            for member in object.members {
                let isEscaped = version.isOne && member.key.hasPrefix("@@")
                let key = isEscaped ? String(member.key.dropFirst()) : member.key
                values.append((key, try result(of: member.value) ?? .null))
            }
            return .object(JSONObject(pairs: values))
        default: return dynamic
        }
    }

    private mutating func count(_ elements: Int) throws(A2UIError) {
        elementCount += elements
        guard elementCount <= Self.elementLimit else {
            let text = "The values have more than \(Self.elementLimit) elements and pieces of \(Self.pieceSize) bytes."
            throw A2UIError(.recursion, "too_large", text)
        }
    }

    /// The result of a function, whose text counts.
    private mutating func result(
        of body: Function.Body,
        _ arguments: JSONObject
    ) throws(A2UIError) -> JSONValue? {
        let result = try body(arguments, &self)
        try count((result?.string?.utf8.count ?? 0) / Self.pieceSize)
        return result
    }

    package mutating func call(
        _ name: String,
        _ arguments: JSONObject,
        catalog: String? = nil
    ) throws(A2UIError) -> JSONValue? {
        guard arguments.count <= Self.argumentLimit else {
            throw A2UIError(
                .recursion,
                "too_many_arguments",
                "\(name.quoted) has more than \(Self.argumentLimit) arguments."
            )
        }
        let isIndex = version.isOne && name == "@index"
        let function = isIndex ? nil : try catalogs.function(name, catalog: catalog)
        var values = JSONObject()
        for member in arguments.members { values[member.key] = try result(of: member.value) ?? .null }
        guard let function else {
            guard let index = scope.index else {
                throw A2UIError(.expression, "no_template", "@index stands outside of a template, where no index is.")
            }
            let offset = values["offset"]?.number?.int64 ?? 0
            let (position, isTooLarge) = Int64(index).addingReportingOverflow(offset)
            guard !isTooLarge else {
                throw A2UIError(.expression, "invalid_value", "The offset \(offset) of @index is too large.")
            }
            return .number(JSONNumber(position))
        }
        guard let body = function.body else {
            throw A2UIError(.expression, "unrecognized_function", "The function \(name.quoted) isn't implemented here.")
        }
        let result = try result(of: body, values)
        if function.result == .void { effects.append(Effect(name: name, arguments: values)) }
        return result
    }

    /// The text of a `formatString`. A part with an error is empty. But an error of a limit ends the whole text: otherwise a format
    /// that evaluates itself would take a time that doubles with each level.
    mutating func text(ofFormat format: String) throws(A2UIError) -> String {
        var text = ""
        for part in try Expression.parts(of: format) {
            do throws(A2UIError) {
                let piece = Self.text(of: try value(of: part))
                try count(piece.utf8.count / Self.pieceSize)
                text += piece
            } catch {
                guard error.category != .recursion else { throw error }
                errors.append(error)
            }
        }
        return text
    }

    private mutating func value(of expression: Expression) throws(A2UIError) -> JSONValue? {
        partCount += 1
        guard partCount <= Self.partLimit else {
            let text = "The formats of a value have more than \(Self.partLimit) parts."
            throw A2UIError(.recursion, "too_many_parts", text)
        }
        switch expression {
        case .literal(let value): return value
        case .path(let path): return model[DataPath(path, in: scope.path)]
        case .call(let name, let expressions):
            depth += 1
            defer { depth -= 1 }
            guard depth <= Self.depthLimit else {
                throw A2UIError(.recursion, "too_deep", "Calls are nested more than \(Self.depthLimit) deep.")
            }
            var values = JSONObject()
            for (name, expression) in expressions.sorted(by: { $0.key < $1.key }) {
                values[name] = try value(of: expression) ?? .null
            }
            let function = try catalogs.function(name, catalog: nil)
            guard let body = function.body else {
                throw A2UIError(
                    .expression,
                    "unrecognized_function",
                    "The function \(name.quoted) isn't implemented here."
                )
            }
            return try result(of: body, values)
        }
    }

    /// A value within a text: numbers and booleans as in JSON, null and no value as nothing, lists and objects as JSON.
    package static func text(of value: JSONValue?) -> String {
        switch value {
        case nil, .null?: ""
        case .string(let text)?: text
        case let value?: value.description
        }
    }
}
