/// The values of a route's parameters, percent-decoded.
public struct PathParameters: Sendable, Equatable {
    private let pattern: [PathPattern.Segment]
    private let path: [String]

    /// The parameters of a request without a route.
    package static let none = PathParameters(PathPattern([]), in: [])

    /// - Parameter path: the segments of a path, decoded. A parameter beyond its end has no value: reports about requests that a route
    ///   doesn't match look for values too.
    package init(_ pattern: PathPattern, in path: [String]) {
        self.pattern = pattern.segments
        self.path = path
    }

    /// The value of the parameter with that name; nil if the route doesn't have it. The value of a `{name...}` contains its
    /// slashes.
    public subscript(name: String) -> String? {
        for (index, segment) in pattern.enumerated() where segment.name == name && index < path.count {
            if case .rest = segment { return path[index...].joined(separator: "/") }
            return path[index]
        }
        return nil
    }

    /// The names of the parameters, in order.
    package var names: [String] { pattern.compactMap(\.name) }
}

/// The error of a handler that reads a parameter that its route doesn't have.
struct MissingParameter: Error, CustomStringConvertible {
    let name: String

    var description: String { "the route has no parameter '\(name)': write {\(name)} into its path" }
}

private enum PathParametersAttribute: RequestAttribute {
    typealias Value = PathParameters
}

extension Request {
    /// The parameters of the matching route.
    public internal(set) var parameters: PathParameters {
        get { attributes[PathParametersAttribute.self] ?? .none }
        set { attributes[PathParametersAttribute.self] = newValue }
    }

    /// The value of a route's parameter as a type that can be made from text: a number, a `String`, or a type of yours.
    ///
    /// ```swift
    /// router.get("/users/{id}") { request in
    ///     let id = try request.parameter("id", as: Int.self)
    ///     return .text("user \(id)")
    /// }
    /// ```
    /// - Throws: `StatusError` with 400 and the parameter's name, for a text that isn't of that type. A name that the route doesn't
    ///   have is a programmer's mistake: the client gets 500, and the log names it.
    public func parameter<Value: LosslessStringConvertible>(_ name: String, as type: Value.Type) throws -> Value {
        try lossless(name)
    }

    private func lossless<Value: LosslessStringConvertible>(_ name: String) throws -> Value {
        let text = try text(of: name)
        guard let value = Value(text) else {
            let isNumber = Value.self is any BinaryFloatingPoint.Type
            let kind = Value.self is any BinaryInteger.Type ? "a whole number" : isNumber ? "a number" : "\(Value.self)"
            throw StatusError(.badRequest, "the path's '\(name)' is \(text.quoted): write \(kind)")
        }
        return value
    }

    /// The value of a route's parameter as any type that can be decoded from text: an enumeration of texts, a `Date` (`2026-12-31`,
    /// or with a time in ISO 8601), a `UUID`.
    ///
    /// ```swift
    /// router.get("/days/{day}") { request in
    ///     "\(try request.parameter("day", as: Date.self).timeIntervalSince1970)"  // of /days/2026-12-24
    /// }
    /// ```
    /// - Throws: the same errors as for types that can be made from text.
    public func parameter<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value {
        let text = try text(of: name)
        do {
            return try InputDecoder.decode(type, fromText: text)
        } catch let error as InputError {
            throw StatusError(.badRequest, "the path's '\(name)' is \(text.quoted): it \(error.problem)")
        }
    }

    /// The value of a route's parameter as a number, a boolean or a `String`, with the same errors.
    public func parameter<Value: LosslessStringConvertible & Decodable>(
        _ name: String,
        as type: Value.Type = String.self
    ) throws -> Value {
        try lossless(name)
    }

    private func text(of name: String) throws(MissingParameter) -> String {
        guard let text = parameters[name] else { throw MissingParameter(name: name) }
        return text
    }
}

extension PathParameters {
    /// All parameters as one value, by the names of its properties.
    ///
    /// ```swift
    /// struct Slot: Decodable { let doctor: String, day: Date }
    /// router.get("/slots/{doctor}/{day}") { request in
    ///     let slot = try request.parameters.decode(Slot.self)
    ///     return .text(slot.doctor)
    /// }
    /// ```
    /// - Throws: `StatusError` with 400 and the name of the parameter that is of another type.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        let pairs = names.map { NamedValue(name: $0, value: self[$0] ?? "") }
        return try InputDecoder.decode(type, from: pairs, of: "the path")
    }
}
