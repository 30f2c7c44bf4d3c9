import EncodablePages
import Foundation
import Testing

@testable import bench

@Suite(.timeLimit(.minutes(5))) struct DocumentedPageTests {
    private func make(
        status: Int = 200,
        type: String = "application/vnd.applin_response",
        connection: String = "keep-alive",
        body: String = DocumentedPage.body
    ) -> Response {
        Response(status: status, fields: ["content-type": type, "connection": connection], body: Array(body.utf8))
    }

    @Test func `The documented page is accepted in each equivalent form`() throws {
        try DocumentedPage.check(make(), from: "x")
        try DocumentedPage.check(make(type: "application/vnd.applin_response; charset=utf-8"), from: "x")
        try DocumentedPage.check(make(body: DocumentedPage.body.replacingOccurrences(of: "/", with: "\\/")), from: "x")
    }

    @Test func `The Encodable page is the documented one`() throws {
        let body = try JSONEncoder().encode(EncodablePage.newAccount())
        try DocumentedPage.check(make(body: String(decoding: body, as: UTF8.self)), from: "x")
    }

    @Test func `Another status, type or page is refused`() {
        let refused = [
            make(status: 500),
            make(type: "application/json"),
            make(connection: "close"),
            make(body: ""),
            make(body: "{}"),
            make(body: DocumentedPage.body.replacingOccurrences(of: "I agree", with: "I don't")),
            make(
                body: DocumentedPage.body.replacingOccurrences(of: #""typ":"form","#, with: #""typ":"form","x":null,"#)
            ),
        ]
        for response in refused {
            #expect(throws: CheckFailure.self) { try DocumentedPage.check(response, from: "x") }
        }
    }
}
