import Testing

@testable import Backlot

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private struct Plot: Codable, Sendable {
    enum Soil: String, Codable, CaseIterable { case sand, clay }
    struct Corner: Codable, Sendable { var x: Double, y: Float }

    var id: UUID
    var soil: Soil
    var corners: [Corner]
    var prices: [String: Int]
    var since: Date
    var neighbours: [Plot]
    var parent: Owner?
    var count: UInt8?
    var isSunny: Bool?
}

private final class Owner: Codable, Sendable {
    let name: String
    let boss: Owner?
}

private struct Filter: Decodable, Sendable { var text: String, page: Int?, tag: [String]? }

private struct Sealed: Encodable, Sendable { var name = "" }

private struct Even: Codable, Sendable {
    var number: Int
    init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(Int.self)
        if number == 0 { throw UserError("zero") }
    }
}

private struct Point: Codable, Sendable, OpenAPIDescribed {
    static let openAPISchema: JSONValue = ["type": "string", "pattern": "^[0-9]+,[0-9]+$"]
    var text: String
}

@Suite(.timeLimit(.minutes(5))) struct OpenAPITests {
    @Test func `Typed routes are described, and others are not`() throws {
        let router = Router()
        router.get("/page") { _ in .text("a page") }
        router.group("/api", JSONErrors(), BasicAuthentication(realm: "x") { _ in true }) { api in
            api.get("/plots", query: Filter.self, summary: "Finds plots.") { _, _ in [Plot]() }
            api.post("/plots", body: Filter.Body.self, status: .created) { _, _ in JSONResponse("id") }
            api.get("/plots/{id}") { _ async throws -> Point? in nil }
        }
        let document = router.openAPI(title: "Garden", version: "2")
        #expect(document.gaps == [])
        let json = document.json
        #expect(json["openapi"] == "3.1.0" && json["info"] == ["title": "Garden", "version": "2"])
        #expect(json["paths"]?.object?.keys == ["/api/plots", "/api/plots/{id}"])
        #expect(json["components"]?["securitySchemes"] == ["basic": ["type": "http", "scheme": "basic"]])
        let problem: JSONValue = [
            "description": "An error (RFC 9457)",
            "content": ["application/problem+json": ["schema": ["$ref": "#/components/schemas/ProblemDetails"]]],
        ]
        let find = try #require(json["paths"]?["/api/plots"]?["get"])
        #expect(
            find == [
                "operationId": "get-api-plots", "summary": "Finds plots.",
                "parameters": [
                    ["name": "text", "in": "query", "required": true, "schema": ["type": "string"]],
                    [
                        "name": "page", "in": "query", "required": false,
                        "schema": ["type": "integer", "format": "int64"],
                    ],
                    [
                        "name": "tag", "in": "query", "required": false,
                        "schema": ["type": "array", "items": ["type": "string"]],
                    ],
                ],
                "responses": [
                    "200": [
                        "description": "OK",
                        "content": [
                            "application/json": [
                                "schema": ["type": "array", "items": ["$ref": "#/components/schemas/Plot"]]
                            ]
                        ],
                    ],
                    "default": problem,
                ],
                "security": [["basic": []]],
            ],
            "\(find)"
        )
        let create = json["paths"]?["/api/plots"]?["post"]
        #expect(
            create?["requestBody"]?["content"]?["application/json"]?["schema"] == ["$ref": "#/components/schemas/Body"]
        )
        #expect(create?["responses"]?["201"]?["description"] == "Created")
        let one = json["paths"]?["/api/plots/{id}"]?["get"]
        #expect(
            one?["parameters"] == [["name": "id", "in": "path", "required": true, "schema": ["type": "string"]]]
        )
        #expect(one?["responses"]?["404"] == problem)
        #expect(one?["responses"]?["200"]?["content"]?["application/json"]?["schema"] == Point.openAPISchema)
    }

    @Test func `A type's keys become its schema`() throws {
        let schemas = SchemaWriter()
        #expect(schemas.schema(of: [Plot?].self) == ["type": "array", "items": ["$ref": "#/components/schemas/Plot"]])
        #expect(schemas.gaps == [])
        #expect(
            schemas.components["Plot"] == [
                "type": "object",
                "properties": [
                    "id": ["type": "string", "format": "uuid"],
                    "soil": ["$ref": "#/components/schemas/Soil"],
                    "corners": ["type": "array", "items": ["$ref": "#/components/schemas/Corner"]],
                    "prices": ["type": "object", "additionalProperties": ["type": "integer", "format": "int64"]],
                    "since": ["type": "string", "format": "date-time"],
                    "neighbours": ["type": "array", "items": ["$ref": "#/components/schemas/Plot"]],
                    "parent": ["$ref": "#/components/schemas/Owner"],
                    "count": ["type": "integer", "minimum": 0],
                    "isSunny": ["type": "boolean"],
                ],
                "required": ["id", "soil", "corners", "prices", "since", "neighbours"],
            ]
        )
        #expect(schemas.components["Soil"] == ["enum": ["sand", "clay"]])
        #expect(
            schemas.components["Owner"] == [
                "type": "object",
                "properties": ["name": ["type": "string"], "boss": ["$ref": "#/components/schemas/Owner"]],
                "required": ["name"],
            ]
        )
    }

    @Test func `What can't be described is named`() throws {
        let router = Router()
        router.get("/sealed") { _ in Sealed() }
        router.get("/even") { _ async throws -> Even in throw CancellationError() }
        router.get("/files/{path...}") { _ in "text" }
        let document = router.openAPI(title: "Gaps", version: "1")
        #expect(document.gaps.count == 3)
        #expect(document.gaps[0] == "Sealed isn't a Decodable type: make it Codable, or OpenAPIDescribed")
        #expect(document.gaps[1].hasPrefix("Even can't be read from example values ("))
        #expect(document.gaps[2].hasPrefix("/files/{path...}: OpenAPI has no parameter for the rest of a path"))
        let text = document.json["paths"]?["/files/{path}"]?["get"]?["responses"]?["200"]?["content"]
        #expect(text == ["text/plain": ["schema": ["type": "string"]]])
        #expect(document.response.headers[.contentType] == "application/json")
    }

    @Test func `Two types of one name have a schema each`() {
        let schemas = SchemaWriter()
        #expect(schemas.schema(of: Filter.Body.self) == ["$ref": "#/components/schemas/Body"])
        #expect(schemas.schema(of: Point.Body.self) == ["$ref": "#/components/schemas/Body2"])
    }
}

extension Filter {
    fileprivate struct Body: Codable, Sendable { var name: String }
}

extension Point {
    fileprivate struct Body: Codable, Sendable { var size: Int }
}
