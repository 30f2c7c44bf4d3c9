import Backlot
package import BacklotJSON

/// A mistake in a file, with its place.
public struct MockFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path below the routes' folder.
    public let file: String
    /// The line, from 1.
    public let line: Int
    /// The column, from 1.
    public let column: Int
    /// The message: the mistake, the expected value and the fix.
    public let text: String

    package init(_ file: String, _ text: String) {
        self.init(file, TextPosition(), text)
    }

    package init(_ file: String, _ position: TextPosition, _ text: String) {
        self.file = file
        line = position.line
        column = position.column
        self.text = text
    }

    /// The order of problems: by files, and in each from its beginning.
    package var place: (String, Int, Int) { (file, line, column) }

    /// The error for a text that isn't JSON. A string without an end is reported at its beginning.
    package init(_ file: String, _ error: JSONParseError, in bytes: [UInt8]) {
        let end = TextPosition(line: error.line, column: error.column).byteOffset(in: bytes)
        var quotes = JSONQuotes()
        var opening: Int?
        for (offset, byte) in bytes.prefix(end).enumerated() {
            let wasInside = quotes.isInside
            quotes.read(CollectionOfOne(byte))
            if quotes.isInside, !wasInside { opening = offset }
        }
        let isUnclosed = quotes.isInside && (end >= bytes.count || bytes[end] == 0x0A || bytes[end] == 0x0D)
        guard isUnclosed, let opening else {
            self.init(file, TextPosition(line: error.line, column: error.column), "this is no JSON: \(error.kind)")
            return
        }
        let text = "this is no JSON: the quote has no end on its line; write \" after the text"
        self.init(file, TextPosition(byteOffset: opening, in: bytes), text)
    }

    /// The mistake in responses of commands.
    var json: JSONValue {
        [
            "file": .string(file), "line": JSONValue(line),
            "column": JSONValue(column), "message": .string(text),
        ]
    }

    /// `users/[id].get.yaml:3:7: …`
    public var description: String { "\(file):\(line):\(column): \(text)" }
}

/// A place in a text.
package struct TextPosition: Equatable, Sendable {
    package var line = 1
    package var column = 1

    package init(line: Int = 1, column: Int = 1) {
        (self.line, self.column) = (line, column)
    }

    /// The number of bytes before the place.
    func byteOffset(in bytes: [UInt8]) -> Int {
        var place = TextPosition()
        for (offset, byte) in bytes.enumerated() {
            if place == self, byte & 0xC0 != 0x80 { return offset }
            place.pass(byte)
        }
        return bytes.count
    }

    /// The place after a number of bytes; columns count code points.
    init(byteOffset: Int, in bytes: [UInt8]) {
        for byte in bytes.prefix(byteOffset) { pass(byte) }
    }

    private mutating func pass(_ byte: UInt8) {
        if byte == 0x0A {
            line += 1
            column = 1
        } else if byte & 0xC0 != 0x80 {
            column += 1
        }
    }
}

/// All mistakes in a file.
package struct MockFileErrors: Error, CustomStringConvertible {
    package let list: [MockFileError]
    package var description: String { list.map(\.description).joined(separator: "\n") }

    init(list: [MockFileError]) { self.list = list }

    package init(_ file: String, _ text: String, at position: TextPosition = TextPosition()) {
        list = [MockFileError(file, position, text)]
    }
}

