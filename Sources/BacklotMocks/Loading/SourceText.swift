import BacklotJSON

/// A file's value, and where its parts stand.
enum SourceText {
    case json([UInt8], JSONValue)
    case yaml(YAMLDocument)
    /// The document is what stands under `page` elsewhere.
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
