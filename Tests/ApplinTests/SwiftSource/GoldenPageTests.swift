import Backlot
import Foundation
import Testing

@testable import Applin

/// Pages in JSON become Swift, which is compiled with these tests and makes the same pages.
@Suite(.timeLimit(.minutes(5))) struct GoldenPageTests {
    /// A page of `pages.jsonl`: one for each part of the vocabulary, those of the demo and those in `Routes`.
    struct Golden: Sendable, CustomTestStringConvertible {
        let id: String
        let page: JSONValue

        var testDescription: String { id }
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().path

    private static let pages: [Golden] = {
        let bytes = FileManager.default.contents(atPath: "\(folder)/pages.jsonl") ?? Data()
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard let line = try? JSONValue(parsing: Array(line), depthLimit: 512), let page = line["page"] else {
                return nil
            }
            return Golden(id: line["id"]?.string ?? "", page: page)
        }
    }()

    /// The pages as a file of Swift.
    private static func source() throws -> String {
        var list = ""
        var functions = ""
        for (index, golden) in pages.enumerated() {
            let source = try PageSource.source(of: golden.page)
            #expect(source.omissions == [], "\(golden.id)")
            list += "        (\(golden.id.swiftLiteral), { page\(index)() }),\n"
            let lines = source.text.split(separator: "\n").map { "        \($0)\n" }.joined()
            functions += "\n    private static func page\(index)() -> any Page {\n\(lines)    }\n"
        }
        return """
            // swift-format-ignore-file
            // Made of pages.jsonl. To make it anew, remove it, and run GoldenPageTests.
            import Applin

            enum GoldenPages {
                static let all: [(id: String, make: @Sendable () -> any Page)] = [
            \(list)    ]
            \(functions)}

            """
    }

    @Test func `The pages are as they were written before`() throws {
        let file = "\(Self.folder)/GoldenPages.swift"
        let source = try Self.source()
        let isNew = !FileManager.default.fileExists(atPath: file)
        // Look at it before it is committed.
        if isNew { try Data(source.utf8).write(to: URL(filePath: file)) }
        let known = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        let made = source.split(separator: "\n")
        let line = zip(known, made).enumerated().first { $1.0 != $1.1 }
        #expect(line == nil, "line \(line?.offset ?? 0): \(line?.element.0 ?? "") is now \(line?.element.1 ?? "")")
        #expect(known.count == made.count)
        #expect(!isNew)
    }

    @Test(arguments: pages)
    func `The Swift makes the same page`(golden: Golden) throws {
        let make = try #require(GoldenPages.all.first { $0.id == golden.id }?.make)
        let dialect = Dialect(ofActionsIn: golden.page) ?? .objects
        let made = try JSONValue(parsing: make().responseBody(dialect: dialect), depthLimit: 512)
        #expect(try #require(made["page"]).asRead() == golden.page.asRead())
    }

    @Test func `The pages have each part of the vocabulary`() {
        var missing: Set<String> = []
        for kind in ApplinVocabulary.all.kinds where kind != PageResponse.vocabulary {
            missing.insert(kind.name)
            for key in kind.keys {
                if case .unwritten = key.presence { continue }
                missing.insert("\(kind.name).\(key.name)")
                guard case .oneOf(let names, _) = key.type else { continue }
                for name in names { missing.insert("\(kind.name).\(key.name) \(name.text)") }
            }
        }
        for golden in Self.pages { Self.remove(golden.page, from: &missing) }
        #expect(missing == [])
    }

    private static func remove(_ value: JSONValue, from missing: inout Set<String>) {
        for element in value.array ?? [] { remove(element, from: &missing) }
        guard let object = value.object else { return }
        let name = object["typ"]?.string ?? "button"
        missing.remove(name)
        for member in object.members {
            missing.remove("\(name).\(member.key)")
            if let text = member.value.string { missing.remove("\(name).\(member.key) \(text)") }
            for action in member.key == "actions" ? member.value.array ?? [] : [] {
                guard let text = action.string else { continue }
                remove(.object(ActionForm.object(of: text)), from: &missing)
            }
            remove(member.value, from: &missing)
        }
    }
}

extension JSONValue {
    /// The value as clients read it: without nulls, and without what they assume anyway.
    ///
    /// - Parameter omissions: places that are left out, too.
    func asRead(without omissions: Set<String> = [], at pointer: String = "") -> JSONValue {
        if let array {
            return .array(array.enumerated().map { $1.asRead(without: omissions, at: "\(pointer)/\($0)") })
        }
        guard let object else { return self }
        let name = object["typ"]?.string ?? ""
        let kind = [Role.page, .widget, .action].lazy.compactMap { ApplinVocabulary.all.kind(name, as: $0) }.first
        var result = JSONObject()
        for member in object.members where !member.value.isNull {
            let place = pointer + JSONPointer.step(member.key)
            let key = kind?.keys.first { $0.name == member.key }
            if omissions.contains(place) || key?.defaultValue == member.value { continue }
            // As with "options", an empty list means the same as no list.
            if ["options1", "options2"].contains(member.key), member.value == [] { continue }
            result[member.key] = member.value.asRead(without: omissions, at: place)
        }
        return .object(result)
    }
}
