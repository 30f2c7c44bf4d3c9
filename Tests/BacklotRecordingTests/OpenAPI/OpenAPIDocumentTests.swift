import Backlot
import Testing

@testable import BacklotMocks
@testable import BacklotRecording

/// Whole documents become folders that answer as the documents say.
@Suite(.timeLimit(.minutes(5))) struct OpenAPIDocumentTests {
    struct Question: Sendable, CustomTestStringConvertible {
        let method: HTTPRequest.Method
        let target: String
        var headers: HTTPFields = [:]
        var body = ""
        let response: String

        init(
            _ method: HTTPRequest.Method,
            _ target: String,
            headers: [String: String] = [:],
            body: String = "",
            _ response: String
        ) {
            self.method = method
            self.target = target
            self.headers = HTTPFields(texts: headers)
            self.body = body
            self.response = response
        }

        var testDescription: String { "\(method) \(target)" }
    }

    private static func refused(_ text: String) -> String { #"400 {"error":"\#(text)"}"# }
    private static let body = "The body must be JSON that fits its schema"
    private static let book =
        #"{"id":7,"title":"string","year":1450,"isbn":"stringstrings","price":1,"added":"2026-05-17T12:30:00Z","tags":["old","old"]}"#
    /// The examples of one book, and one that is made.
    private static let books =
        #"{"id":7,"title":"Emma","year":1815},{"id":8,"title":"Use {{this}}"},"#
        + book.replacing("7,", with: "9,", maxReplacements: 1)
    private static let tenant =
        refused("The header field 'X-Tenant' is required, and must be a text that matches ^[a-z]+$.")
    private static let limit = refused("The query parameter 'limit' is required, and must be an integer from 1 to 100.")
    private static let disordered = #"400 {"title":"Not in order","detail":"\#(body) Book in the OpenAPI document."}"#

    static let library: [Question] = [
        Question(.get, "/", "200 Welcome"),
        Question(.get, "/books?limit=5", headers: ["X-Tenant": "town"], "200 [\(books)]"),
        Question(.get, "/books?limit=0", headers: ["X-Tenant": "town"], limit),
        Question(.get, "/books?limit=five", headers: ["X-Tenant": "town"], limit),
        Question(.get, "/books?limit=5", headers: ["X-Tenant": "TOWN"], tenant),
        Question(.get, "/books", tenant),
        Question(.get, "/books?limit=5&sort=title", headers: ["X-Tenant": "town"], "200 [\(books)]"),
        Question(
            .get,
            "/books?limit=5&sort=name",
            headers: ["X-Tenant": "town"],
            refused("The query parameter 'sort' must be title or year.")
        ),
        Question(.get, "/books", headers: ["Prefer": "code=401"], #"401 {"title":"Log in"}"#),
        Question(
            .post,
            "/books",
            headers: ["X-Tenant": "town"],
            body: #"{"title":"Emma"}"#,
            #"201 {"id":10,"title":"Emma"}"#
        ),
        Question(
            .post,
            "/books",
            headers: ["X-Tenant": "town"],
            body: #"{"title":""}"#,
            disordered
        ),
        Question(.post, "/books", headers: ["X-Tenant": "town"], disordered),
        Question(.get, "/books/7", #"200 {"id":7,"title":"Emma","year":1815}"#),
        Question(.get, "/books/7", headers: ["Prefer": "example=manual"], #"200 {"id":8,"title":"Use {{this}}"}"#),
        Question(.get, "/books/7", headers: ["Prefer": "code=404"], #"404 {"title":"No such book"}"#),
        Question(.get, "/books/70", #"404 {"title":"No such book"}"#),
        Question(.get, "/books/seven", refused("The path parameter 'bookId' must be an integer.")),
        Question(.delete, "/books/7", "204 "),
        Question(.delete, "/books/7", headers: ["Prefer": "code=500"], #"500 {"title":"Log in"}"#),
        Question(.get, "/books/7/cover.png", "200 "),
        Question(
            .patch,
            "/loans/1",
            #"200 {"id":"6f1c2b0e-3d4a-4b5c-8d7e-9f0a1b2c3d4e","book":\#(book),"open":true}"#
        ),
        Question(
            .patch,
            "/loans/1",
            body: #"{"until":null,"weeks":1}"#,
            #"200 {"id":"6f1c2b0e-3d4a-4b5c-8d7e-9f0a1b2c3d4e","book":\#(book),"open":true}"#
        ),
        Question(.patch, "/loans/1", body: #"{"until":null,"weeks":0}"#, refused("\(body) in the OpenAPI document.")),
        Question(.patch, "/loans/1", body: #"{"weeks":1}"#, refused("\(body) in the OpenAPI document.")),
        Question(
            .post,
            "/log-in",
            headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: "user=a&pin=1",
            "303 "
        ),
        Question(
            .post,
            "/log-in",
            headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: "user=a&pin=x",
            refused("The form parameter 'pin' is required, and must be an integer.")
        ),
    ]

    private static let parcel =
        #"{"to":{"type":"street","city":"Bath","line":"string"},"weight":1,"note":"stri","kind":"parcel","size":[1,1]}"#
    private static let problem = #"{"title":"Refused","status":400}"#
    private static func problem(_ text: String) -> String {
        #"400 {"title":"Refused","status":400,"detail":"\#(text)"}"#
    }
    private static let misfit = problem("\(body) Parcel in the OpenAPI document.")

    static let parcels: [Question] = [
        Question(.post, "/parcels", body: parcel, "202 \(parcel)"),
        Question(.post, "/parcels", body: #"{"to":{"type":"box","box":4},"weight":31.5,"note":null}"#, "202 \(parcel)"),
        Question(.post, "/parcels", body: #"{"to":{"type":"box","box":4},"weight":0}"#, misfit),
        Question(.post, "/parcels", body: #"{"to":{"type":"box"},"weight":1}"#, misfit),
        Question(.post, "/parcels", body: "no JSON", misfit),
        Question(.get, "/parcels/P7/events", #"200 [{"at":"2026-05-17T12:30:00Z","by":"user@example.com"}]"#),
        Question(.get, "/parcels/7/events", problem("The path parameter 'id' must be a text that matches ^P[0-9]+$.")),
        Question(.get, "/parcels/P7/events", headers: ["Prefer": "code=500"], "500 \(problem)"),
        Question(.post, "/parcels/P7:cancel", "200 null"),
        Question(.get, "/export.csv", "200 id,weight\n1,2\n"),
        Question(.get, "/tree", #"200 {"name":"string","children":[],"labels":{"key1":1}}"#),
    ]

    @Test(arguments: [
        ("openapi.yaml", OpenAPIDocuments.library, library), ("parcels.json", OpenAPIDocuments.parcels, parcels),
    ])
    func `Imported mocks respond as the document says`(
        _ name: String,
        _ text: String,
        _ questions: [Question]
    ) async throws {
        let made = try OpenAPIImport(Array(text.utf8), file: name)
        try await withMocks(made.texts) { mocks, files in
            #expect(files.scan().warnings.isEmpty)
            for question in questions {
                let response = try await mocks.ask(
                    question.method,
                    question.target,
                    headers: question.headers,
                    body: question.body
                )
                #expect("\(response.status.code) \(response.text)" == question.response, "\(question.testDescription)")
            }
            for file in made.files where !file.path.contains(".crud.") {
                let name = try #require(try RouteFileName(file.path))
                let isAsked = questions.contains { question in
                    let path = String(question.target.prefix { $0 != "?" })
                    return name.kind.methods.contains(question.method)
                        && name.path.matches(PathSegments.ofMock(path))
                }
                #expect(isAsked, "\(file.path)")
            }
        }
    }

    @Test func `Responses have the headers and content types of the document`() async throws {
        let made = try OpenAPIImport(Array(OpenAPIDocuments.library.utf8), file: "openapi.yaml")
        try await withMocks(made.texts) { mocks, _ in
            let list = try await mocks.ask(.get, "/books?limit=5", headers: HTTPFields(texts: ["X-Tenant": "town"]))
            #expect(list.headers.text("X-Total-Count") == "2")
            #expect(list.headers.text("X-Next") == "https://example.com/")
            #expect(list.headers[.contentType] == "application/json")
            let cover = try await mocks.ask(.get, "/books/7/cover.png")
            #expect(cover.headers[.contentType] == "image/png")
            #expect(try await mocks.ask(.get, "/books/7/other").status == .notFound)
            let logIn = try await mocks.ask(.post, "/log-in", body: "user=a&pin=1")
            #expect(logIn.status == .badRequest)
        }
    }

    @Test func `The import of the library's document says what it left out`() throws {
        let made = try OpenAPIImport(Array(OpenAPIDocuments.library.utf8), file: "openapi.yaml")
        #expect(
            made.remarks.map(\.description) == [
                "openapi.yaml:5:1: the server's path /v1 isn't part of the routes: import into Routes/v1 if clients send it",
                "openapi.yaml:53:7: callbacks are left out",
                "openapi.yaml:65:11: of several types, application/json is used, and application/xml left out",
                "openapi.yaml:75:11: links are left out",
                "openapi.yaml:92:13: image/png has no example that is a text: the body is empty",
                "openapi.yaml:112:5: files can't respond to OPTIONS; the operation is left out",
                "openapi.yaml:150:3: credentials are not checked: every request gets its response as if they were valid; write requiresLogin or matchers into the files that need them",
            ]
        )
    }

    @Test func `The import of the parcels' document says what it left out`() throws {
        let made = try OpenAPIImport(Array(OpenAPIDocuments.parcels.utf8), file: "parcels.json")
        #expect(made.remarks.map(\.description) == ["parcels.json:55:3: webhooks are left out"])
    }
}

extension HTTPFields {
    fileprivate init(texts: [String: String]) {
        self.init()
        for (name, value) in texts {
            if let name = HTTPField.Name(name) { self[name] = value }
        }
    }

    fileprivate func text(_ name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }
}
