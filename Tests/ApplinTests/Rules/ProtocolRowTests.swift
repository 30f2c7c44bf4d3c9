import Backlot
import Testing

@testable import Applin

/// The pages that clients accept and reject, row by row, written a second time without the vocabulary.
/// A test fails if the rules don't know a row, or contradict it.
@Suite(.timeLimit(.minutes(5))) struct ProtocolRowTests {
    private func rules(_ page: JSONValue, _ dialect: Dialect) -> [String] {
        ApplinRules.findings(in: ["page": page], path: "/p", dialect: dialect, app: nil).map(\.rule)
    }

    // MARK: Keys

    /// The rules about keys alone.
    private func structuralRules(_ page: JSONValue, _ dialect: Dialect) -> [String] {
        rules(page, dialect).filter { $0 != "selector-without-options" }
    }

    @Test func `Every kind has a row, and every row a kind`() {
        let kinds = KeyRow.pages + KeyRow.widgets + KeyRow.actions
        let declared = ApplinVocabulary.all.kinds.filter { ![.response, .modalButton].contains($0.roles[0]) }
        #expect(kinds.map(\.typ).sorted() == declared.map(\.name).sorted())
    }

    @Test(arguments: KeyRow.all)
    func `A row with all its keys is accepted`(row: KeyRow) {
        for dialect in row.dialects {
            let page = row.page(row.object(in: dialect) { _ in true })
            let ignored = dialect == .documented ? row.keys.count { $0.name == "validated" } : 0
            #expect(rules(page, dialect) == Array(repeating: "key-of-other-dialect", count: ignored))
        }
    }

    @Test(arguments: KeyRow.all)
    func `Keys that may be missing may be null`(row: KeyRow) {
        for dialect in row.dialects {
            var object = row.object(in: dialect) { $0.presence != .optional }
            #expect(structuralRules(row.page(object), dialect) == [])
            for key in row.keys where key.presence == .optional {
                object[key.name] = .null
            }
            #expect(structuralRules(row.page(object), dialect) == [])
        }
    }

    @Test(arguments: KeyRow.all)
    func `Keys that are required or recommended are missed`(row: KeyRow) {
        for dialect in row.dialects {
            for key in row.keys where key.presence != .optional {
                var object = row.object(in: dialect) { $0.name != key.name && $0.presence != .optional }
                let rule = key.presence == .required ? "missing-key" : "missing-recommended-key"
                #expect(rules(row.page(object), dialect).first == rule, "\(key.name)")
                object[key.name] = .null
                #expect(rules(row.page(object), dialect).first == rule, "\(key.name): null")
            }
        }
    }

    @Test(arguments: KeyRow.all)
    func `A value of any other type rejects the page`(row: KeyRow) {
        for dialect in row.dialects {
            // Clients of the documented dialect don't look at "validated".
            for key in row.keys where dialect == .objects || key.name != "validated" {
                for (value, rule) in key.wrongValues {
                    var object = row.object(in: dialect) { $0.presence != .optional }
                    object[key.name] = value
                    #expect(rules(row.page(object), dialect).first == rule, "\(key.name): \(value)")
                }
            }
        }
    }

    @Test(arguments: KeyRow.all)
    func `A key that isn't in the row is ignored`(row: KeyRow) {
        for dialect in row.dialects {
            var object = row.object(in: dialect) { $0.presence != .optional }
            object["zzz"] = 1
            #expect(structuralRules(row.page(object), dialect) == ["unknown-key"])
        }
    }

    // MARK: Everything else

    @Test(arguments: ProtocolRow.all)
    func `A row is judged as it says`(row: ProtocolRow) throws {
        let page = try JSONValue(parsing: row.page)
        #expect(rules(page, try #require(row.dialect)) == (row.rule.map { [$0] } ?? []))
    }

    @Test func `The table has all its rows`() { #expect(ProtocolRow.all.count == 135) }
}
