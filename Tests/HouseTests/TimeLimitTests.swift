import Testing

/// Tests that never end. A suite's limit counts for each test in it.
@Suite(.timeLimit(.minutes(5))) struct TimeLimitTests {
    /// Files that other tests compare as text: code of articles, and tests that demo-server and preview write.
    private static let verbatim: Set<Substring> = [
        "Greeting", "ReadmeTests.swift", "NotesRecordedTests.swift", "RecordedFlowTests.swift",
    ]

    @Test func `Every suite, and every test outside of suites, has a time limit`() throws {
        let declaration =
            /(?:@Suite(?:\(.*\))? )?(?:(?:private|fileprivate|final|@\w+) )*(struct|class|actor|enum|extension) (\w+)/
        var tested: [String: String] = [:]
        var limited: Set<String> = []
        for folder in ["Tests", "Benchmarks/Tests", "Examples", "Fuzzing/Tests"] {
            let files = try Repository.swiftFiles(in: folder)
            for file in files where file.contains("Tests/") {
                let parts = file.split(separator: "/")
                guard Self.verbatim.isDisjoint(with: parts) else { continue }
                let module = parts.last { $0.hasSuffix("Tests") } ?? ""
                var (head, type): (String, String?) = ("", nil)
                for line in try Repository.text(file).split(separator: "\n", omittingEmptySubsequences: false) {
                    head = line.isEmpty ? "" : head + line
                    if line.hasPrefix("}") {
                        type = nil
                    } else if !line.hasPrefix(" "), let found = line.prefixMatch(of: declaration) {
                        let name = "\(module).\(found.2)"
                        type = name
                        if found.1 != "extension", head.contains(".timeLimit(") { limited.insert(name) }
                    }
                    guard line.drop(while: { $0 == " " }).hasPrefix("@Test") else { continue }
                    if let type {
                        tested[type] = file
                    } else {
                        #expect(line.contains(".timeLimit("), "\(file)")
                    }
                }
            }
        }
        #expect(tested.count > 400)
        for (type, file) in tested.sorted(by: { $0.key < $1.key }) where !limited.contains(type) {
            Issue.record("\(type), in \(file), needs @Suite(.timeLimit(.minutes(5)))")
        }
    }
}
