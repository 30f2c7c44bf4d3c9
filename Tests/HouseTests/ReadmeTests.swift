import Testing

struct ReadmeTests {
    @Test func `The page of code is the example that CI builds`() throws {
        let example = try Repository.text("Examples/Hello/main.swift")
        #expect(try Repository.text("README.md").contains("```swift\n\(example)```"))
    }

    @Test func `The test in it is one that runs`() throws {
        let test = try Repository.text("Tests/BacklotTestingTests/Client/ReadmeTests.swift")
        #expect(try Repository.text("README.md").contains("```swift\n\(test)```"))
    }

    @Test func `Every folder and file that the layout names is there`() throws {
        let readme = try Repository.text("README.md")
        let layout = try #require(readme.components(between: "## Layout\n", and: "\n## "))
        let paths = layout.split(separator: "\n").compactMap { line -> String? in
            guard line.hasPrefix("| `"), let end = line.dropFirst(3).firstIndex(of: "`") else { return nil }
            return String(line.dropFirst(3)[..<end])
        }
        #expect(paths.count > 5)
        for path in paths { #expect(Repository.exists(path), "\(path)") }
    }
}

extension String {
    fileprivate func components(between start: String, and end: String) -> Substring? {
        guard let first = firstRange(of: start) else { return nil }
        let rest = self[first.upperBound...]
        return rest[..<(rest.firstRange(of: end)?.lowerBound ?? rest.endIndex)]
    }
}
