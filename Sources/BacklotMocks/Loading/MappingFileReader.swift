import BacklotJSON

/// Makes stubs of a file that was written for WireMock.
struct MappingFileReader {
    let file: String
    let folder: RoutesFolder

    /// Reads the file's bytes: one mapping, or `{"mappings": […]}`.
    ///
    /// - Throws: `FileProblems`.
    func read(_ bytes: [UInt8]) throws(FileProblems) -> LoadedFile {
        let bytes = SourceText.withoutMark(bytes)
        var loaded = LoadedFile()
        let bodyFiles = BodyFiles(folder)
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw FileProblems(list: [FileProblem(file, error, in: bytes)])
        }
        let source = SourceText.json(bytes, value)
        var reading = StubReading(.passedOver)
        reading.bodyFile = { [bodyFiles] field throws(StubProblem) in try bodyFiles.read(field) }
        var problems: [FileProblem] = []
        do throws(StubProblem) {
            let mappings = try Field(value)["mappings"]?.elements() ?? [Field(value)]
            for (index, mapping) in mappings.enumerated() {
                do throws(StubProblem) {
                    let stub = try stub(mapping, index: index, source, &reading)
                    loaded.stubs.append(stub)
                    if let states = source.states(of: stub, at: mapping.path) { loaded.states.append(states) }
                } catch {
                    problems.append(source.problem(error, in: file))
                }
            }
        } catch {
            problems.append(source.problem(error, in: file))
        }
        guard problems.isEmpty else { throw FileProblems(list: problems) }
        loaded.warnings = reading.warnings.map { source.problem($0, in: file) }
        loaded.bodyFiles = bodyFiles.asked
        // Of two stubs with the same id, one would replace the other.
        loaded.routes = loaded.stubs.map { "the id \($0.id)" }
        return loaded
    }

    private func stub(
        _ mapping: Field,
        index: Int,
        _ source: SourceText,
        _ reading: inout StubReading
    ) throws(StubProblem) -> Stub {
        let line = source.position(of: mapping.path).line
        var field = mapping
        if mapping["id"] == nil, mapping["uuid"] == nil, var object = mapping.value.object {
            object["id"] = .string("\(StubID(name: "\(file)#\(index)"))")
            field = Field(.object(object), at: mapping.path)
        }
        return try Stub(field, source: .file(file, line: line), &reading)
    }
}