/// A file's value, with the places of its parts.
package struct SourceText {
    let file: String
    package let value: JSONValue
    /// Without the mark that some programs write at the beginning of UTF-8.
    private let bytes: [UInt8]
    /// nil for JSON.
    private let yaml: YAMLDocument?
    /// The paths of the values in lines, with their numbers; empty for other files than JSON lines.
    private var lines: [(path: [StubError.Step], number: Int, bytes: [UInt8])] = []
    /// Whether the document is a bare page, which stands under `page` in other files.
    var isBarePage = false

    /// Reads a file.
    ///
    /// - Parameter isYAML: whether it is YAML, and not JSON; nil if its name determines that.
    package init(
        _ bytes: [UInt8],
        of file: String,
        isYAML: Bool? = nil,
        mostNodes: Int = YAMLDocument.mostNodes
    ) throws(MockFileErrors) {
        let bytes = Self.withoutMark(bytes)
        (self.file, self.bytes) = (file, bytes)
        let text = try Self.text(bytes, of: file)
        do throws(MockFileError) {
            if isYAML ?? [".yaml", ".yml"].contains(where: file.lowercased().hasSuffix) {
                let document = try YAMLDocument(text, file: file, mostNodes: mostNodes)
                (yaml, value) = (document, document.value)
            } else {
                yaml = nil
                do throws(JSONParseError) {
                    value = try JSONValue(parsing: bytes)
                } catch {
                    throw MockFileError(file, error, in: bytes)
                }
            }
        } catch {
            throw MockFileErrors(list: [error])
        }
    }

    /// Reads a file of an app in JSON lines.
    init(_ bytes: [UInt8], of file: String, _ form: AppFormat.Lines, reactions key: String) throws(MockFileErrors) {
        let list = form.key
        (self.file, self.bytes, yaml) = (file, Self.withoutMark(bytes), nil)
        _ = try Self.text(bytes, of: file)
        var (elements, others): ([JSONValue], [JSONObject]) = ([], [])
        for (index, line) in self.bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let line = Array(line)
            guard !line.allSatisfy(\.isJSONSpace) else { continue }
            let element: JSONValue
            do throws(JSONParseError) {
                element = try JSONValue(parsing: line)
            } catch {
                let error = MockFileError(file, error, in: line)
                throw MockFileErrors(file, error.text, at: TextPosition(line: index + 1, column: error.column))
            }
            if let reaction = form.reaction(element) {
                lines.append(([.key(key), .index(others.count)], index + 1, line))
                others.append(reaction)
            } else if let last = others.indices.last {
                let count = others[last][list]?.array?.count ?? 0
                lines.append(([.key(key), .index(last), .key(list), .index(count)], index + 1, line))
                others[last][list] = .array((others[last][list]?.array ?? []) + [element])
            } else {
                lines.append(([.key(list), .index(elements.count)], index + 1, line))
                elements.append(element)
            }
        }
        value = .object([list: .array(elements), key: .array(others.map(JSONValue.object))])
    }

    /// A file's text.
    static func text(_ bytes: [UInt8], of file: String) throws(MockFileErrors) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        throw MockFileErrors(file, "the file is not UTF-8; save it as UTF-8")
    }

    /// The value, `{}` for an empty file; without the key that names the file's schema for editors.
    var document: JSONValue {
        guard var object = value.object else { return value.isNull ? [:] : value }
        object["$schema"] = nil
        return .object(object)
    }

    /// The place of a part, or of its key.
    package func position(of path: [StubError.Step], key: Bool = false) -> TextPosition {
        let path = isBarePage && path.first == .key("page") ? Array(path.dropFirst()) : path
        if let yaml { return yaml.position(of: path, key: key) }
        if let line = lines.last(where: { path.starts(with: $0.path) }) {
            let rest = path.dropFirst(line.path.count).map(\.pointerStep)
            let place = TextPosition(byteOffset: JSONPlaces(line.bytes).offset(of: rest, key: key), in: line.bytes)
            return TextPosition(line: line.number, column: place.column)
        }
        return TextPosition(byteOffset: JSONPlaces(bytes).offset(of: path.map(\.pointerStep), key: key), in: bytes)
    }

    /// The bytes without the mark that some programs write at the beginning of UTF-8.
    package static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    /// A mistake at its place in the file: that of a part, of its key, or of a tag in either.
    func problem(_ problem: StubError) -> MockFileError {
        var place = position(of: problem.path, key: problem.isAboutKey)
        let start = place.byteOffset(in: bytes)
        if let tag = problem.tag, let offset = TemplatePlaces.offset(of: tag, in: bytes, from: start) {
            place = TextPosition(byteOffset: offset, in: bytes)
        }
        return MockFileError(file, place, problem.text)
    }

    func problems(_ problems: [StubError]) -> MockFileErrors { MockFileErrors(list: problems.map(problem)) }

    /// Adds the notes from reading the file.
    ///
    /// - Throws: the mistakes in it.
    func finish(_ loaded: inout LoadedFile, _ reader: MockReader, _ found: [StubError]) throws(MockFileErrors) {
        guard found.isEmpty else { throw problems(found) }
        loaded.warnings = reader.warnings.map(problem)
        loaded.bodyFiles = reader.bodyFiles
    }

    /// Adds a stub, and the places of its scenario's states.
    func add(_ stub: Stub, at path: [StubError.Step], to loaded: inout LoadedFile) {
        loaded.stubs.append(stub)
        for (scenario, steps) in stub.moves?.steps ?? [] {
            let place = position(of: path + steps)
            loaded.states.append(UnusedParts.States(scenario: scenario, required: place, new: place))
        }
        guard let scenario = stub.scenario else { return }
        let required = position(of: path + [.key("requiredScenarioState")])
        let new = position(of: path + [.key("newScenarioState")])
        loaded.states.append(UnusedParts.States(scenario: scenario, required: required, new: new))
    }
}

/// The key `$schema` at the beginning of a JSON file, for editors, which find the file's schema by it. It isn't part of the file's
/// contents.
enum SchemaKey {
    /// The file's bytes with blanks in the place of the key, so that other places stay the same.
    static func blanked(_ bytes: [UInt8]) -> [UInt8] {
        // Most files have no such key, and compiling the expression would take longer than reading them.
        guard bytes.lazy.filter({ $0 > UInt8(ascii: " ") }).starts(with: #"{"$schema""#.utf8),
            let text = String(validating: bytes, as: UTF8.self),
            let match = text.prefixMatch(of: #/\s*\{\s*("\$schema"\s*:\s*"(?:[^"\\]|\\.)*"\s*,?)/#)
        else { return bytes }
        let start = match.0.utf8.distance(from: match.0.startIndex, to: match.1.startIndex)
        var blanked = bytes
        for index in start..<(start + match.1.utf8.count) where bytes[index] != 0x0A && bytes[index] != 0x0D {
            blanked[index] = UInt8(ascii: " ")
        }
        return blanked
    }
}
