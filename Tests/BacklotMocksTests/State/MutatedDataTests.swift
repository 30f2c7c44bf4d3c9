import BacklotHTTP
import BacklotJSON
import HTTPTypes
import TestSupport
import Testing

@testable import BacklotMocks

/// Files of data, and requests about data, as nobody would write them.
@Suite(.timeLimit(.minutes(5))) struct MutatedDataTests {
    private static let tokens = [
        "{{", "}}", "\"", "[", "]", "{", "}", ": ", "\n", "null", "-1", "99999999999999999999", "../", "%00", "&",
        "page=",
        "{{row.a}}", "data.", "\u{FEFF}", "#", "1e308",
    ].map { Array($0.utf8) }

    private static let files = [
        (
            "data/a.yaml",
            "rows: [{id: 1, a: b}]\nschema: {properties: {a: {type: string}}}\nlimits: {rows: 5}\nids: uuid\n"
        ),
        ("data/b.json", #"{"scope":"shared","value":{"list":[1,{"a":2}],"text":"x"}}"#),
        ("c.crud.yaml", "rows: [{name: x, age: 3}]\nkey: id\nschema: {required: [name]}\n"),
        (
            "d.post.yaml",
            "request: {whenData: {a: {matchesJsonPath: \"$[0]\"}, b.list.1.a: 2}}\ndata:\n  - insert: {into: a, value: {a: \"{{variables.a}}\"}}\n  - patch: {in: a, where: {id: \"{{path.id}}\"}, value: {n: \"{{row.a}}\"}, orInsert: {a: c}}\n  - update: {in: b, path: list.1.a, value: [1]}\n  - remove: {from: a, where: {a: b}, optional: true}\n"
        ),
    ]

    @Test func `Files are read or refused, and what they make answers`() async throws {
        var mutator = Mutator(random: SeededGenerator(seed: 7), tokens: Self.tokens)
        var (served, refused) = (0, 0)
        for round in 0..<150 {
            let (name, text) = Self.files[round % Self.files.count]
            try await withTemporaryFolder { folder in
                for (other, text) in Self.files where other != name { try folder.write(text, to: other) }
                _ = try folder.write(mutator.mutate(Array(text.utf8)), to: name)
                let backend = MockBackend()
                let report = try RouteFiles(folder.path, backend: backend).load(keepsGoing: true)
                (served, refused) = (
                    served + (report.problems.isEmpty ? 1 : 0), refused + (report.problems.isEmpty ? 0 : 1)
                )
                for (method, path) in [(HTTPRequest.Method.post, "/d"), (.get, "/c?sort=name"), (.patch, "/c/1")] {
                    let body = Array(#"{"a":"x","name":"y"}"#.utf8)
                    _ = try await backend.response(to: try Request(method, path, body: body))
                }
            }
        }
        #expect(served > 5 && refused > 20, "\(served) \(refused)")
    }

    @Test func `Requests are answered`() async throws {
        var mutator = Mutator(random: SeededGenerator(seed: 8), tokens: Self.tokens)
        try await withMocks(Dictionary(uniqueKeysWithValues: Self.files)) { mocks in
            var statuses: [Int: Int] = [:]
            for round in 0..<600 {
                let method = [HTTPRequest.Method.get, .post, .put, .patch, .delete][round % 5]
                let target = round.isMultiple(of: 2) ? "/c?name=x&sort=-age&page=1&per_page=2" : "/c/1"
                let changed = String(decoding: mutator.mutate(Array(target.utf8)), as: UTF8.self)
                let body = mutator.mutate(Array(#"{"name":"y","age":{"a":[1,2]}}"#.utf8))
                guard let request = try? Request(method, changed, headers: [.cookie: "session=a"], body: body) else {
                    continue
                }
                guard let response = try? await mocks.backend.response(to: request) else { continue }
                statuses[response.status.code, default: 0] += 1
            }
            #expect(statuses.keys.allSatisfy { $0 < 500 || $0 == 507 }, "\(statuses)")
            #expect(statuses[200, default: 0] > 5 && statuses[400, default: 0] > 20, "\(statuses)")
        }
    }
}
