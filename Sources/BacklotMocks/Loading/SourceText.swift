package import BacklotJSON

/// A file's value, and where its parts stand.
package enum SourceText {
    case json([UInt8], JSONValue)
    case yaml(YAMLDocument)
    /// The document is a bare page, which stands under `page` in other files.
    case barePage(YAMLDocument)

    package var value: JSONValue {
        switch self {
        case .json(_, let value): value
        case .yaml(let document), .barePage(let document): document.value
        }
    }

    /// Reads a file, as YAML if its name says so, else as JSON.
    package init(_ bytes: [UInt8], of file: String) throws(FileProblems) {
        let bytes = Self.withoutMark(bytes)
        do throws(FileProblem) {
            let text = try Self.text(bytes, of: file)
            if [".yaml", ".yml"].contains(where: file.lowercased().hasSuffix) {
                self = .yaml(try YAMLDocument(text, file: file))
            } else {
                do throws(JSONParseError) {
                    self = .json(bytes, try JSONValue(parsing: bytes))
                } catch {
                    throw FileProblem(file, error, in: bytes)
                }
            }
        } catch {
            throw FileProblems(list: [error])
        }
    }

    /// A file's text.
    package static func text(_ bytes: [UInt8], of file: String) throws(FileProblem) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw FileProblem(file, "the file is not UTF-8; save it as UTF-8")
        }
        return text
    }

    /// The value, `{}` for an empty file; without the key that names the file's schema for editors.
    package var document: JSONValue {
        guard var object = value.object else { return value.isNull ? [:] : value }
        object["$schema"] = nil
        return .object(object)
    }

    /// The place of a part, of its key, or of a tag in either.
    ///
    /// - Parameter tag: how many tags begin before the one that is meant; nil for the part itself.
    package func position(of path: [StubProblem.Step], key: Bool = false, tag: Int?) -> TextPosition {
        let position = position(of: path, key: key)
        guard let tag else { return position }
        let start = position.byteOffset(in: bytes)
        guard let offset = TemplatePlaces.offset(of: tag, in: bytes, from: start) else { return position }
        return TextPosition(byteOffset: offset, in: bytes)
    }

    private var bytes: [UInt8] {
        switch self {
        case .json(let bytes, _): bytes
        case .yaml(let document), .barePage(let document): document.bytes
        }
    }

    package func position(of path: [StubProblem.Step], key: Bool = false) -> TextPosition {
        switch self {
        case .json(let bytes, _):
            TextPosition(byteOffset: JSONPlaces(bytes).offset(of: path.map(\.pointerStep), key: key), in: bytes)
        case .yaml(let document): document.position(of: path, key: key)
        case .barePage(let document):
            document.position(of: path.first == .key("page") ? Array(path.dropFirst()) : path, key: key)
        }
    }

    /// The bytes without the mark with which some programs begin UTF-8.
    package static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    func problem(_ problem: StubProblem, in file: String) -> FileProblem {
        FileProblem(file, position(of: problem.path, key: problem.isAboutKey, tag: problem.tag), problem.text)
    }
}

/// The key `$schema` at the beginning of a JSON file, by which editors find the schema of the file. It is no part of what the file holds.
enum SchemaKey {
    /// The file's bytes with blanks in the place of the key, so that places in it stay what they are.
    static func blanked(_ bytes: [UInt8]) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let match = text.prefixMatch(of: #/\s*\{\s*("\$schema"\s*:\s*"(?:[^"\\]|\\.)*"\s*,?)/#) else {
            return bytes
        }
        let start = text.utf8.distance(from: text.startIndex, to: match.1.startIndex)
        var blanked = bytes
        for index in start..<(start + match.1.utf8.count) where bytes[index] != 0x0A && bytes[index] != 0x0D {
            blanked[index] = UInt8(ascii: " ")
        }
        return blanked
    }
}
