/// The limits of a form with files.
public struct MultipartLimits: Sendable {
    /// The maximum number of parts.
    public var parts = 100
    /// The maximum number of fields in a form without files (`application/x-www-form-urlencoded`).
    public var pairs = 1000
    /// The maximum size of a part's head, in bytes. It holds the part's name, its file's name and its type.
    public var head = 8 * 1024
    /// The maximum size of a file, in bytes.
    public var file = 20 * 1024 * 1024
    /// The maximum size of all other fields together, in bytes.
    public var fields = 1024 * 1024
    /// The disk space for files that are incomplete or still in use by a handler.
    public var budget = UploadBudget.shared

    /// Creates the default limits. The server's limit or a `BodyLimit` also bounds the whole body.
    public init() {}
}

/// The reasons for refusing a form with files.
public enum MultipartError: HTTPError, Equatable {
    /// The body is of another type: 415.
    case wrongType(String)
    /// The body doesn't have the form that its type promises: 400. The text gives the position.
    case malformed(String)
    /// The body ends before its last delimiter: 400.
    case incomplete
    /// There are more parts than the limit: 413.
    case tooManyParts(limit: Int)
    /// The head of a part is larger than the limit, in bytes: 413.
    case headTooLarge(limit: Int)
    /// A file is larger than the limit, in bytes: 413.
    case fileTooLarge(name: String, limit: Int)
    /// The fields that aren't files are larger than the limit, in bytes: 413.
    case fieldsTooLarge(limit: Int)

    /// The status of the response.
    public var status: HTTPResponse.Status {
        switch self {
        case .wrongType: .unsupportedMediaType
        case .malformed, .incomplete: .badRequest
        case .tooManyParts, .headTooLarge, .fileTooLarge, .fieldsTooLarge: .contentTooLarge
        }
    }

    /// One line for the client.
    public var reason: String {
        switch self {
        case .wrongType(let types): "the body must be \(types)"
        case .malformed(let what): "the form is malformed: \(what)"
        case .incomplete: "the form ends before its last delimiter"
        case .tooManyParts(let limit): "the form has more than \(limit) parts"
        case .headTooLarge(let limit): "the head of a part is larger than \(limit) bytes"
        case .fileTooLarge(let name, let limit): "the file in '\(name.prefix(80))' is larger than \(limit) bytes"
        case .fieldsTooLarge(let limit): "the fields are larger than \(limit) bytes"
        }
    }
}

/// The head of a part of a form: its name, its type, and the name of its file.
public struct MultipartHead: Sendable, Equatable {
    /// The name of the part's input.
    public let name: String
    /// The name of the file, without folders; nil for a part that isn't a file. The client chose it: never use it as a path.
    public let filename: String?
    /// The media type from the client; nil without one.
    public let contentType: String?

    /// Reads the head of a part (RFC 7578, section 4.2).
    init(_ head: [UInt8]) throws(MultipartError) {
        var disposition: Substring?
        var type: Substring?
        for line in String(decoding: head, as: UTF8.self).withFewMarks.split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { throw .malformed("a line of a part's head has no colon") }
            let value = line[line.index(after: colon)...].trimmed
            switch line[..<colon].lowercased() {
            case "content-disposition": disposition = value
            case "content-type": type = value
            default: break
            }
        }
        guard let disposition, disposition.prefix(9).lowercased() == "form-data" else {
            throw .malformed("a part has no Content-Disposition: form-data")
        }
        let parameters = FieldParameters(disposition)
        guard let name = parameters["name"] else { throw .malformed("a part has no name") }
        self.name = Self.unescaped(name)
        filename = parameters["filename"].map { name in
            let plain = Self.unescaped(name).unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
            let last = plain.split { $0 == "/" || $0 == "\\" }.last.map { String(String.UnicodeScalarView($0)) } ?? ""
            // Control characters may have stood between its combining marks.
            return last == "." || last == ".." ? "" : last.withFewMarks
        }
        contentType = type.map(String.init)
    }

    /// Decodes the three characters that browsers escape (WHATWG HTML, section 4.10.21.8).
    private static func unescaped(_ text: String) -> String {
        text.replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
    }
}

/// The parameters of a header field (RFC 9110, section 5.6.6), with or without quotation marks.
struct FieldParameters {
    private var pairs: [(name: String, value: String)] = []

    /// Reads the part after the first semicolon.
    init(_ field: Substring) {
        // By scalars: a combining mark after a separator doesn't change it.
        var rest = field.unicodeScalars.drop { $0 != ";" }
        while rest.first == ";" {
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest[name.endIndex...]
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst()
            var value = String.UnicodeScalarView()
            if rest.first == "\"" {
                rest = rest.dropFirst()
                while let character = rest.first, character != "\"" {
                    rest = rest.dropFirst()
                    // A backslash before any other character is literal: some clients send paths.
                    if character == "\\", let next = rest.first, next == "\"" || next == "\\" {
                        value.append(next)
                        rest = rest.dropFirst()
                    } else {
                        value.append(character)
                    }
                }
                rest = rest.drop { $0 != ";" }
            } else {
                let token = rest.prefix { $0 != ";" }
                rest = rest[token.endIndex...]
                value.append(contentsOf: Substring(token).trimmed.unicodeScalars)
            }
            pairs.append((Substring(name).trimmed.lowercased(), String(value)))
        }
    }

    /// The first value with a name, in lower case; nil if it is missing.
    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }
}
