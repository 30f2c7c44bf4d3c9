import BacklotJSON

/// Makes stubs of a file that was written for WireMock.
struct MappingFileReader {
    let file: String
    let folder: RoutesFolder

    /// Reads the file's bytes: one mapping, or `{"mappings": […]}`.
    ///
    /// - Throws: `MockFileErrors`.
    func read(_ bytes: [UInt8]) throws(MockFileErrors) -> LoadedFile {
        let source = try SourceText(bytes, of: file)
        var loaded = LoadedFile()
        var reader = MockReader(isForeign: true)
        reader.folder = folder
        let document = LocatedValue(source.value)
        var problems: [StubError] = []
        var ids: Set<StubID> = []
        for (index, mapping) in (document["mappings"]?.each ?? [document]).enumerated() {
            do throws(StubError) {
                let stub = try stub(mapping, index: index, source, &reader)
                guard ids.insert(stub.id).inserted else {
                    throw mapping.problem(
                        "the id \(stub.id) belongs to another stub of this file; write another, or leave it out"
                    )
                }
                source.add(stub, at: mapping.path, to: &loaded)
            } catch {
                problems.append(error)
            }
        }
        try source.finish(&loaded, reader, problems)
        // Of two stubs with the same id, one would replace the other.
        loaded.routes = loaded.stubs.map { "the id \($0.id)" }
        return loaded
    }

    private func stub(
        _ mapping: LocatedValue,
        index: Int,
        _ source: SourceText,
        _ reader: inout MockReader
    ) throws(StubError) -> Stub {
        var mapping = mapping
        if mapping["id"] == nil, mapping["uuid"] == nil, var object = mapping.value.object {
            object["id"] = .string("\(StubID(name: "\(file)#\(index)"))")
            mapping = LocatedValue(.object(object), at: mapping.path)
        }
        return try Stub(mapping, source: .file(file, line: source.position(of: mapping.path).line), &reader)
    }
}

/// The files of persistent stubs: one for each, in `mappings/` of the routes' folder.
struct MappingFiles {
    let folder: RoutesFolder

    /// Writes the files of stubs, and removes those of the same stubs under other names. It blocks.
    ///
    /// - Throws: `MessageError`.
    func save(_ stubs: [Stub]) throws(MessageError) {
        var names: [StubID: String] = [:]
        for stub in stubs {
            let name = Self.name(of: stub)
            try folder.write(Array((stub.json.indented + "\n").utf8), to: name)
            names[stub.id] = name
        }
        for file in folder.list()?.files.keys.sorted() ?? [] where file.hasPrefix("mappings/") {
            guard let id = StubID(String(file.dropLast(5).suffix(36))), file.hasSuffix("-\(id).json"),
                let name = names[id], name != file
            else { continue }
            _ = try folder.remove(file)
        }
    }

    /// Removes the file that ``save(_:)`` has written. It blocks.
    ///
    /// - Throws: `MessageError`.
    func remove(_ stub: Stub) throws(MessageError) {
        guard stub.isPersistent else { return }
        _ = try folder.remove(Self.name(of: stub))
    }

    /// `mappings/get-users-7-….json`: the stub's name, or its method and URL, and its id.
    static func name(of stub: Stub) -> String {
        var words = ""
        for character in (stub.name ?? stub.title).lowercased() where words.utf8.count < 40 {
            if character.isASCII, character.isLetter || character.isNumber {
                words.append(character)
            } else if !words.isEmpty, words.last != "-" {
                words.append("-")
            }
        }
        if words.last == "-" { words.removeLast() }
        return "mappings/\(words.isEmpty ? "stub" : words)-\(stub.id).json"
    }
}
