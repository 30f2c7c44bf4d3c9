import HTTPTypes
import Testing

@testable import BacklotHTTP

/// No way leads to a field that splits an answer in two.
@Suite(.timeLimit(.minutes(5))) struct ResponseHeaderTests {
    private static let endings = ["a\r\nX: b", "a\nb", "a\rb", "a\0b", "\r\n\r\n"]

    @Test(arguments: endings)
    func `A value that can't be sent is an error`(value: String) {
        var headers: HTTPFields = [.location: "/before"]
        #expect(throws: HeaderError.value(value, name: "Location")) { try headers.set(.location, to: value) }
        #expect(throws: HeaderError.value(value, name: "X-Name")) { try headers.set("X-Name", to: value) }
        #expect(throws: HeaderError.value(value, name: "Location")) { try Response.redirect(to: value) }
        #expect(headers == [.location: "/before"])
    }

    @Test(arguments: ["", "a b", "a:b", "a\r\nb", "a\0", "é", "a\n"])
    func `A name that can't be sent is an error`(name: String) {
        var headers = HTTPFields()
        #expect(throws: HeaderError.name(name)) { try headers.set(name, to: "value") }
        #expect(headers.isEmpty)
    }

    @Test(arguments: [
        (
            HeaderError.name("a\r\nb"),
            "'a\\r\\nb' can't be the name of a header field: it takes letters, digits and !#$%&'*+-.^_`|~"
        ),
        (
            .value("/\0x", name: "Location"),
            "'/\\0x' can't be the value of Location: it takes no control characters and no blanks around it"
        ),
    ])
    func `The error says what is wrong on one line`(error: HeaderError, text: String) {
        #expect(error.description == text)
    }

    /// The library's own initialisers, which can't fail, put spaces there.
    @Test(arguments: endings)
    func `However a field is made, it stays on its line`(value: String) {
        var changed = HTTPField(name: .location, value: "/")
        changed.value = value
        let fields = [
            HTTPField(name: .location, value: value),
            HTTPField(name: .location, value: Array(value.utf8)),
            HTTPField(name: .location, lenientValue: Array(value.utf8)),
            changed,
        ]
        for field in fields {
            var output: [UInt8] = []
            let encoder = ResponseEncoder(isHead: false, isHTTP10: false, isPersistent: true, dateLine: [])
            encoder.write(Response(headers: HTTPFields([field])), into: &output)
            let lines = String(decoding: output, as: UTF8.self).split(separator: "\r\n")
            #expect(lines.count == 3)
            #expect(!output.contains(0))
            #expect(output.count { $0 == 0x0A } == 4)
        }
    }

    @Test func `A redirect has a status and a location`() throws {
        let response = try Response.redirect(to: "/a?b=c%20d")
        #expect(response.status == .found)
        #expect(response.headers == [.location: "/a?b=c%20d"])
        #expect(try Response.redirect(to: "https://example.com/", status: .seeOther).status == .seeOther)
    }
}
