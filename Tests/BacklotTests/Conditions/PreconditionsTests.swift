import Backlot
import Testing

@testable import Backlot

/// RFC 9110, sections 13.1 and 13.2.2.
@Suite(.timeLimit(.minutes(5))) struct PreconditionsTests {
    private static let date = HTTPDate(secondsSince1970: 784_111_777)
    private static let same = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let before = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let after = "Sun, 06 Nov 1994 08:49:38 GMT"
    private static let strong = Validators(eTag: ETag("x"), lastModified: date)
    private static let weak = Validators(eTag: ETag("x", isWeak: true), lastModified: date)
    private static let dated = Validators(lastModified: date)
    private static let bare = Validators()

    struct Row: CustomTestStringConvertible, Sendable {
        var fields: [String: String]
        var method: HTTPRequest.Method
        var validators: Validators
        var outcome: ConditionOutcome

        init(
            _ fields: [String: String],
            _ outcome: ConditionOutcome,
            _ method: HTTPRequest.Method = .get,
            _ validators: Validators = strong
        ) {
            (self.fields, self.method, self.validators, self.outcome) = (fields, method, validators, outcome)
        }

        var testDescription: String { "\(method) \(fields)" }
    }

    @Test(arguments: [
        Row([:], .met),
        // If-None-Match compares weakly.
        Row(["If-None-Match": "\"x\""], .notModified),
        Row(["If-None-Match": "\"x\""], .notModified, .head),
        Row(["If-None-Match": "\"x\""], .failed, .post),
        Row(["If-None-Match": "\"x\""], .failed, .put),
        Row(["If-None-Match": "W/\"x\""], .notModified),
        Row(["If-None-Match": "\"x\""], .notModified, .get, weak),
        Row(["If-None-Match": "\"y\", \"x\""], .notModified),
        Row(["If-None-Match": "*"], .notModified),
        Row(["If-None-Match": "*"], .notModified, .get, bare),
        Row(["If-None-Match": "*"], .failed, .put),
        Row(["If-None-Match": "\"y\""], .met),
        Row(["If-None-Match": "x"], .met),
        Row(["If-None-Match": ""], .met),
        Row(["If-None-Match": "\"x\""], .met, .get, dated),
        // If-Match compares strongly.
        Row(["If-Match": "\"x\""], .met),
        Row(["If-Match": "\"x\""], .met, .put),
        Row(["If-Match": "\"y\", \"x\""], .met),
        Row(["If-Match": "\"y\""], .failed),
        Row(["If-Match": "\"y\""], .failed, .put),
        Row(["If-Match": "W/\"x\""], .failed),
        Row(["If-Match": "\"x\""], .failed, .get, weak),
        Row(["If-Match": "W/\"x\""], .failed, .get, weak),
        Row(["If-Match": "\"x\""], .failed, .get, dated),
        Row(["If-Match": "*"], .met),
        Row(["If-Match": "*"], .met, .get, bare),
        Row(["If-Match": "x"], .failed),
        // If-Modified-Since counts for GET and HEAD, and where it is a date.
        Row(["If-Modified-Since": same], .notModified),
        Row(["If-Modified-Since": same], .notModified, .head),
        Row(["If-Modified-Since": same], .met, .post),
        Row(["If-Modified-Since": after], .notModified),
        Row(["If-Modified-Since": before], .met),
        Row(["If-Modified-Since": "Sunday, 06-Nov-94 08:49:37 GMT"], .notModified),
        Row(["If-Modified-Since": "Sun Nov  6 08:49:37 1994"], .notModified),
        Row(["If-Modified-Since": "Fri, 31 Dec 9999 23:59:59 GMT"], .notModified),
        Row(["If-Modified-Since": "yesterday"], .met),
        Row(["If-Modified-Since": "0"], .met),
        Row(["If-Modified-Since": "\(same), \(same)"], .met),
        Row(["If-Modified-Since": same], .met, .get, bare),
        // If-Unmodified-Since likewise, for every method.
        Row(["If-Unmodified-Since": same], .met),
        Row(["If-Unmodified-Since": after], .met),
        Row(["If-Unmodified-Since": before], .failed),
        Row(["If-Unmodified-Since": before], .failed, .put),
        Row(["If-Unmodified-Since": "yesterday"], .met),
        Row(["If-Unmodified-Since": before], .met, .get, bare),
        // Tags go before dates, and If-Match before If-None-Match.
        Row(["If-None-Match": "\"y\"", "If-Modified-Since": same], .met),
        Row(["If-None-Match": "\"x\"", "If-Modified-Since": before], .notModified),
        Row(["If-None-Match": "nonsense", "If-Modified-Since": same], .met),
        Row(["If-Match": "\"x\"", "If-Unmodified-Since": before], .met),
        Row(["If-Match": "\"y\"", "If-Unmodified-Since": same], .failed),
        Row(["If-Match": "\"y\"", "If-None-Match": "\"x\""], .failed),
        Row(["If-Match": "\"x\"", "If-None-Match": "\"x\""], .notModified),
        Row(["If-Match": "\"x\"", "If-Modified-Since": same], .notModified),
        Row(["If-Unmodified-Since": same, "If-None-Match": "\"x\""], .notModified),
        Row(["If-Unmodified-Since": before, "If-None-Match": "\"x\""], .failed),
        Row(["If-Unmodified-Since": same, "If-Modified-Since": same], .notModified),
    ])
    func `The outcome follows the order of precedence`(row: Row) throws {
        var headers: HTTPFields = [:]
        for (name, value) in row.fields { headers[try #require(HTTPField.Name(name))] = value }
        #expect(try Request(row.method, "/", headers: headers).outcome(with: row.validators) == row.outcome)
    }

    @Test(arguments: [
        (nil, strong, true), ("\"x\"", strong, true), ("\"y\"", strong, false), ("W/\"x\"", strong, false),
        ("\"x\"", weak, false), ("W/\"x\"", weak, false), ("\"x\"", bare, false), ("*", strong, false),
        ("\"x\", \"y\"", strong, false), ("nonsense", strong, false), ("", strong, false),
        (same, strong, true), (before, strong, false), (after, strong, false), (same, weak, true), (same, bare, false),
        ("Sunday, 06-Nov-94 08:49:37 GMT", strong, true),
    ])
    func `If-Range asks for just these bytes`(field: String?, validators: Validators, expected: Bool) {
        let now = HTTPDate(secondsSince1970: Self.date.secondsSince1970 + 1)
        #expect(Preconditions(ifRange: field).allowsRange(validators, now: now) == expected)
    }

    @Test func `A date says nothing of a second that isn't over`() {
        #expect(!Preconditions(ifRange: Self.same).allowsRange(Self.strong, now: Self.date))
        #expect(Preconditions(ifRange: "\"x\"").allowsRange(Self.strong, now: Self.date))
    }

    // MARK: Answers

    private static let page = Response(
        headers: [
            .contentType: "application/json", .contentLanguage: "en", .cacheControl: "no-cache", .vary: "Cookie",
            .setCookie: "a=b",
        ],
        body: .bytes(Array("{}".utf8))
    )

    @Test func `A response gets its validators`() throws {
        let response = Self.page.validated(by: Self.strong, for: try Request(.get, "/"))
        #expect(response.status == .ok)
        #expect(response.bodyText == "{}")
        #expect(response.headers[.eTag] == "\"x\"")
        #expect(response.headers[.lastModified] == Self.same)
    }

    @Test func `304 has what caches need, and no body`() throws {
        let request = try Request(.get, "/", headers: [.ifNoneMatch: "\"x\""])
        let response = Self.page.validated(by: Self.strong, for: request)
        #expect(response.status == .notModified)
        #expect(response.headers == [.cacheControl: "no-cache", .vary: "Cookie", .setCookie: "a=b", .eTag: "\"x\""])
        guard case .empty = response.body else { throw StatusError(.ok, "there is a body") }
    }

    @Test func `304 without a tag has the date`() throws {
        let request = try Request(.get, "/", headers: [.ifModifiedSince: Self.same])
        let response = Self.page.validated(by: Self.dated, for: request)
        #expect(response.status == .notModified)
        #expect(response.headers[.lastModified] == Self.same)
    }

    @Test func `412 is a response of its own`() throws {
        let request = try Request(.get, "/", headers: [.ifMatch: "\"y\""])
        let response = Self.page.validated(by: Self.strong, for: request)
        #expect(response.status == .preconditionFailed)
        #expect(response.headers == [.contentType: "text/plain; charset=utf-8"])
        #expect(response.bodyText == "the resource is not what If-Match or If-Unmodified-Since asks for\n")
    }

    @Test func `Conditions are for successes only`() throws {
        let request = try Request(.get, "/", headers: [.ifNoneMatch: "\"x\""])
        let response = Response.text("gone", status: .gone).validated(by: Self.strong, for: request)
        #expect(response.status == .gone)
        #expect(response.headers[.eTag] == nil)
    }
}
