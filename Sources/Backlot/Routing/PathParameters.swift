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

private enum PathParametersAttribute: RequestAttribute {
    typealias Value = PathParameters
}

extension Request {
    /// The parameters of the route that matched.
    public internal(set) var parameters: PathParameters {
        get { attributes[PathParametersAttribute.self] ?? PathParameters(names: [], values: []) }
        set { attributes[PathParametersAttribute.self] = newValue }
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
