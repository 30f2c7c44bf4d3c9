/// A text with plain tags, such as the value of a header field.
struct TextTemplate: Sendable {
    enum Piece: Sendable {
        case text(String)
        case tag(TemplatePath)
    }

    private let pieces: [Piece]

    /// A text without tags.
    init(constant: String) {
        pieces = [.text(constant)]
    }

    init(_ text: String) throws(TemplateMistake) {
        var pieces: [Piece] = []
        for piece in try TemplateScanner.pieces(of: text) {
            switch piece {
            case .text(let text): pieces.append(.text(String(text)))
            case .tag(let name, _, let offset):
                guard TemplateScanner.isPlain(name) else {
                    throw TemplateMistake(
                        "{{\(name)}} can't stand here; write a name such as {{variables.username}}",
                        offset: offset
                    )
                }
                pieces.append(.tag(try TemplatePath(name)))
            }
        }
        self.pieces = pieces
    }

    /// The text; nil when it depends on the request.
    var constant: String? {
        var text = ""
        for piece in pieces {
            guard case .text(let part) = piece else { return nil }
            text += part
        }
        return text
    }

    var usesSession: Bool {
        pieces.contains { if case .tag(let path) = $0 { path.root == .session } else { false } }
    }

    /// - Parameter limit: the longest text that may come out, in bytes.
    func text(_ context: TemplateContext, limit: Int) throws(TemplateTooLarge) -> String {
        var output = TemplateOutput(limit: limit)
        for piece in pieces {
            switch piece {
            case .text(let text): try output.append(text.utf8)
            case .tag(let path): try output.append(context.value(path).text.utf8)
            }
        }
        return String(decoding: output.bytes, as: UTF8.self)
    }
}
