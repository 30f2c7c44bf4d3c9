import HTTPTypes
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct RequestTests {
    private func makeRequest(_ head: [UInt8]) throws -> Request {
        var parser = HeadParser(limits: .init())
        let parsed = try parser.parse(head.span)
        let address = try #require(SocketAddress(host: "1.2.3.4", port: 5))
        return Request(head: try #require(parsed), body: RequestBody(), remoteAddress: address)
    }

    @Test func `A request has a method, a target, a path and a query`() throws {
        let request = try makeRequest(makeHead("PURGE http://h/a%20b?c=d HTTP/1.1"))
        #expect(request.method.rawValue == "PURGE")
        #expect(request.target == "http://h/a%20b?c=d")
        #expect(request.path == "/a%20b")
        #expect(request.rawQuery == "c=d")
        #expect(request.remoteAddress.description == "1.2.3.4:5")
        #expect(try makeRequest(makeHead("GET / HTTP/1.1")).rawQuery == nil)
        #expect(try makeRequest(makeHead("GET /? HTTP/1.1")).rawQuery == "")
    }

    @Test(arguments: ["GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "get", "X!"])
    func `Any token is a method`(_ method: String) throws {
        #expect(try makeRequest(makeHead("\(method) / HTTP/1.1")).method.rawValue == method)
    }

    @Test func `Headers are found in any letter case`() throws {
        let headers = try makeRequest(makeHead("GET / HTTP/1.1", "x-OWN: 1", "ACCEPT: a")).headers
        #expect(headers[try #require(HTTPField.Name("X-Own"))] == "1")
        #expect(headers[.accept] == "a")
        #expect(headers.contains(.accept))
        #expect(headers[.acceptEncoding] == nil)
        #expect(headers[values: .acceptEncoding] == [])
        #expect(!headers.contains(.acceptEncoding))
    }

    @Test func `Fields of one name are joined`() throws {
        let head = makeHead("GET / HTTP/1.1", "Accept: a", "Cookie: x=1", "accept: b, c", "Cookie: y=2", "Accept:")
        let headers = try makeRequest(head).headers
        #expect(headers[.accept] == "a, b, c, ")
        #expect(headers[values: .accept] == ["a", "b, c", ""])
        #expect(headers[.cookie] == "x=1; y=2")
        #expect(headers[values: .cookie] == ["x=1", "y=2"])
    }

    @Test func `Headers are a sequence in their order`() throws {
        let headers = try makeRequest(makeHead("GET / HTTP/1.1", "B: 2", "a: 1", "B: 3")).headers
        #expect(headers.map { "\($0.name)=\($0.value)" } == ["Host=h", "B=2", "a=1", "B=3"])
    }

    @Test func `Bytes that aren't UTF-8 are replaced`() throws {
        let name = try #require(HTTPField.Name("A"))
        #expect(try makeRequest(makeHead("GET / HTTP/1.1", "A: x\u{FF}y")).headers[name] == "x\u{FFFD}y")
        #expect(try makeRequest(makeHead("GET / HTTP/1.1", "A: \u{C3}\u{A9}")).headers[name] == "é")
    }

    /// U+0301, 200 times.
    @Test func `Combining marks after 128 in a row are replaced`() throws {
        let value = String(repeating: "\u{CC}\u{81}", count: 200)
        let headers = try makeRequest(makeHead("GET / HTTP/1.1", "A: x\(value)", "Cookie: a=\(value)")).headers
        let repaired = String(repeating: "\u{301}", count: 128) + String(repeating: "\u{FFFD}", count: 72)
        #expect(headers[try #require(HTTPField.Name("A"))]?.utf8.elementsEqual("x\(repaired)".utf8) == true)
        #expect(headers[values: .cookie].first?.utf8.elementsEqual("a=\(repaired)".utf8) == true)
    }

    private enum Number: RequestAttribute { typealias Value = Int }
    private enum Other: RequestAttribute { typealias Value = Int }

    @Test func `An attribute is set, replaced and removed by its key`() throws {
        var request = try makeRequest(makeHead())
        #expect(request.attributes[Number.self] == nil)
        request.attributes[Number.self] = 1
        request.attributes[Other.self] = 2
        request.attributes[Number.self] = 3
        #expect(request.attributes[Number.self] == 3)
        #expect(request.attributes[Other.self] == 2)
        request.attributes[Number.self] = nil
        #expect(request.attributes[Number.self] == nil)
        #expect(request.attributes[Other.self] == 2)
    }

    @Test func `A request can be made in process`() async throws {
        let request = try Request(.post, "/a?b", headers: [.accept: "x"], body: Array("hello".utf8))
        #expect(request.method == .post)
        #expect(request.path == "/a")
        #expect(request.rawQuery == "b")
        #expect(request.headers[.accept] == "x")
        #expect(request.headers[.contentLength] == "5")
        #expect(request.headers.contains(try #require(HTTPField.Name("Host"))))
        #expect(try await request.body.collect() == Array("hello".utf8))
        for target in ["", "a", "/ b", "/\u{80}", "/ HTTP/1.1\r\nA: b\r\n\r\nGET /"] {
            #expect(throws: RequestError.self) { try Request(.get, target) }
        }
    }
}
