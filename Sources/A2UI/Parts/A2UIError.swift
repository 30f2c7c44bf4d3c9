import Backlot

/// An error in a message, a catalog, a model or an expression.
///
/// Source: the A2UI specification, Error messages.
public struct A2UIError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Category: String, Sendable {
        /// A message or a component has the wrong form.
        case validation = "ValidationError"
        /// The form is right, but not in the current state: a surface or a component is missing, twice there or in a cycle.
        case integrity = "IntegrityError"
        /// A limit of depth or size.
        case recursion = "RecursionError"
        /// An unknown catalog, or one of another version.
        case catalog = "CatalogError"
        /// A state that doesn't allow something.
        case state = "StateError"
        /// A write that the data model doesn't allow.
        case data = "DataError"
        /// A function that can't be evaluated.
        case expression = "ExpressionError"
        /// An expression in `formatString` that can't be read.
        case parse = "ParseError"
    }

    /// One wrong part of a message.
    public struct Detail: Equatable, Sendable {
        /// The kind of mistake, such as `missing_field`.
        public let code: String
        /// The JSON pointer of the part, from the message on.
        public var path: String
        /// The mistake in words.
        public let message: String
    }

    /// The kind of error.
    public let category: Category
    /// The wrong parts, at least one.
    public var details: [Detail]
    /// The surface; nil if the message names none.
    public var surfaceID: String?

    package init(_ category: Category, _ code: String, _ message: String, at path: String = "", surface: String? = nil)
    {
        self.init(category, [Detail(code: code, path: path, message: message)], surface: surface)
    }

    package init(_ category: Category, _ details: [Detail], surface: String? = nil) {
        (self.category, self.details, surfaceID) = (category, details, surface)
    }

    /// The first mistake's code, such as `missing_field`.
    public var code: String { details[0].code }
    /// The first mistake's JSON pointer.
    public var path: String { details[0].path }
    /// The first mistake in words.
    public var message: String { details[0].message }

    /// The error with its location.
    public var description: String { "\(category.rawValue): \(path.isEmpty ? "" : "\(path): ")\(message)" }

    package func at(_ path: String) -> A2UIError {
        var error = self
        for index in details.indices { error.details[index].path = path + details[index].path }
        return error
    }

    package func on(_ surface: String?) -> A2UIError {
        var error = self
        error.surfaceID = surfaceID ?? surface
        return error
    }

    /// The code of the error on the wire.
    public var wireCode: String {
        switch category {
        case .validation where code.hasPrefix("UNALLOWED_"): code
        case .validation, .integrity, .recursion, .data, .state: "VALIDATION_FAILED"
        case .catalog: "CATALOG_ERROR"
        case .expression, .parse: "EXPRESSION_ERROR"
        }
    }
}
