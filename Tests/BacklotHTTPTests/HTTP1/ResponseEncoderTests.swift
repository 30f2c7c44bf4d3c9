import HTTPTypes
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct ResponseEncoderTests {
    private func makeEncoder(
        isHead: Bool = false,
        isHTTP10: Bool = false,
        isPersistent: Bool = true
    ) -> ResponseEncoder {
        ResponseEncoder(
            isHead: isHead,
            isHTTP10: isHTTP10,
            isPersistent: isPersistent,
            dateLine: bytes("Date: D\r\n")
        )
    }

    private func encode(_ response: Response, _ encoder: ResponseEncoder) -> String {
        var output: [UInt8] = []
        encoder.write(response, into: &output)
        return spelled(output)
    }

    private static let hello = ResponseBody.bytes(Array("hello".utf8))
    private static let sized = ResponseBody.stream(length: 5) { _ in }
    private static let unsized = ResponseBody.stream { _ in }

    @Test func `A body has a length, or is chunked without one`() {
        let encoder = makeEncoder()
        #expect(encode(Response(), encoder) == "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 0\r\n\r\n")
        #expect(
            encode(Response(body: Self.hello), encoder)
                == "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 5\r\n\r\nhello"
        )
        #expect(
            encode(Response(body: Self.sized), encoder) == "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 5\r\n\r\n"
        )
        #expect(
            encode(Response(body: Self.unsized), encoder)
                == "HTTP/1.1 200 OK\r\nDate: D\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
    }

    @Test func `Common fields are sent and changed like others`() {
        let fields: HTTPFields = [.contentType: "text/x", .vary: "Accept", .eTag: "1"]
        let common = CommonFields(fields)
        for (isHead, isHTTP10, isPersistent) in [
            (false, false, true), (true, false, true), (false, true, true), (false, false, false),
        ] {
            let encoder = makeEncoder(isHead: isHead, isHTTP10: isHTTP10, isPersistent: isPersistent)
            for status in [HTTPResponse.Status.ok, .noContent, .notFound] {
                var response = Response(status: status, common: common, body: Self.hello)
                #expect(response.headers == fields)
                #expect(
                    encode(response, encoder)
                        == encode(Response(status: status, headers: fields, body: Self.hello), encoder)
                )
                response.headers[.eTag] = "2"
                response.headers[.vary] = nil
                let changed: HTTPFields = [.contentType: "text/x", .eTag: "2"]
                #expect(response.headers == changed)
                #expect(
                    encode(response, encoder)
                        == encode(Response(status: status, headers: changed, body: Self.hello), encoder)
                )
            }
        }
        #expect(common.fields == fields)
    }

    @Test func `A response to HEAD has the framing fields of its body`() {
        let encoder = makeEncoder(isHead: true)
        let start = "HTTP/1.1 200 OK\r\nDate: D\r\n"
        #expect(encode(Response(), encoder) == start + "Content-Length: 0\r\n\r\n")
        #expect(encode(Response(body: Self.hello), encoder) == start + "Content-Length: 5\r\n\r\n")
        #expect(encode(Response(body: Self.sized), encoder) == start + "Content-Length: 5\r\n\r\n")
        #expect(encode(Response(body: Self.unsized), encoder) == start + "Transfer-Encoding: chunked\r\n\r\n")
    }

    @Test(arguments: [(HTTPResponse.Status.noContent, "204 No Content"), (.notModified, "304 Not Modified")])
    func `A 204 and a 304 have no body and no framing fields`(_ status: HTTPResponse.Status, _ line: String) {
        for body in [.empty, Self.hello, Self.sized, Self.unsized] {
            for isHead in [false, true] {
                let encoder = makeEncoder(isHead: isHead)
                let response = Response(status: status, headers: [.eTag: "\"x\""], body: body)
                #expect(encode(response, encoder) == "HTTP/1.1 \(line)\r\nDate: D\r\nETag: \"x\"\r\n\r\n")
                #expect(encoder.framing(of: response) == .none)
            }
        }
    }

    /// RFC 9110, section 15.3.6: the body is empty, and must be seen to be.
    @Test func `A 205 is empty and says so`() {
        for body in [.empty, Self.hello, Self.sized, Self.unsized] {
            let response = Response(status: .resetContent, body: body)
            let encoder = makeEncoder()
            #expect(encode(response, encoder) == "HTTP/1.1 205 Reset Content\r\nDate: D\r\nContent-Length: 0\r\n\r\n")
            #expect(encoder.framing(of: response) == .none)
        }
    }

    @Test func `An HTTP/1.0 response says whether its connection is kept`() {
        let start = "HTTP/1.1 200 OK\r\nDate: D\r\n"
        let kept = makeEncoder(isHTTP10: true)
        #expect(
            encode(Response(body: Self.hello), kept)
                == start + "Content-Length: 5\r\nConnection: keep-alive\r\n\r\nhello"
        )
        let closed = makeEncoder(isHTTP10: true, isPersistent: false)
        #expect(encode(Response(body: Self.unsized), closed) == start + "Connection: close\r\n\r\n")
        #expect(encode(Response(), closed) == start + "Content-Length: 0\r\nConnection: close\r\n\r\n")
    }

    @Test func `The last response of a connection says so`() {
        let encoder = makeEncoder(isPersistent: false)
        #expect(
            encode(Response(body: Self.unsized), encoder)
                == "HTTP/1.1 200 OK\r\nDate: D\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        )
    }

    @Test func `A status line has its reason, without line breaks`() {
        let encoder = makeEncoder()
        let end = "\r\nDate: D\r\nContent-Length: 0\r\n\r\n"
        #expect(encode(Response(status: .notFound), encoder) == "HTTP/1.1 404 Not Found\(end)")
        #expect(encode(Response(status: .init(code: 299)), encoder) == "HTTP/1.1 299 \(end)")
        let own = HTTPResponse.Status(code: 299, reasonPhrase: "Own Words")
        #expect(encode(Response(status: own), encoder) == "HTTP/1.1 299 Own Words\(end)")
        let smuggled = HTTPResponse.Status(code: 299, reasonPhrase: "A\r\nB: c")
        #expect(!encode(Response(status: smuggled), encoder).contains("\r\nB: c"))
    }

    @Test func `Fields are written in their order`() {
        var headers = HTTPFields()
        headers.append(HTTPField(name: .setCookie, value: "a=1"))
        headers.append(HTTPField(name: .contentType, value: "text/x"))
        headers.append(HTTPField(name: .setCookie, value: "b=2"))
        #expect(
            encode(Response(headers: headers), makeEncoder())
                == "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 0\r\n"
                + "Set-Cookie: a=1\r\nContent-Type: text/x\r\nSet-Cookie: b=2\r\n\r\n"
        )
    }

    @Test func `A field's value can't add lines`() {
        let response = Response(headers: [.location: "/a\r\nSet-Cookie: b=c\r\n\r\nbody"])
        let lines = encode(response, makeEncoder()).split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.count == 6)
        #expect(!lines.contains { $0.hasPrefix("Set-Cookie") })
    }

    @Test func `The handler's framing fields are dropped`() throws {
        var headers = HTTPFields()
        headers.append(HTTPField(name: .contentLength, value: "999"))
        headers.append(HTTPField(name: .transferEncoding, value: "gzip"))
        headers.append(HTTPField(name: .connection, value: "upgrade"))
        headers.append(HTTPField(name: .date, value: "yesterday"))
        headers.append(HTTPField(name: try #require(.init("cONTENT-lENGTH")), value: "999"))
        headers.append(HTTPField(name: .server, value: "x"))
        #expect(
            encode(Response(headers: headers, body: Self.hello), makeEncoder())
                == "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 5\r\nServer: x\r\n\r\nhello"
        )
    }

    @Test func `The framing follows from the body and the request`() {
        let bodies: [ResponseBody] = [.empty, Self.hello, Self.sized, Self.unsized]
        func framings(_ encoder: ResponseEncoder) -> [ResponseFraming] {
            bodies.map { encoder.framing(of: Response(body: $0)) }
        }
        #expect(framings(makeEncoder()) == [.length, .length, .length, .chunked])
        #expect(framings(makeEncoder(isHTTP10: true)) == [.length, .length, .length, .untilClose])
        #expect(framings(makeEncoder(isHead: true)) == [.none, .none, .none, .none])
    }

    @Test func `Only a chunked body has chunk sizes and a last chunk`() {
        var output: [UInt8] = []
        ResponseEncoder.writeChunk(bytes("0123456789abcdefg"), into: &output)
        ResponseEncoder.writeChunk(bytes("h"), into: &output)
        ResponseEncoder.writeEnd(.length, into: &output)
        ResponseEncoder.writeEnd(.untilClose, into: &output)
        #expect(spelled(output) == "11\r\n0123456789abcdefg\r\n1\r\nh\r\n")
        ResponseEncoder.writeEnd(.chunked, into: &output)
        #expect(spelled(output).hasSuffix("1\r\nh\r\n0\r\n\r\n"))
    }
}
