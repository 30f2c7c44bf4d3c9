import ArgumentParser
import Backlot
import BacklotMocks
import Foundation
import Logging
import Testing

@testable import demo_server

/// `demo-server schema` and `demo-server new-routes`.
@Suite(.timeLimit(.minutes(5))) struct SchemaCommandTests {
    @Test(arguments: [
        ("page", "page"), ("route", "route"), ("mapping", "mapping"), ("data", "data"), ("crud", "crud"),
        ("settings", "settings"),
        ("xpedite", "xpedite"), ("floki", "floki"), ("dynamic-views", "dynamic-views"), ("views", "dynamic-views"),
    ])
    func `Routes holds each schema as it is printed`(name: String, file: String) throws {
        let files = try SchemaCommand.parse([name]).files
        let path = "Routes/.schemas/\(file).json"
        let shipped = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        #expect(shipped == files.schema, "write it anew: demo-server schema \(name) > \(path)")
        #expect(throws: Never.self) { try JSONSchema(try JSONValue(parsing: files.schema)) }
    }

    @Test func `Files of every app have a schema, and there is no other`() {
        let shipped = try? FileManager.default.contentsOfDirectory(atPath: "Routes/.schemas")
        #expect(shipped?.sorted() == SchemaCommand.Files.all.map { "\($0.name).json" }.sorted())
        #expect(throws: (any Error).self) { try SchemaCommand.parse(["applin"]) }
    }

    @Test func `A new folder is served as it is`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "new-routes-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try NewRoutes.parse([folder.path()]).run()
        let site = try MockSite.load(
            MockOptions.parse([]),
            from: folder.path(),
            path: "/",
            logger: .init(label: "test")
        )
        let report = try #require(await site?.backend.check())
        #expect(!report.hasErrors, "\(report)")
        #expect(report.pages.map(\.path).sorted() == ["/", "/log_in", "/tasks", "/tasks/1"])
        #expect(FileManager.default.fileExists(atPath: folder.path() + "/AGENTS.md"))
    }

    @Test func `A folder that isn't empty stays what it is`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "new-routes-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: folder.appending(path: "mine.txt"))
        let error = #expect(throws: (any Error).self) { try NewRoutes.parse([folder.path()]).run() }
        #expect("\(String(describing: error))".contains("mine.txt"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["mine.txt"])
    }
}
