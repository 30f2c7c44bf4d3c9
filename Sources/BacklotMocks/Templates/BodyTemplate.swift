import BacklotJSON

/// A body with tags. It is parsed once, when its file is loaded.
///
/// Bodies whose tags are plain names, most of them, are kept as bytes and places to fill in. Those with sections and the rest
/// of Mustache are kept as a tree. Both are filled in within a bound.
struct BodyTemplate: Sendable {
    enum Piece: Sendable {
        case bytes([UInt8])
        /// Unchanged.
        case raw(TemplatePath)
        /// Inside the quotes of a JSON string.
        case escaped(TemplatePath)
        /// A whole JSON value.
        case value(TemplatePath)
    }

    private enum Form: Sendable {
        case pieces([Piece])
        case sections(SectionTemplate)
    }

    private let form: Form
    let usesSession: Bool
    private let capacity: Int

    /// Reads a body.
    ///
    /// - Parameters:
    ///   - isJSON: whether values are written so that the body stays JSON.
    ///   - isPlainOnly: whether tags may only be names below `request`, as in files for WireMock.
    /// - Returns: nil when there are no tags.
    init?(_ text: String, isJSON: Bool, isPlainOnly: Bool = false) throws(TemplateMistake) {
        guard TemplateScanner.hasTags(text) else { return nil }
        let scanned = try TemplateScanner.pieces(of: text)
        let tags = scanned.compactMap { piece -> (name: String, offset: Int)? in
            if case .tag(let name, _, let offset) = piece { (name, offset) } else { nil }
        }
        if isPlainOnly { try Self.checkHandlebars(tags) }
        capacity = text.utf8.count + 64
        if tags.allSatisfy({ TemplateScanner.isPlain($0.name) }) {
            let pieces = try Self.compile(scanned, isJSON: isJSON)
            usesSession = pieces.contains { piece in
                switch piece {
                case .bytes: false
                case .raw(let path), .escaped(let path), .value(let path): path.root == .session
                }
            }
            form = .pieces(pieces)
        } else {
            usesSession = tags.contains { $0.name.contains("session") }
            form = .sections(try SectionTemplate(scanned, isJSON: isJSON))
        }
    }

    private static func checkHandlebars(_ tags: [(name: String, offset: Int)]) throws(TemplateMistake) {
        for (name, offset) in tags {
            guard TemplateScanner.isPlain(name), (try? TemplatePath(name))?.root == .request else {
                let known =
                    "of Handlebars, plain paths are known: {{request.path}}, {{request.query.x}}, {{request.headers.X}}"
                throw TemplateMistake("{{\(name)}} can't be read; \(known)", offset: offset)
            }
        }
    }

    private static func compile(_ scanned: [TemplateScanner.Piece], isJSON: Bool) throws(TemplateMistake) -> [Piece] {
        var pieces: [Piece] = []
        var bytes: [UInt8] = []
        var quotes = JSONQuotes()
        // Where a closing quote is left out, since the value before it brings its own.
        var dropsQuote = false
        for (index, piece) in scanned.enumerated() {
            switch piece {
            case .text(let text):
                if isJSON { quotes.read(text.utf8) }
                bytes += text.utf8.dropFirst(dropsQuote ? 1 : 0)
                dropsQuote = false
            case .tag(let name, let isRaw, let offset):
                let path: TemplatePath
                do {
                    path = try TemplatePath(name)
                } catch {
                    throw TemplateMistake(error.text, offset: offset)
                }
                guard isJSON else {
                    append(.raw(path), &pieces, &bytes)
                    continue
                }
                guard quotes.isInside else {
                    append(.value(path), &pieces, &bytes)
                    continue
                }
                // "{{{x}}}", and nothing else in the string: the value itself takes the string's place.
                if isRaw, quotes.hasJustOpened, bytes.last == UInt8(ascii: "\""), scanned.indices.contains(index + 1),
                    case .text(let next) = scanned[index + 1], next.utf8.first == UInt8(ascii: "\"")
                {
                    bytes.removeLast()
                    dropsQuote = true
                    append(.value(path), &pieces, &bytes)
                } else {
                    append(isRaw ? .raw(path) : .escaped(path), &pieces, &bytes)
                }
                quotes.hasJustOpened = false
            }
        }
        if !bytes.isEmpty { pieces.append(.bytes(bytes)) }
        return pieces
    }

    private static func append(_ piece: Piece, _ pieces: inout [Piece], _ bytes: inout [UInt8]) {
        if !bytes.isEmpty { pieces.append(.bytes(bytes)) }
        bytes = []
        pieces.append(piece)
    }

    /// The body for a request.
    ///
    /// - Parameter limit: how much it may take, as `TemplateOutput` counts.
    func bytes(_ context: TemplateContext, limit: Int) throws(TemplateTooLarge) -> [UInt8] {
        var output = TemplateOutput(limit: limit, capacity: capacity)
        switch form {
        case .sections(let template): try template.write(context, to: &output)
        case .pieces(let pieces):
            for piece in pieces {
                switch piece {
                case .bytes(let part): try output.append(part)
                case .raw(let path): try output.append(context.value(path).text.utf8)
                case .escaped(let path): try output.appendEscaped(context.value(path).text)
                case .value(let path): try output.append(context.value(path).json.bytes)
                }
            }
        }
        return output.bytes
    }

    /// A body like those that are sent, to judge before the first request: texts hold the tags' names, and other values are null.
    func sample() -> [UInt8] {
        switch form {
        case .sections(let template):
            var output = TemplateOutput(limit: .max, capacity: capacity)
            try? template.write(nil, to: &output)
            return output.bytes
        case .pieces(let pieces):
            return pieces.flatMap { piece -> [UInt8] in
                switch piece {
                case .bytes(let part): part
                case .raw(let path), .escaped(let path): Array("{{\(path.text)}}".utf8)
                case .value: Array("null".utf8)
                }
            }
        }
    }
}

/// Whether a place in a JSON text is inside a string.
struct JSONQuotes {
    private(set) var isInside = false
    private var isEscaped = false
    /// Whether the last byte was the opening quote.
    var hasJustOpened = false

    mutating func read(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            hasJustOpened = false
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\"), isInside {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInside.toggle()
                hasJustOpened = isInside
            }
        }
    }

    /// Appends a text as it stands between the quotes of a JSON string (RFC 8259, section 7).
    static func appendEscaped(_ text: String, to bytes: inout [UInt8]) {
        let plain = text.utf8.span
        for index in plain.indices {
            let byte = plain[index]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0A: bytes += "\\n".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0x09: bytes += "\\t".utf8
            case 0..<0x20: bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: bytes.append(byte)
            }
        }
    }
}
