import Testing

/// Debug and release builds have the same API: they differ in defaults alone.
@Suite(.timeLimit(.minutes(5))) struct BuildTests {
    @Test func `What differs in debug builds is in one file`() throws {
        let files = try Repository.swiftFiles(in: "Sources").filter {
            try Repository.text($0).contains(/#(if|elseif) .*\bDEBUG\b/)
        }
        #expect(files == ["Sources/BacklotHTTP/Server/BuildDefaults.swift"])
    }
}
