public import HTTPTypes

extension HTTPFields {
    /// Sets a field from untrusted text, such as a configuration or a request.
    ///
    /// `HTTPField`'s initializers replace bytes that can't be sent by spaces. That is safe, but the client gets another value
    /// than intended. This method throws instead.
    ///
    /// - Throws: `HeaderError` when the name or the value can't be sent. The fields then stay unchanged.
    public mutating func set(_ name: String, to value: String) throws(HeaderError) {
        guard let fieldName = HTTPField.Name(name) else { throw .name(name) }
        try set(fieldName, to: value)
    }

    /// Sets a field with a known name, in the same way as `set(_:to:)` for texts.
    public mutating func set(_ name: HTTPField.Name, to value: String) throws(HeaderError) {
        guard HTTPField.isValidValue(value) else { throw .value(value, name: name.rawName) }
        self[name] = value
    }
}

/// A header field that can't be sent: HTTP has no notation for it, and an attempt would be read as something else.
public enum HeaderError: Error, Equatable, CustomStringConvertible {
    /// The name is not a token (RFC 9110, section 5.1).
    case name(String)
    /// The value has a control byte, such as a line ending, or a blank at either end (RFC 9110, section 5.5).
    case value(String, name: String)

    /// The field and the reason why it can't be sent, on one line.
    public var description: String {
        switch self {
        case .name(let name):
            "'\(name.escaped)' can't be the name of a header field: it takes letters, digits and !#$%&'*+-.^_`|~"
        case .value(let value, let name):
            "'\(value.escaped)' can't be the value of \(name): it takes no control characters and no blanks around it"
        }
    }
}

extension String {
    /// The text with its control characters escaped.
    fileprivate var escaped: String {
        unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? $0.escaped(asASCII: true) : String($0) }.joined()
    }
}
