import BacklotJSON

/// The files in which stubs outlive the server: one for each, in `mappings/` of the routes' folder.
struct MappingFiles {
    let folder: RoutesFolder

    /// Writes a stub's file. It blocks.
    ///
    /// - Throws: `UnwritableFile`.
    func save(_ stub: Stub) throws(UnwritableFile) {
        try folder.write(Array((stub.json.indented + "\n").utf8), to: Self.name(of: stub))
    }

    /// Removes the file that ``save(_:)`` has written. It blocks.
    ///
    /// - Throws: `UnwritableFile`.
    func remove(_ stub: Stub) throws(UnwritableFile) {
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
