import BacklotJSON

/// What a tag stands for.
enum TemplateValue {
    /// There is none: an empty text, or null.
    case missing
    case text(String)
    case json(JSONValue)

    /// As text; JSON that is no string as it is written, and null as nothing.
    var text: String {
        switch self {
        case .missing, .json(.null): ""
        case .text(let text): text
        case .json(let value): value.string ?? value.description
        }
    }

    /// As a JSON value.
    var json: JSONValue {
        switch self {
        case .missing: .null
        case .text(let text): .string(text)
        case .json(let value): value
        }
    }
}
