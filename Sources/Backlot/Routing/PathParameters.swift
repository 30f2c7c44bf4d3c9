public import BacklotHTTP

/// The values of a route's parameters, percent-decoded.
public struct PathParameters: Sendable, Equatable {
    private let pattern: [PathPattern.Segment]
    private let path: [String]

    /// The parameters of no route.
    package static let none = PathParameters(PathPattern([]), in: [])

    /// - Parameter path: the segments of a path that the pattern matches.
    package init(_ pattern: PathPattern, in path: [String]) {
        self.pattern = pattern.segments
        self.path = path
    }

    /// The value of the parameter with that name; nil when the route has none of it. A `{name...}` is given with its
    /// slashes.
    public subscript(name: String) -> String? {
        for (index, segment) in pattern.enumerated() where segment.name == name {
            if case .rest = segment { return path[index...].joined(separator: "/") }
            return path[index]
        }
        return nil
    }

    /// The names of the parameters, in order.
    package var names: [String] { pattern.compactMap(\.name) }
}

/// A handler asked for a parameter that its route doesn't have.
struct MissingParameter: Error, CustomStringConvertible {
    let name: String

    var description: String { "the route has no parameter '\(name)': write {\(name)} into its path" }
}

private enum PathParametersAttribute: RequestAttribute {
    typealias Value = PathParameters
}

extension Request {
    /// The parameters of the route that matched.
    public internal(set) var parameters: PathParameters {
        get { attributes[PathParametersAttribute.self] ?? .none }
        set { attributes[PathParametersAttribute.self] = newValue }
    }

    /// The value of a route's parameter as a type that is made of text: a number, a `String`, or one of your own.
    ///
    /// ```swift
    /// router.get("/users/{id}") { request in
    ///     let id = try request.parameter("id", as: Int.self)
    /// ```
    /// - Throws: `StatusError` with 400, which names the parameter, for a text that isn't one of that type. A name that the
    ///   route hasn't is a programmer's mistake: 500, and the log says so.
    public func parameter<Value: LosslessStringConvertible>(
        _ name: String,
        as type: Value.Type = String.self
    ) throws -> Value {
        guard let text = parameters[name] else { throw MissingParameter(name: name) }
        guard let value = Value(text) else {
            let isNumber = Value.self is any BinaryFloatingPoint.Type
            let kind = Value.self is any BinaryInteger.Type ? "a whole number" : isNumber ? "a number" : "\(Value.self)"
            throw StatusError(.badRequest, "the path's '\(name)' is \(text.quoted): write \(kind)")
        }
        return value
    }
}
