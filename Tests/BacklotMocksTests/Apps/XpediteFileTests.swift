import Backlot
import BacklotChecks
import TestSupport
import Testing
import Xpedite

@testable import BacklotMocks

/// Xpedite apps as files: each file is one method of the app at its folder's path.
@Suite(.timeLimit(.minutes(5))) struct XpediteFileTests {
    private static let first = """
        title: Bank
        components:
          - type: form
            id: login
            save: {function: logIn, formdata: true}
            components:
              - {type: textbox, name: user, title: Name}
              - {type: password, name: pin, title: PIN}
        """
    private static let logIn = """
        responses:
          - when: {pin: 1234}
            logIn: "{{variables.user}}"
            title: Accounts of {{variables.user}}
            components: [{type: table, data: {dynamic: accounts}, cell: [{field: name}]}]
          - when: {pin: "0000"}
            rc: 17
            message: Your card is blocked.
          - errors: {pin: is wrong}
        """
    private static let accounts = """
        requiresLogin: Please log in first.
        batch: 2
        rows: [{name: A}, {name: B}, {name: "{{session.user}}"}]
        components: [{type: label, text: Beside the rows}]
        """
    private static let files = [
        "bank/setConnection.method.yaml": first, "bank/logIn.method.yaml": logIn, "bank/accounts.method.yaml": accounts,
    ]

    private func withBank<Result>(
        _ files: [String: String] = files,
        _ body: (Mocks) async throws -> Result
    ) async throws -> Result {
        try await withMocks(files, configure: { $0.formats = [.xpedite()] }, body)
    }

    @Test func `An app whose route belongs to a file is mounted when that file is gone`() async throws {
        try await withMocks(["bank.post.json": "1"], configure: { $0.formats = [.xpedite()] }) { mocks in
            for (name, text) in Self.files { try mocks.folder.write(text, to: name) }
            let report = mocks.files.scan()
            #expect(report.problems.count == 1 && mocks.backend.apps.isEmpty, "\(report.problems)")
            try await mocks.expect("200 1", .post, "/bank")
            try mocks.folder.remove("bank.post.json")
            let problems = mocks.files.scan().problems + mocks.files.problems
            #expect(problems.isEmpty, "\(problems)")
            #expect(mocks.backend.apps.count == 1)
            #expect(try await self.connect(mocks)["rc"] == 0)
        }
    }

    /// Sends a packet.
    private func call(_ mocks: Mocks, _ packet: JSONValue) async throws -> JSONValue {
        let text = try await mocks.ask(.post, "/bank", body: packet.description).text
        return try JSONValue(parsing: text)
    }

    private func connect(_ mocks: Mocks) async throws -> JSONValue {
        try await call(mocks, ["method": "setConnection", "uuid": "1"])
    }

    private func logIn(_ mocks: Mocks, _ token: JSONValue, pin: JSONValue) async throws -> JSONValue {
        let form: JSONValue = ["login": ["user": "Anna", "pin": pin]]
        return try await call(mocks, ["method": "logIn", "token": token, "formdata": form])
    }

    @Test func `A session begins, logs in and reads a table in batches`() async throws {
        try await withBank { mocks in
            let page = try await connect(mocks)
            #expect(page["rc"] == 0)
            #expect(page["title"] == "Bank")
            let stranger = try #require(page["token"])
            let refused = try await call(mocks, ["method": "accounts", "token": stranger])
            #expect(refused["rc"] == 1)
            #expect(refused["components"]?[0]?["text"] == "Please log in first.")

            let accounts = try await logIn(mocks, stranger, pin: "1234")
            #expect(accounts["rc"] == 0)
            #expect(accounts["title"] == "Accounts of Anna")
            let token = try #require(accounts["token"])
            #expect(token != stranger)
            let rows = try await call(mocks, ["method": "accounts", "token": token])
            #expect(rows["data"] == [["name": "A"], ["name": "B"]])
            #expect(rows["max"] == 2)
            #expect(rows["components"] == [["type": "label", "text": "Beside the rows"]])
            let rest = try await call(mocks, ["method": "accounts", "token": token, "offset": 2])
            #expect(rest["data"] == [["name": "Anna"]])
            #expect(rest["max"] == nil)
        }
    }

    @Test(arguments: [(-5, 1), (0, 1), (Int64.max, 3)])
    func `A batch from a client is a number of rows`(batch: Int64, count: Int) async throws {
        var files = Self.files
        files["bank/accounts.method.yaml"] = #"""
            batch: "{{{variables.batch}}}"
            rows: [{name: A}, {name: B}, {name: C}]
            """#
        try await withBank(files) { mocks in
            let token = try #require(try await connect(mocks)["token"])
            let number = JSONValue.number(JSONNumber(batch))
            let rows = try await call(
                mocks,
                ["method": "accounts", "token": token, "input": ["batch": number], "batch": number]
            )
            #expect(rows["data"]?.array?.count == count, "\(rows)")
        }
    }

    @Test func `Return codes, and messages at the fields of a form`() async throws {
        try await withBank { mocks in
            let token = try #require(try await connect(mocks)["token"])
            let blocked = try await logIn(mocks, token, pin: "0000")
            #expect(blocked["rc"] == 17)
            #expect(blocked["components"]?[0]?["text"] == "Your card is blocked.")
            let wrong = try await logIn(mocks, token, pin: "9")
            #expect(wrong["rc"] == 0)
            let text = "\(wrong)"
            #expect(text.contains("is wrong"))
            #expect(text.contains("Anna"))
            let unknown = try await call(mocks, ["method": "logIn", "token": "nobody's"])
            #expect(unknown["rc"] == 3)
            let nothing = try await call(mocks, ["method": "transfer", "token": token])
            #expect(nothing["rc"] == 4)
        }
    }

    @Test func `An app of files doesn't hold the mocks that it belongs to`() async throws {
        let files = Self.files.mapValues { $0.replacing("title: Bank", with: "title: \"{{now}}\"") }
        weak var backend: MockBackend?
        try await withBank(files) { mocks in
            backend = mocks.backend
            let page = try await connect(mocks)
            #expect(page["title"] != "Bank")
        }
        #expect(backend == nil)
    }

    @Test func `A saved file is live, its version rises, and sessions go on`() async throws {
        try await withBank { mocks in
            let page = try await connect(mocks)
            let stranger = try #require(page["token"])
            let token = try #require(try await logIn(mocks, stranger, pin: "1234")["token"])
            try mocks.folder.write("title: New\ncomponents: []", to: "bank/about.method.yaml")
            #expect(mocks.files.scan().changed == ["bank/about.method.yaml"])
            #expect(try await call(mocks, ["method": "about", "token": token])["title"] == "New")
            let rows = try await call(mocks, ["method": "accounts", "token": token, "offset": 2])
            #expect(rows["data"] == [["name": "Anna"]])
            let later = try #require(try await connect(mocks)["version"]?.number?.int64)
            #expect(later > (page["version"]?.number?.int64 ?? .max))

            try mocks.folder.write("titel: New\ncomponents: []", to: "bank/about.method.yaml")
            let report = mocks.files.scan()
            #expect(report.changed == [])
            let expected =
                #"bank/about.method.yaml:1:1: A method's file has no key "titel", so clients ignore it. Write "title", if that is "#
                + "what you mean, or remove it. [unknown-key]"
            #expect(report.problems.map(\.description) == [expected])
            #expect(try await call(mocks, ["method": "about", "token": token])["title"] == "New")

            let response = try await mocks.ask(.post, "/bank", body: #"{"method":"setConnection"}"#)
            let broken = try #require(HTTPField.Name("X-Backlot-Broken-File"))
            #expect(response.headers[broken] == "bank/about.method.yaml:1:1")

            try mocks.folder.remove("bank/about.method.yaml")
            #expect(mocks.files.scan().removed == ["bank/about.method.yaml"])
            #expect(try await call(mocks, ["method": "about", "token": token])["rc"] == 4)
        }
    }

    @Test(arguments: [
        (
            ["a.method.yaml": "components: []"],
            ["bank/a.method.yaml:1:1: the app at /bank/ has no first page: add a file setConnection.method.yaml"]
        ),
        (
            ["setConnection.method.yaml": "components:\n  - {type: button, text: Go, method: {function: go}}"],
            [
                #"bank/setConnection.method.yaml:2:1: The app has no method "go"; add a file for it, or remove it: the folder has no other methods"#
            ]
        ),
        (
            ["setConnection.method.yaml": "components:\n  - {type: label}\n  - {type: lable, text: a}"],
            [
                #"bank/setConnection.method.yaml:2:5: label: A label needs "text"; without it, clients can't read it. Add "text" with a string. [missing-key]"#,
                #"bank/setConnection.method.yaml:3:12: lable "a": There is no component "lable", so clients can't read it. Write "label", if that is what you mean. [unknown-type]"#,
            ]
        ),
        (
            ["setConnection.method.yaml": "components: []", "setConnection.method.json": #"{"components": []}"#],
            ["bank/setConnection.method.yaml:1:1: the method 'setConnection' has two files; remove one of them"]
        ),
        (
            ["setConnection.method.txt": ""],
            [
                "bank/setConnection.method.txt:1:1: a method is written in JSON or YAML; let the name end in .method.json or .method.yaml"
            ]
        ),
    ])
    func `Mistakes are named at their lines`(files: [String: String], expected: [String]) async throws {
        let others = Dictionary(uniqueKeysWithValues: files.map { ("bank/\($0.key)", $0.value) })
        #expect(try await problems("README", "", others: others, formats: [.xpedite()]) == expected)
    }

    @Test func `Preview knows the app, and a crawl goes through it`() async throws {
        try await withBank { mocks in
            let app = try #require(mocks.backend.apps.first)
            #expect(app.appProtocol == .xpedite)
            #expect(app.basePath == "/bank")
            #expect(app.hasPage("/bank"))
            let router = Router()
            router.mocks(mocks.backend)
            #expect(router.apps().map(\.appProtocol.name) == ["xpedite", "mocks"])
            let report = try await Crawl(router, at: "/bank", as: .xpedite).report()
            #expect(report.isClean, "\(report)")
        }
    }

    @Test func `Without the protocol, the kind is unknown`() async throws {
        let found = try await problems("bank/a.method.yaml", "components: []")
        #expect(found.count == 1)
        #expect(found[0].hasPrefix("bank/a.method.yaml:1:1: 'method' isn't a kind of route"), "\(found)")
    }
}
