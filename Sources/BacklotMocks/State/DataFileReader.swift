import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes

/// Reads files about data: `data/cart.yaml` declares a bucket, `users.crud.yaml` makes REST routes for one.
struct DataFileReader {
    private enum Kind {
        case bucket(String)
        /// The routes' path, and the bucket's name unless the file names another.
        case crud(PathPattern, String)
    }

    private static let endings = ["yaml", "yml", "json"]
    /// The word before the ending of a file that makes REST routes.
    static let crudWord = "crud"

    private let file: String
    private let kind: Kind

    /// - Returns: nil for files that are about something else.
    init?(_ file: String) throws(RouteFileName.Mistake) {
        let names = file.split(separator: "/").map(String.init)
        guard let parts = names.last?.split(separator: ".").map(String.init), let ending = parts.last,
            Self.endings.contains(ending.lowercased())
        else { return nil }
        self.file = file
        if parts.count == 2, names.count == 2, names[0] == "data" {
            guard Self.isName(parts[0]) else {
                throw .init(text: "'\(parts[0])' can't be the name of data; write letters, digits, '_' and '-'")
            }
            kind = .bucket(parts[0])
        } else if parts.count >= 3, parts[parts.count - 2] == Self.crudWord {
            let name = parts.dropLast(2).joined(separator: ".")
            let path = try RouteFileName.path(names.dropLast() + (name == "index" ? [] : [name]))
            kind = .crud(path, name == "index" ? names.dropLast().last ?? "rows" : name)
        } else {
            return nil
        }
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
    }

    /// Reads the file's bytes.
    ///
    /// - Throws: `FileProblems`.
    func read(_ bytes: [UInt8]) throws(FileProblems) -> LoadedFile {
        let source: SourceText
        do throws(FileProblem) {
            source = try self.source(bytes)
        } catch {
            throw FileProblems(list: [error])
        }
        var loaded = LoadedFile()
        var reading = StubReading(.refused)
        do throws(StubProblem) {
            let field = Field(source.value.isNull ? .object([:]) : source.value)
            switch kind {
            case .bucket(let name):
                try reading.check(field, knows: DataBucket.keys, ignored: ["$schema"])
                loaded.buckets = [try DataBucket(field, name: name, source: .file(file, line: 1), &reading)]
            case .crud(let path, let name): try readRoutes(field, path, name, &loaded, &reading)
            }
        } catch {
            throw FileProblems(list: [source.problem(error, in: file)])
        }
        loaded.warnings = reading.warnings.map { source.problem($0, in: file) }
        loaded.routes += loaded.buckets.map { "the data '\($0.name)'" }
        return loaded
    }

    private func source(_ bytes: [UInt8]) throws(FileProblem) -> SourceText {
        let bytes = SourceText.withoutMark(bytes)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw FileProblem(file, "the file is not UTF-8; save it as UTF-8")
        }
        guard file.hasSuffix(".json") else { return .yaml(try YAMLDocument(text, file: file)) }
        do {
            return .json(bytes, try JSONValue(parsing: bytes))
        } catch {
            throw FileProblem(file, error, in: bytes)
        }
    }

    // MARK: REST routes

    private func readRoutes(
        _ field: Field,
        _ path: PathPattern,
        _ name: String,
        _ loaded: inout LoadedFile,
        _ reading: inout StubReading
    ) throws(StubProblem) {
        try reading.check(field, knows: ["bucket"] + DataBucket.keys, ignored: ["$schema"])
        var bucket = name
        var key = "id"
        if let named = field["bucket"] {
            bucket = try named.string()
            if let other = DataBucket.keys.first(where: { field[$0] != nil }) {
                let text = "data/\(bucket).yaml declares the data; move '\(other)' there, or leave out 'bucket'"
                throw StubProblem(text, at: field.path + [.key(other)], isAboutKey: true)
            }
        } else {
            let own = try DataBucket(field, name: name, source: .file(file, line: 1), &reading)
            guard own.isList else {
                throw StubProblem("REST routes are about rows; write them under rows:", at: [.key("value")])
            }
            loaded.buckets = [own]
            key = own.key
        }
        let parameter = Self.parameter(key, of: path)
        let list = CrudRoute(bucket: bucket, part: .list)
        let row = CrudRoute(bucket: bucket, part: .row(parameter))
        let rowPath = PathPattern(path.segments + [.parameter(parameter)])
        for (route, path) in [(list, path), (row, rowPath)] {
            loaded.stubs.append(stub(route, path, route.part.methods, loaded.stubs.count))
            // What is asked for by another method is answered with 405.
            var other = stub(route, path, [], loaded.stubs.count)
            other.priority = Stub.lowestPriority
            loaded.stubs.append(other)
            let shape = path.shape
            loaded.routes += route.part.methods.map { "\($0.rawValue) \(shape)" }
        }
    }

    private static func parameter(_ key: String, of path: PathPattern) -> String {
        let plain = key.filter { $0.isLetter || $0.isNumber || $0 == "_" }
        var name = plain.isEmpty ? "id" : plain
        while path.segments.contains(.parameter(name)) { name += "_" }
        return name
    }

    private func stub(_ route: CrudRoute, _ path: PathPattern, _ methods: [HTTPRequest.Method], _ index: Int) -> Stub {
        var pattern = RequestPattern()
        pattern.methods = methods
        pattern.url = .template(path)
        let id = StubID(name: "\(file)#\(index)")
        let json: JSONValue = [
            "id": .string("\(id)"), "uuid": .string("\(id)"), "name": .string(file),
            "request": ["method": .string(methods.first?.rawValue ?? "ANY"), "urlPathTemplate": .string(path.text)],
            "response": ["status": 200], "metadata": ["file": .string(file), "data": .string(route.bucket)],
        ]
        var stub = Stub(
            id: id,
            name: nil,
            source: .file(file, line: 1),
            request: pattern,
            answer: StubAnswer(),
            scenario: nil,
            json: json
        )
        stub.data = StubData(crud: route)
        return stub
    }
}
