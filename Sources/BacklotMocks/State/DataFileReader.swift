import Backlot

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
        let source = try SourceText(bytes, of: file)
        var loaded = LoadedFile()
        var reader = MockReader(isForeign: false)
        do throws(StubError) {
            let document = LocatedValue(source.document)
            switch kind {
            case .bucket(let name):
                try reader.check(document, as: .dataFile)
                loaded.buckets = [try DataBucket(document, name: name, source: .file(file, line: 1), &reader)]
            case .crud(let path, let name): try readRoutes(document, path, name, &loaded, &reader)
            }
        } catch {
            throw source.problems([error])
        }
        try source.finish(&loaded, reader, [])
        loaded.routes += loaded.buckets.map { "the data '\($0.name)'" }
        return loaded
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
        let list = CrudRoute(bucket: bucket, part: .list)
        let row = CrudRoute(bucket: bucket, part: .row(parameter))
        let rowPath = PathPattern(path.segments + [.parameter(parameter)])
        for (route, path) in [(list, path), (row, rowPath)] {
            loaded.stubs.append(stub(route, path, route.part.methods, loaded.stubs.count))
            // Requests with other methods get a 405.
            var other = stub(route, path, [], loaded.stubs.count)
            other.priority = Stub.lowestPriority
            loaded.stubs.append(other)
            loaded.routes += route.part.methods.map { "\($0.rawValue) \(path.shape)" }
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
