import BacklotJSON

/// What is wrong in a file, and where.
public struct FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path below the routes' folder.
    public let file: String
    /// The line, from 1.
    public let line: Int
    /// The column, from 1.
    public let column: Int
    /// What is wrong, what was expected and what to write.
    public let text: String

    init(_ file: String, _ text: String) {
        self.init(file, TextPosition(), text)
    }

    init(_ file: String, _ position: TextPosition, _ text: String) {
        self.file = file
        line = position.line
        column = position.column
        self.text = text
    }

    /// The order of problems: by files, and in each from its beginning.
    var place: (String, Int, Int) { (file, line, column) }

    /// `users/[id].get.yaml:3:7: …`
    public var description: String { "\(file):\(line):\(column): \(text)" }
}

/// A place in a text.
struct TextPosition: Equatable, Sendable {
    var line = 1
    var column = 1

    init(line: Int = 1, column: Int = 1) {
        self.line = line
        self.column = column
    }

    /// The place after a number of bytes; columns count code points.
    init(byteOffset: Int, in bytes: [UInt8]) {
        for byte in bytes.prefix(byteOffset) {
            if byte == 0x0A {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }
}

/// A file's value, and where its parts stand.
enum SourceText {
    case json([UInt8], JSONValue)
    case yaml(YAMLDocument)
    /// The document is a bare page, which stands under `page` in other files.
    case barePage(YAMLDocument)

    var value: JSONValue {
        switch self {
        case .json(_, let value): value
        case .yaml(let document), .barePage(let document): document.value
        }
    }

    func position(of path: [StubProblem.Step], key: Bool = false) -> TextPosition {
        switch self {
        case .json(let bytes, _):
            TextPosition(byteOffset: JSONPlaces(bytes).offset(of: path.map(\.pointerStep), key: key), in: bytes)
        case .yaml(let document): document.position(of: path, key: key)
        case .barePage(let document):
            document.position(of: path.first == .key("page") ? Array(path.dropFirst()) : path, key: key)
        }
    }

    func problem(_ problem: StubProblem, in file: String) -> FileProblem {
        FileProblem(file, position(of: problem.path, key: problem.isAboutKey), problem.text)
    }
}
