import Testing

/// One word for one idea: words that names of types, files and identifiers no longer have, with what to write.
@Suite(.timeLimit(.minutes(5))) struct RetiredWordTests {
    /// The words of types and of files in Sources.
    private static let ofTypes: [Substring: String] = [
        "Answer": "Response", "Company": "Companion", "Crew": "Worker", "Deed": "Step", "Judge": "Inspector",
        "Mistake": "…Error",
        "Problem": "…Error", "Rehearsal": "FlowReconstruction", "Relief": "LoadShedding", "Room": "Limit or Budget",
        "Scene": "Screen or State", "Stage": "Screen or Phase", "Walk": "Crawl",
        "Wire": "AppProtocol, Transport or Codec",
        "Words": "Vocabulary",
    ]
    /// Types that keep a word, and why.
    private static let exceptions = [
        "ProblemDetails": "the name of RFC 9457",
        "JudgeCommand": "what users type: `demo-server judge`",
    ]
    /// Names that keep the word `answer`, and why.
    private static let answers: [String: String] = [
        "RetiredWordTests.answers": "this list"
    ]

    /// The words of a name in camel case: `HTTP2Answers` has `HTTP2` and `Answer`.
    private static func words(of name: some StringProtocol) -> [Substring] {
        String(name).matches(of: /[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z0-9]+/).map { match in
            let word = match.output
            return word.count > 4 && word.hasSuffix("s") && word != "Words" ? word.dropLast() : word
        }
    }

    private static func retired(in name: some StringProtocol) -> String? {
        guard exceptions[String(name)] == nil else { return nil }
        return words(of: name).lazy.compactMap { word in ofTypes[word].map { "\(word): write \($0)" } }.first
    }

    @Test(arguments: [
        ("StubAnswer", true), ("HTTP2Answers", true), ("XMLProblem", true), ("JudgeCommand", false),
        ("Roommate", false),
        ("ProblemDetails", false), ("MockResponse", false), ("ApplinWords", true), ("Wired", false),
    ])
    func `Words of names are found`(name: String, isRetired: Bool) {
        #expect((Self.retired(in: name) != nil) == isRetired)
    }

    @Test func `Types and files have no retired word`() throws {
        let declaration = /^ *(?:[a-z@]+(?:\([^)]*\))? )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/
        var count = 0
        for file in try Repository.swiftFiles(in: "Sources") {
            let stem = file.split(separator: "/").last.map { $0.dropLast(".swift".count) } ?? ""
            for part in stem.split(separator: "+") {
                if let found = Self.retired(in: part) { Issue.record("The file \(file) has a retired word. \(found)") }
            }
            for line in try Repository.text(file).split(separator: "\n") {
                guard let name = line.prefixMatch(of: declaration)?.1 else { continue }
                count += 1
                if let found = Self.retired(in: name) { Issue.record("\(file): \(name) has a retired word. \(found)") }
            }
        }
        #expect(count > 1500)
    }

    @Test func `What a server sends back is a response`() throws {
        let declaration = /\b(?:func|let|var|case|struct|class|enum|actor|protocol|typealias) (\w*[aA]nswer\w*)/
        for file in try Repository.swiftFiles(in: "Sources") + Repository.swiftFiles(in: "Tests") {
            let type = file.split(separator: "/").last?.split(whereSeparator: { $0 == "." || $0 == "+" }).first ?? ""
            for line in try Repository.text(file).split(separator: "\n")
            where !line.drop(while: { $0 == " " }).hasPrefix("//") {
                for match in line.matches(of: declaration) where Self.answers["\(type).\(match.1)"] == nil {
                    Issue.record("\(file): \(match.1) is a response: say so, or list it with a reason.")
                }
            }
        }
        let scripts = try Repository.files(in: "Sources/BacklotPreview/Web") { $0.hasSuffix(".js") }
        #expect(scripts.count > 100)
        for file in scripts {
            let found = try Repository.text(file).firstMatch(of: /\b(?:const|let|function|async) (\w*[aA]nswer\w*)/)
            #expect(found == nil, "\(file): \(found?.1 ?? "") is a response.")
        }
    }
}
