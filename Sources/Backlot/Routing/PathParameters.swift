public import BacklotHTTP

/// The values of a route's parameters, percent-decoded.
public struct PathParameters: Sendable, Equatable {
    private let names: [String]
    private let values: [String]

    init(names: [String], values: [String]) {
        self.names = names
        self.values = values
    }

    /// The value of the parameter with that name; nil when the route has none of it. A `{name...}` is given with its
    /// slashes.
    public subscript(name: String) -> String? {
        names.firstIndex(of: name).map { values[$0] }
    }
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
        get { attributes[PathParametersAttribute.self] ?? PathParameters(names: [], values: []) }
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

/// Takes the percent-encoding off a text, once (RFC 3986, section 2.1).
package enum PercentDecoding {
    /// The decoded text; nil when it is not UTF-8, or holds a NUL. Texts without a percent sign are returned as they are.
    package static func decode(_ text: Substring) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
