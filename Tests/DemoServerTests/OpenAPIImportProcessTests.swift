import ArgumentParser
import BacklotMocks
import Foundation
import Logging
import TestSupport
import Testing

@testable import demo_server

/// `demo-server import` of an OpenAPI document.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct OpenAPIImportProcessTests {
    private static let document = """
        openapi: 3.0.3
        paths:
          /tasks:
            get: {responses: {'200': {description: OK, content: {application/json: {example: []}}}}}
            trace: {responses: {}}
          /tasks/{id}:
            delete: {responses: {'204': {description: Gone}}}
        """

    private func run(_ arguments: [String]) throws -> ServerProcess.Outcome {
        try ServerProcess("demo-server", ["import"] + arguments).outcome()
    }

    @Test func `A document becomes a folder that is served`() async throws {
        try await withTemporaryFolder { folder in
            let file = try folder.write(Self.document, to: "openapi.yaml")
            let into = "\(folder.path)/Routes"
            let outcome = try run([file, "--into", into]).withStatus(0)
            #expect(
                outcome.output == """
                    written: tasks.get.yaml
                    written: tasks/[id].delete.yaml
                    note: \(file):5:5: files can't respond to TRACE; the operation is left out
                    2 routes in \(into). Next: demo-server mock --routes \(into)

                    """
            )
            let site = try MockSite.load(MockOptions.parse([]), from: into, path: "/", logger: .init(label: "test"))
            #expect(site?.backend.stubs.count == 2)
            let again = try run([file, "--into", into]).withStatus(1)
            #expect(again.errors.contains("--update replaces them"))
            #expect(try run([file, "--into", into, "--update"]).status == 0)
        }
    }

    @Test func `What can't be imported`() async throws {
        try await withTemporaryFolder { folder in
            let into = "\(folder.path)/Routes"
            let swagger = try folder.write(#"{"swagger": "2.0"}"#, to: "swagger.json")
            let old = try run([swagger, "--into", into]).withStatus(1)
            #expect(
                old.errors.hasPrefix("Error: \(swagger):1:13: this is Swagger 2.0, not OpenAPI 3; convert it first")
            )
            let empty = try folder.write("openapi: 3.1.0\npaths: {}\n", to: "empty.yml")
            let none = try run([empty, "--into", into]).withStatus(1)
            #expect(none.errors == "Error: \(empty):2:1: the document has no operation that becomes a route\n")
            let file = try folder.write(Self.document, to: "openapi.yaml")
            #expect(try run([file, "--into", into, "--with-delays"]).status == 64)
            #expect(!FileManager.default.fileExists(atPath: into))
        }
    }
}
