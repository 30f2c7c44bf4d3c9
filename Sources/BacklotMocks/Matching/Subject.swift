import BacklotJSON

/// A part of a request that a condition looks at.
enum Subject {
    /// Missing.
    case absent
    /// The value of a field, a cookie or a parameter.
    case text(String)
    /// A part of a JSON document.
    case json(JSONValue)
    /// The body.
    case body(MockRequest)
    /// The body of a part of a form.
    case bytes([UInt8])

    var isAbsent: Bool {
        switch self {
        case .absent: true
        case .body(let request): request.body.isEmpty
        case .text, .json, .bytes: false
        }
    }

    /// As text: strings without quotes, other JSON as it is written.
    var text: String? {
        switch self {
        case .absent: nil
        case .text(let text): text
        case .json(let value): value.string ?? value.description
        case .body(let request): request.text
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }

    /// As JSON; nil for a text that isn't JSON.
    var json: JSONValue? {
        switch self {
        case .absent: nil
        case .text(let text): try? JSONValue(parsing: text)
        case .json(let value): value
        case .body(let request): request.json
        case .bytes(let bytes): try? JSONValue(parsing: bytes)
        }
    }

    /// The value as a message shows it.
    var shown: String? {
        switch self {
        case .absent: nil
        case .json(let value): value.excerpt
        case .text, .body, .bytes: isAbsent ? nil : text?.shown
        }
    }
}
