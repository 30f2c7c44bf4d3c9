import FoundationEssentials
import TestSupport
import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct QueryTests {
    private enum Order: String, CaseIterable, Decodable { case name, date }
    private struct Search: Decodable {
        let text: String
        let page: Int?
        let tag: [String]?
        let isOpen: Bool?
    }

    private func handler() -> any Handler {
        let router = Router()
        router.get("/page") { request in .text("\(try request.query("page") ?? 1)") }
        router.get("/tags") { request in
            .text(try request.query("tag", as: [String].self)?.joined(separator: "+") ?? "none")
        }
        router.get("/text") { request in .text(try request.query("text", as: String.self).map { "<\($0)>" } ?? "none") }
        router.get("/order") { request in .text(try request.query("order", as: Order.self)?.rawValue ?? "none") }
        router.get("/day") { request in
            .text(try request.query("day", as: Date.self).map { "\(Int($0.timeIntervalSince1970))" } ?? "none")
        }
        router.get("/search") { request in
            let search = try request.query(as: Search.self)
            return .text(
                "\(search.text), page \(search.page ?? 0), tags \(search.tag ?? []), open \(search.isOpen ?? false)"
            )
        }
        router.get("/days/{day}") { request in
            .text("\(Int(try request.parameter("day", as: Date.self).timeIntervalSince1970))")
        }
        router.get("/orders/{order}") { request in .text(try request.parameter("order", as: Order.self).rawValue) }
        router.get("/slots/{order}/{number}") { request in
            struct Slot: Decodable { let order: Order, number: UInt8 }
            let slot = try request.parameters.decode(Slot.self)
            return .text("\(slot.order.rawValue) \(slot.number)")
        }
        return router.handler()
    }

    private static let responses: [(String, Int, String)] = [
        ("/page", 200, "1"),
        ("/page?page=7", 200, "7"),
        ("/page?page=7&page=8", 400, "the query's 'page' must come once"),
        ("/page?page=", 200, "1"),
        ("/page?page=x", 400, "the query's 'page' must be a whole number"),
        ("/page?page=1.5", 400, "the query's 'page' must be a whole number"),
        ("/page?page=99999999999999999999", 400, "the query's 'page' must be a whole number"),
        ("/page?p%61ge=3", 200, "3"),
        ("/tags", 200, "none"),
        ("/tags?tag=a", 200, "a"),
        ("/tags?tag=a&x=1&tag=b%26c", 200, "a+b&c"),
        ("/text?text=a+b%20c", 200, "<a b c>"),
        ("/text?text=", 200, "<>"),
        ("/text?text", 200, "<>"),
        ("/text?text=%FF", 200, "<\u{FFFD}>"),
        ("/text?", 200, "none"),
        ("/order?order=date", 200, "date"),
        ("/order?order=size", 400, "the query's 'order' must be one of name, date"),
        ("/day?day=2026-12-31", 200, "1798675200"),
        ("/day?day=2026-12-31T10:00:00%2B02:00", 200, "1798704000"),
        ("/day?day=2026-02-30", 400, "the query's 'day' must be a date, such as 2026-12-31"),
        ("/search?text=x&page=2&tag=a&isOpen=1&other=1", 200, "x, page 2, tags [\"a\"], open true"),
        ("/search?text=x&page=", 200, "x, page 0, tags [], open false"),
        ("/search?page=2", 400, "the query's 'text' is missing"),
        ("/search?text=a&text=b", 400, "the query's 'text' must come once"),
        ("/search?text=x&isOpen=perhaps", 400, "the query's 'isOpen' must be on or off"),
        ("/days/2026-12-31", 200, "1798675200"),
        ("/days/today", 400, "the path's 'day' is \"today\": it must be a date, such as 2026-12-31"),
        ("/orders/name", 200, "name"),
        ("/orders/size", 400, "the path's 'order' is \"size\": it must be one of name, date"),
        ("/slots/date/255", 200, "date 255"),
        ("/slots/date/256", 400, "the path's 'number' must be a whole number"),
    ]

    @Test(arguments: HTTPVersions.each)
    func `Parameters become what the handler asks for, or 400 with their name`(version: HTTPVersions) async throws {
        try await withServer(handler()) { address in
            for (target, status, text) in Self.responses {
                let response = try await address.exchange(version, target)
                #expect(response.status.code == status, "\(target)")
                #expect(response.text == text, "\(target)")
            }
        }
    }

    @Test(
        arguments: [
            ("2026-12-31", 1_798_675_200), ("2026-12-31T10:00:00Z", 1_798_711_200),
            ("2026-12-31t10:00:00z", 1_798_711_200),
            ("2026-12-31T10:00:00.250Z", 1_798_711_200.25), ("2026-12-31 10:00:00+02:00", 1_798_704_000),
            ("2026-12-31T10:00-0130", 1_798_716_600), ("2026-12-31T10:00+02", 1_798_704_000),
            ("2024-02-29", 1_709_164_800), ("1969-12-31T23:59:60Z", -1), ("0001-01-01", -62_135_596_800),
        ] as [(String, Double)]
    )
    func `A date of ISO 8601 is read`(text: String, seconds: Double) {
        #expect(ISODate.seconds(text) == seconds)
    }

    @Test(arguments: [
        "", "2026", "2026-12", "2026-13-01", "2026-02-29", "2026-02-30", "2026-00-10", "26-12-31", "2026-12-31T",
        "2026-12-31T10",
        "2026-12-31T10:00:00", "2026-12-31T24:00:00Z", "2026-12-31T10:60:00Z", "2026-12-31T10:00:61Z",
        "2026-12-31T10:00:00.Z",
        "2026-12-31T10:00:00.1234567890Z", "2026-12-31T10:00:00+24:00", "2026-12-31T10:00:00+2",
        "2026-12-31T10:00:00Z ",
        "0000-01-01", "２０２６-12-31", "2026-12-31T10:00:00+02:60",
    ])
    func `What is no date is refused`(text: String) { #expect(ISODate.seconds(text) == nil) }

    @Test func `A combining mark after a separator doesn't change it`() {
        let fields = NamedValue.decoded("a=1&\u{301}b=\u{301}2")
        #expect(fields.map(\.name) == ["a", "\u{301}b"])
        #expect(fields.map(\.value) == ["1", "\u{301}2"])
    }

    @Test func `Combining marks after 128 in a row are replaced`() {
        let marks = String(repeating: "\u{301}", count: 128)
        let fields = NamedValue.decoded("a\(marks)\u{301}=1&b=%CC%81\(marks)")
        #expect(fields.map { Array($0.name.utf8) } == [Array("a\(marks)\u{FFFD}".utf8), Array("b".utf8)])
        #expect(fields.map { Array($0.value.utf8) } == [Array("1".utf8), Array("\(marks)\u{FFFD}".utf8)])
    }

    /// A flag is two letters: where one begins in a run of them depends on all before it.
    @Test func `A text of flags is no number, however long it is`() throws {
        let flags = String(repeating: "\u{1F1E6}", count: 2_000_000)
        #expect(throws: InputError.self) { try InputDecoder.decode(Int.self, fromText: flags) }
        #expect(throws: InputError.self) { try InputDecoder.decode(Double.self, fromText: flags) }
    }

    @Test func `A number has at most 64 digits`() throws {
        let digits = String(repeating: "1", count: 64)
        #expect(try InputDecoder.decode(Double.self, fromText: "  \(digits) ") == Double(digits))
        #expect(throws: InputError.self) { try InputDecoder.decode(Double.self, fromText: digits + "1") }
        #expect(throws: InputError.self) { try InputDecoder.decode(Int.self, fromText: " + ") }
    }
}
