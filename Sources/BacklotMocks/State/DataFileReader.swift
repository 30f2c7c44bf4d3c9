import Backlot

/// Reads files about data: `data/cart.yaml` declares a bucket, `users.crud.yaml` makes REST routes for one. In CSV, or with a list in
/// JSON or YAML, they hold rows alone.
package struct DataFileReader {
    private enum Kind {
        case bucket(String)
        /// The routes' path, and the bucket's name unless the file names another.
        case crud(PathPattern, String)
    }

    private static let endings = ["yaml", "yml", "json", "csv"]
    /// The word before the ending of a file that makes REST routes.
    static let crudWord = "crud"

    private let file: String
    private let kind: Kind

    /// - Returns: nil for other files.
    init?(_ file: String) throws(MessageError) {
        let names = file.split(separator: "/").map(String.init)
        guard let parts = names.last?.split(separator: ".").map(String.init), let ending = parts.last,
            Self.endings.contains(ending.lowercased())
        else { return nil }
        self.file = file
        if parts.count == 2, names.count == 2, names[0] == "data" {
            guard parts[0].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }) else {
                throw MessageError("'\(parts[0])' can't be the name of data; write letters, digits, '_' and '-'")
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

    /// Reads the file's bytes.
    ///
    /// - Throws: `MockFileErrors`.
    func read(_ bytes: [UInt8]) throws(MockFileErrors) -> LoadedFile {
        let isCSV = file.lowercased().hasSuffix(".csv")
        let table = isCSV ? try self.table(bytes) : nil
        // Data has fewer parts, since it takes at most 16 MB.
        let source = isCSV ? nil : try SourceText(bytes, of: file, mostNodes: 2_000_000)
        let list = table?.rows.map { JSONValue.object($0.row) } ?? source?.document.array
        func placed(_ problem: StubError) -> MockFileError {
            let path = list == nil ? problem.path : Array(problem.path.dropFirst())
            if let source { return source.problem(StubError(problem.text, at: path, isAboutKey: problem.isAboutKey)) }
            let line = if case .index(let index)? = path.first { table?.rows[index].line ?? 1 } else { 1 }
            return MockFileError(file, TextPosition(line: line), problem.text)
        }
        var loaded = LoadedFile()
        var reader = MockReader(isForeign: false)
        do throws(StubError) {
            let document = LocatedValue(list.map(Self.declaration) ?? source?.document ?? [:])
            switch kind {
            case .bucket(let name):
                try reader.check(document, as: .dataFile)
                loaded.buckets = [try DataBucket(document, name: name, source: .file(file, line: 1), &reader)]
            case .crud(let path, let name): try readRoutes(document, path, name, &loaded, &reader)
            }
        } catch {
            throw MockFileErrors(list: [placed(error)])
        }
        loaded.warnings = reader.warnings.map(placed)
        loaded.routes += loaded.buckets.map { "the data '\($0.name)'" }
        return loaded
    }

    private func table(_ bytes: [UInt8]) throws(MockFileErrors) -> CSVTable {
        do throws(CSVTable.ReadingError) {
            return try CSVTable(bytes)
        } catch {
            throw MockFileErrors(list: [MockFileError(file, TextPosition(line: error.line), error.text)])
        }
    }

    /// The declaration of rows alone, which may be as many as data can hold.
    private static func declaration(of rows: [JSONValue]) -> JSONValue {
        let limits: JSONValue = ["rows": JSONValue(DataBucket.mostRows), "bytes": JSONValue(DataBucket.mostBytes)]
        return ["rows": .array(rows), "limits": limits]
    }

    /// Checks the bytes of a file about data.
    ///
    /// - Throws: `MockFileErrors`.
    package static func check(_ bytes: [UInt8], of file: String) throws(MockFileErrors) {
        _ = try mapErrors({ MockFileErrors(file, "\($0)") }) { () throws(MessageError) in try DataFileReader(file) }?
            .read(bytes)
    }

    // MARK: REST routes

    private func readRoutes(
        _ document: LocatedValue,
        _ path: PathPattern,
        _ name: String,
        _ loaded: inout LoadedFile,
        _ reader: inout MockReader
    ) throws(StubError) {
        try reader.check(document, as: .crudFile)
        var bucket = name
        var key = "id"
        if let named = document["bucket"]?.value.string {
            bucket = named
            if let other = DataBucket.keys.lazy.compactMap({ document[$0.name] }).first {
                throw other.keyProblem("data/\(bucket).yaml declares the data; move this there, or leave out 'bucket'")
            }
        } else {
            loaded.buckets = [try DataBucket(document, name: name, source: .file(file, line: 1), &reader)]
            key = loaded.buckets[0].key
        }
        let parameter = Self.parameter(key, of: path)
        let list = try CrudRoute(bucket: bucket, part: .list, document)
        let row = try CrudRoute(bucket: bucket, part: .row(parameter), document)
        let session = try StubSession(document)
        let rowPath = PathPattern(path.segments + [.parameter(parameter)])
        for (route, path) in [(list, path), (row, rowPath)] {
            if !route.methods.isEmpty {
                var rows = stub(route, path, route.methods, loaded.stubs.count)
                rows.response.session = session
                loaded.stubs.append(rows)
            }
            // Requests with other methods get a 405.
            var other = stub(route, path, [], loaded.stubs.count)
            other.priority = Stub.lowestPriority
            loaded.stubs.append(other)
            // Files with a route of the same method and path come first.
            loaded.routes += route.methods.map { "the rows at \($0.rawValue) \(path.shape)" }
        }
    }

    private static func parameter(_ key: String, of path: PathPattern) -> String {
        let plain = key.filter { $0.isLetter || $0.isNumber || $0 == "_" }
        var name = plain.isEmpty ? "id" : plain
        while path.segments.contains(.parameter(name)) { name += "_" }
        return name
    }

    private func stub(_ route: CrudRoute, _ path: PathPattern, _ methods: [HTTPRequest.Method], _ index: Int) -> Stub {
        var stub = Stub(
            StubID(name: "\(file)#\(index)"),
            at: path,
            methods,
            as: methods.first?.rawValue ?? "ANY",
            in: file,
            urlKey: "urlPathTemplate",
            metadata: ["data": .string(route.bucket)]
        )
        stub.data = StubData(crud: route)
        return stub
    }
}
