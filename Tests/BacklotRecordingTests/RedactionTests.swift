import Applin
import Backlot
import TestSupport
import Testing

@testable import BacklotMocks
@testable import BacklotRecording

/// Secrets never reach the disk, and flows go on working.
@Suite(.timeLimit(.minutes(5))) struct RedactionTests {
    /// Fifty secrets, and an exchange that holds each.
    private static let planted: [(secret: String, exchange: RecordedExchange)] = {
        var all: [(secret: String, exchange: RecordedExchange)] = []
        func add(
            _ secret: String,
            _ method: HTTPRequest.Method = .get,
            _ url: String = "/x",
            sends: [(String, String)] = [],
            body: String = "",
            response: [(String, String)] = [("Content-Type", "application/json")],
            _ text: String = ""
        ) {
            let url = url.replacing("/x", with: "/x/n\(all.count)q")
            all.append((secret, Traffic.exchange(method, url, sends: sends, body: body, response: response, text)))
        }
        let cookies = ["session", "sid", "PHPSESSID", "connect.sid", "auth_token", "remember", "theme"]
        for (index, name) in cookies.enumerated() {
            let value = "cookie%2Fvalue-\(index)Zq9"
            add(value, sends: [("Cookie", "a=b; \(name)=\(value)")], #"{"echo":"\#(value)"}"#)
        }
        let cookie = "setcookievalue77"
        add(cookie, response: [("Set-Cookie", "cart=\(cookie); Path=/")], cookie)
        for (index, scheme) in ["Bearer", "Token", "Digest"].enumerated() {
            let value = "credential-\(index)-Yx7/+="
            add(value, sends: [("Authorization", "\(scheme) \(value)")], "\"\(value)\"")
        }
        let basic = Base64.encode("ann:basic-password!")
        add("basic-password!", sends: [("Authorization", "Basic \(basic)")], #"["basic-password!"]"#)
        for (index, name) in ["X-Api-Key", "X-Auth-Token", "X-CSRF-Token", "X-Session-Id"].enumerated() {
            let value = "headersecret\(index)w"
            add(value, sends: [(name, value)], response: [(name, value)], "see \(value)")
        }
        let keys = [
            "password", "userPassword", "new_password", "PIN", "otp", "secret", "clientSecret", "access_token",
            "refreshToken", "api-key", "apiKey", "privateKey", "jwt", "csrf", "cvv", "iban", "cardNumber",
        ]
        for (index, key) in keys.enumerated() {
            let value = "json \"secret\" \(index)/ü"
            let escaped = "json \\\"secret\\\" \(index)\\/\\u00fc"
            let others = "\"\(Base64.encode(value))\",\"\(FormText.encode(value))\""
            add(value, .post, body: "{\"a\":{\"\(key)\":\"\(escaped)\"}}", "[\"\(escaped)\",\(others)]")
        }
        for (index, key) in ["password", "token", "pwd"].enumerated() {
            let value = "form&secret=\(index)"
            let encoded = FormText.encode(value)
            add(
                value,
                .post,
                "/x?\(key)=\(encoded)",
                sends: [("Content-Type", "application/x-www-form-urlencoded")],
                body: "a=1&\(key)=\(encoded)",
                response: [("Location", "/x?back=\(encoded)")],
                "<p>form&amp;secret=\(index)</p>"
            )
        }
        for (index, key) in ["password", "apiToken"].enumerated() {
            let value = "elementsecret\(index)"
            add(value, .post, "/x/\(value)/y", body: "<a><\(key)>\(value)</\(key)></a>", "\"\(value)\"")
        }
        add("hiddenvalue1", .get, "/x", #"<input name="csrf_token" value="hiddenvalue1">"#)
        let input = #"{"typ":"textfield","var_name":"password","initial_string":"variablevalue1"}"#
        add("variablevalue1", .get, "/x", input)
        add(
            "partsecret1",
            .post,
            sends: [("Content-Type", "multipart/form-data; boundary=B")],
            body: "--B\r\nContent-Disposition: form-data; name=\"passcode\"\r\n\r\npartsecret1\r\n--B--\r\n",
            "partsecret1"
        )
        for mail in ["ann.b+c@mail.example.org", "x_y@example-host.co.uk"] {
            add(mail, .get, "/x/\(mail.replacing("@", with: "%40"))", "{\"m\":\"Write to \(mail).\"}")
        }
        for card in ["4111 1111 1111 1111", "5500-0000-0000-0004", "378282246310005"] {
            add(card, .get, "/x?n=\(card.replacing(" ", with: "+"))", "{\"n\":\"\(card)\"}")
        }
        add("OwnKeyValue1", .get, "/x?favourite=OwnKeyValue1", #"{"favourite":"OwnKeyValue1"}"#)
        add("spellmother", .post, body: #"{"passphrase":"spellmother"}"#, "spellmother")
        add("f00dBabe77x9", .get, "/x/reset/f00dBabe77x9", "f00dBabe77x9")
        add("a1b2c3d4e5f6", .get, "/x;jsessionid=a1b2c3d4e5f6", "{}")
        add("7654321", .get, "/x", #"{"pin": 7654321, "n": 5}"#)
        return all
    }()

    /// A real proxy, between a client that sends what was planted and a backend that answers it.
    @Test func `None of fifty secrets is on the disk after a recording`() async throws {
        let planted = Self.planted.map(\.exchange)
        let backend = try RawServer { connection in
            while case let head = connection.receiveHead(), !head.isEmpty {
                let length = head.firstMatch(of: /[Cc]ontent-[Ll]ength: (\d+)/).flatMap { Int($0.output.1) } ?? 0
                _ = connection.receive(exactly: length)
                let index = head.firstMatch(of: /X-Planted: (\d+)/.ignoresCase()).flatMap { Int($0.output.1) } ?? 0
                var response = "HTTP/1.1 200 OK\r\nContent-Length: \(planted[index].responseBody.count)\r\n"
                for field in planted[index].responseHeaders { response += "\(field.name.rawName): \(field.value)\r\n" }
                connection.send(Array("\(response)\r\n".utf8) + planted[index].responseBody)
            }
        }
        try await withTemporaryFolder { folder in
            var settings = Recording.Settings()
            settings.folder = folder.path
            settings.keys = ["favourite"]
            settings.secrets = Self.planted.map(\.secret)
            settings.writesThrough = true
            var configuration = MockConfiguration(formats: [.applin()])
            configuration.allowRecording()
            let mocks = MockBackend(configuration)
            #expect(mocks.record("http://\(backend.address)", settings) != nil)
            let router = Router()
            router.mocks(mocks)
            try await withServer(router.handler()) { address in
                let client = try await RawClient.connect(to: address)
                for (index, exchange) in planted.enumerated() {
                    var head = "\(exchange.method) \(exchange.url) HTTP/1.1\r\nHost: a\r\nX-Planted: \(index)\r\n"
                    for field in exchange.requestHeaders { head += "\(field.name.rawName): \(field.value)\r\n" }
                    head += "Content-Length: \(exchange.requestBody.count)\r\n\r\n"
                    try await client.send(Array(head.utf8) + exchange.requestBody)
                    let response = try await client.receive(responseTo: exchange.method.rawValue)
                    #expect(response.status == 200 && response.body == exchange.responseBody)
                }
                await client.close()
            }
            let recording = try #require(mocks.stopRecording())
            let outcome = try recording.finish()
            #expect(outcome.mishap == nil && outcome.folder == folder.path)
            #expect(recording.recorder.contents.exchanges.count == planted.count)
            let files = RoutesFolder(folder.path)
            let names = files?.list()?.files.keys.sorted() ?? []
            #expect(names.count >= 30)
            let all = try names.map { "\($0)\n\(String(decoding: try files?.read($0) ?? [], as: UTF8.self))" }.joined()
            for secret in Self.planted.map(\.secret) {
                for spelling in SecretReplacement.spellings(of: secret) {
                    #expect(!all.contains(spelling.text), "\(secret)")
                }
            }
        }
        backend.stop()
    }

    @Test func `None of fifty secrets is on the disk`() async throws {
        #expect(Self.planted.count >= 50)
        var redaction = Redaction(keys: ["favourite"])
        let redacted = redaction.redacted(Self.planted.map(\.exchange))
        let recording = RouteRecording(redacted, formats: [.applin()])
        let all = recording.files.map { $0.path + "\n" + String(decoding: $0.bytes, as: UTF8.self) }
            .joined(separator: "\n")
        for planted in Self.planted {
            for spelling in SecretReplacement.spellings(of: planted.secret) {
                #expect(!all.contains(spelling.text), "\(planted.secret) as \(spelling.text)")
                #expect(!redaction.report.contains { $0.contains(spelling.text) }, "\(planted.secret)")
            }
        }
        try await withTemporaryFolder { folder in
            try RecordingWriter(folder.path, secrets: Self.planted.map(\.secret)).write(recording.files)
        }
        #expect(redaction.report.count >= Self.planted.count)
    }

    @Test func `The same secret has the same pseudonym, of a similar shape`() {
        let (texts, report) = Traffic.redacted([
            Traffic.exchange(
                .post,
                "/in?u=ann@b.example",
                body: #"{"password":"Hunter22","pin":1234,"n":12}"#,
                #"{"token":"f00d-ab12","ok":true,"at":"Hunter22","card":"4111 1111 1111 1111"}"#
            ),
            Traffic.exchange(
                .get,
                "/f00d-ab12/1234?p=Hunter22",
                sends: [("Authorization", "Bearer f00d-ab12")],
                "1234"
            ),
        ])
        let first = texts[0].split(separator: "\n").map(String.init)
        let second = texts[1].split(separator: "\n").map(String.init)
        #expect(first[0] == "/in?u=user1%40example.com")
        let password = first[2].dropFirst(#"{"password":""#.count).prefix(8)
        #expect(password.contains(/^[A-Z][a-z]{5}[0-9]{2}$/), "\(password)")
        let pin = first[2].dropFirst(#"{"password":"Hunter22","pin":"#.count).prefix(4)
        #expect(first[2].hasSuffix(#","pin":\#(pin),"n":12}"#))
        let token = first[3].dropFirst(#"{"token":""#.count).prefix(9)
        #expect(token.contains(/^[a-f][0-9]{2}[a-f]-[a-f]{2}[0-9]{2}$/), "\(token)")
        #expect(first[3] == #"{"token":"\#(token)","ok":true,"at":"\#(password)","card":"4000 0000 0000 0010"}"#)
        #expect(second[0] == "/\(token)/\(pin)?p=\(password)")
        #expect(second.contains("Authorization: Bearer \(token)"))
        #expect(second.last == "\(pin)")
        #expect(
            report.first == "e-mail address: POST /in, query"
                && report.contains("password: POST /in, request's body, key pin"),
            "\(report)"
        )
    }

    @Test(arguments: [
        "password", "user_password", "userPassword", "PIN", "X-Api-Key", "accessToken", "client-secret", "card_number",
        "APIToken", "HTTPPassword", "JWTValue", "password2", "token1", "recoveryCodes", "backup_code", "token_name",
        "pass", "passPhrase", "pw", "passwort", "kennwort", "sig", "userPass", "smtp_pass", "Pwd", "AccountKey",
        "Ocp-Apim-Subscription-Key", "code_verifier", "smsCode", "sms_code",
    ])
    func `Names of secrets`(name: String) {
        #expect(SecretNames().kind(of: name) != nil)
    }

    @Test(arguments: [
        "boarding_pass", "pass_rate", "compass", "bypass", "pinned", "token_type", "passwordHint", "authors",
        "tokenCount", "title", "key", "spinner", "id", "code", "ticket", "ticketNumber", "accountKeyType",
        "code_challenge",
        "subscription", "verifier", "sms", "account",
    ])
    func `Names of what is no secret`(name: String) {
        #expect(SecretNames().kind(of: name) == nil)
    }

    @Test(arguments: [
        (#"{"authToken":{"value":"geheim12"}}"#, true), (#"{"session":{"id":"geheim12"}}"#, true),
        (#"{"session":{"user":{"id":"geheim12"}}}"#, false), (#"{"session":{"user":"geheim12"}}"#, false),
        (#"{"passwordValid":1234567}"#, false), (#"{"recoveryCodes":["geheim12"]}"#, true),
        (#"{"a":"b","APIToken":"geheim12"}"#, true),
    ])
    func `Keys around a value make it secret`(body: String, isSecret: Bool) {
        let (texts, report) = Traffic.redacted([Traffic.exchange(.get, "/x", body)])
        #expect(texts[0].hasSuffix("\n" + body) == !isSecret, "\(texts)")
        #expect(report.isEmpty == !isSecret)
    }

    @Test(arguments: [
        "1767261600000", "12345678901234", "0000000000000000", "a@b", "@x.de", "a@b.1", "1111 2222 3333 4444",
        "v4111111111111111",
    ])
    func `Texts that only look like secrets are kept`(text: String) {
        #expect(SecretShapes.found(in: text).isEmpty)
    }

    @Test(arguments: [
        ("", #"{"pin":"123","a":"é"}"#), ("", "{\"a\":\"é\"}\n{\"pin\":\"123\"}\n"),
        ("application/x-www-form-urlencoded", "a=é&pin=123"),
        ("application/x-www-form-urlencoded ; charset=iso-8859-1", "a=é&pin=123"),
        ("application/x-ndjson", "{}\n\n{\"pin\":\"123\"}\r\n{"),
        (
            "multipart/form-data; boundary=B",
            "--B\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nab12cd\r\n--B\r\n\r\né\r\n--B--"
        ),
    ])
    func `Secrets in Latin-1 bodies and lines of JSON are redacted`(type: String, text: String) throws {
        var exchange = Traffic.exchange(.post, "/x", sends: type.isEmpty ? [] : [("Content-Type", type)])
        exchange.requestBody = try #require(Latin1.bytes(text))
        var redaction = Redaction()
        let body = Latin1.text(redaction.redacted([exchange])[0].requestBody)
        #expect(!body.contains("123") && !body.contains("ab12cd"), "\(body)")
        #expect(body.count == text.count && body.contains("é") == text.contains("é"), "\(body)")
        #expect(redaction.report.count == 1 && redaction.report.first?.hasSuffix("times)") == false)
    }

    @Test(arguments: [("pin", "123"), ("password", "1984"), ("password", "opensesame1"), ("token", "abc==")])
    func `Secrets in JSON with the type of a form are redacted, and it stays JSON`(key: String, secret: String) throws {
        let type = [("Content-Type", "application/x-www-form-urlencoded")]
        let exchange = Traffic.exchange(.post, "/x", sends: type, body: #"{"\#(key)":"\#(secret)"}"#)
        var redaction = Redaction()
        let document = try JSONValue(parsing: redaction.redacted([exchange])[0].requestBody)
        let value = try #require(document[key]?.string)
        #expect(value != secret && value.utf8.count == secret.utf8.count)
        #expect(redaction.report.count == 1, "\(redaction.report)")
    }

    @Test func `A Swift test of the journal has a pseudonym wherever a token was`() async throws {
        let token = "opaque-7h3k9x2m"
        let request = try MockRequest(.get, "/a", headers: [.authorization: "Bearer \(token)"])
        let response = Response(headers: [.contentType: "text/plain"], body: .bytes(Array("It is \(token) now.".utf8)))
        let entry = JournalEntry(request, stub: nil, response: response, time: 1_767_261_600_500, maximumBodyBytes: 100)
        let recordings = Recordings { exchanges, pseudonyms in
            let exchange = exchanges[0]
            let text = String(decoding: exchange.responseBody, as: UTF8.self)
            let field = exchange.requestHeaders[.authorization] ?? "none"
            return ([text, exchange.client ?? "", field] + pseudonyms).joined(separator: "\n")
        }
        let lines = try #require(await recordings.swiftTest(of: [entry])).text.split(separator: "\n").map(String.init)
        #expect(lines.count == 4 && !lines.joined().contains(token), "\(lines)")
        let pseudonym = lines.last ?? ""
        #expect(Array(lines.prefix(3)) == ["It is \(pseudonym) now.", "Bearer \(pseudonym)", "none"])
    }

    private static func deep(_ text: String) -> String {
        String(repeating: "[", count: 500) + text + String(repeating: "]", count: 500)
    }

    @Test(arguments: [
        ("123", #"\#u{FEFF}{"pin":"123"}"#), ("123", "\u{FEFF}{\"pin\":\"123\"}\n{}\n"),
        ("123", "\u{FEFF}data: {\"pin\":\"123\"}\n\n"),
        ("4711", #"\#u{FEFF}{"var_name":"pin","initial_string":"4711"}"#), ("123", deep(#"{"pin":"123"}"#)),
        ("4711", deep(#"{"var_name":"pin","initial_string":"4711"}"#)),
    ])
    func `Secrets after a byte order mark and in deep JSON are redacted`(secret: String, text: String) {
        var redaction = Redaction()
        let body = redaction.redacted([Traffic.exchange(.get, "/x", text)])[0].responseBody
        #expect(body.firstRange(of: Array(secret.utf8)) == nil)
        #expect(body.count == text.utf8.count && body.starts(with: text.utf8.prefix(3)))
        #expect(redaction.report.count == 1, "\(redaction.report)")
    }

    @Test(arguments: [
        ("see eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2ln-_8, too", ["eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2ln-_8"]),
        ("eyJhIjoxfQ.eyJiIjoyfQ.", ["eyJhIjoxfQ.eyJiIjoyfQ."]), ("eyJhIjoxfQ.eyJiIjoyfQ", []), ("eyJ..", []),
        ("at postgres://ann:geheim@db.example/x", ["ann:geheim", "geheim"]),
        ("http://:p%40w@localhost:80", [":p%40w", "p%40w"]), ("http://localhost:80/a:b@c", []), ("://a:@b", []),
        ("ssh://git@example.com", ["git@example.com"]),
    ])
    func `Texts that look like secrets are found`(text: String, expected: [String]) {
        #expect(SecretShapes.found(in: text).map(\.text) == expected)
    }

    /// A secret without a key of its own, and an answer that holds it.
    @Test(arguments: [
        ("f00dBabe77x9", Traffic.exchange(.get, "/reset/f00dBabe77x9", "f00dBabe77x9")),
        ("f00dBabe77x9", Traffic.exchange(.get, "/a;jsessionid=f00dBabe77x9/b", "{}")),
        ("123987", Traffic.exchange(.get, "/verify/123987", "{}")),
        ("f00dBabe77x9", Traffic.exchange(.get, "/x", response: [("Link", "</x?token=f00dBabe77x9>; rel=next")])),
        ("f00dBabe77x9", Traffic.exchange(.get, "/x", response: [("Refresh", "0; url=/in?token=f00dBabe77x9")])),
        ("f00dBabe77x9", Traffic.exchange(.get, "/x", response: [("Content-Location", "/token/f00dBabe77x9?a=b")])),
        (
            "opaque",
            Traffic.exchange(.get, "/x", response: [("WWW-Authenticate", "Digest realm=\"a\", nonce=\"opaque\"")])
        ),
        ("abcdefgh", Traffic.exchange(.get, "/x", sends: [("X-Auth-Token", "Bearer abcdefgh")], "<p>abcdefgh</p>")),
        ("opensesame", Traffic.exchange(.get, "/x", "<input name='csrf' value='opensesame'>")),
        ("opensesame", Traffic.exchange(.get, "/x", "<meta content=opensesame name=csrf-token>")),
        ("opensesame", Traffic.exchange(.get, "/x", "<a><password><![CDATA[opensesame]]></password></a>")),
        ("sesame&you", Traffic.exchange(.get, "/x?a=sesame%26you", "<pin>sesame&amp;you</pin>")),
        ("f00dBabe77x9", Traffic.exchange(.get, "/x", "let apiToken = 'f00dBabe77x9'")),
        ("f00dBabe77x9", Traffic.exchange(.get, "/x", "<a href='/in?sid=f00dBabe77x9&amp;a=b'>in</a>")),
        ("f00dBabe77x9", Traffic.exchange(.get, "/x", #"{"next":"https://a.example/invite/f00dBabe77x9"}"#)),
        ("É1234567", Traffic.exchange(.get, "/x?token=%C3%891234567", #"{"a":"\u00C91234567"}"#)),
    ])
    func `Secrets in paths, header fields, pages and scripts are redacted`(secret: String, exchange: RecordedExchange) {
        let (texts, report) = Traffic.redacted([exchange])
        for spelling in SecretReplacement.spellings(of: secret) {
            #expect(!texts[0].contains(spelling.text), "\(texts)")
        }
        #expect(!report.isEmpty)
    }

    @Test(arguments: [
        "/password/reset", "/auth/oauth2callback", "/login/verify", "/reset/confirm", "/invites/42",
        "/session/keepalive",
        "/tokens/overview",
    ])
    func `Paths without secrets are kept`(path: String) {
        let script = "type:\"password\",label={password:'Your password'};x=a?token=b:c"
        let (texts, report) = Traffic.redacted([Traffic.exchange(.get, path, response: [], script)])
        #expect(texts == ["\(path)\n\(script)"])
        #expect(report.isEmpty)
    }

    @Test func `A short secret beside a picture leaves the picture unchanged`() {
        let parts = "--B\r\nContent-Disposition: form-data; name=pin\r\n\r\n1234\r\n--B\r\n\r\n"
        var exchange = Traffic.exchange(
            .post,
            "/x",
            sends: [("Content-Type", "multipart/form-data; boundary=\"B\"")],
            body: parts
        )
        let picture: [UInt8] = [0xFF, 0x31, 0x32, 0x33, 0x34, 0xFE]
        let end = Array("\r\n--B--\r\n".utf8)
        exchange.requestBody += picture + end
        var redaction = Redaction()
        let body = redaction.redacted([exchange])[0].requestBody
        #expect(body.suffix(picture.count + end.count) == (picture + end)[...])
        #expect(body.firstRange(of: Array("\r\n1234\r\n".utf8)) == nil && body.count == exchange.requestBody.count)
        #expect(redaction.report == ["password: POST /x, request's body, part pin"])
    }

    @Test func `What is there is not replaced, and a listed secret stops all`() async throws {
        try await withTemporaryFolder { folder in
            let files = [
                RecordedFile(path: "a/b.get.json", bytes: Array("1".utf8)),
                RecordedFile(path: "__files/c.txt", bytes: Array("geheim".utf8)),
            ]
            try folder.write("old", to: "a/b.get.json")
            let there = #expect(throws: RecordingWriter.WritingError.self) {
                try RecordingWriter(folder.path).write(files)
            }
            #expect(
                there?.text
                    == "nothing was written: these files are there already; --update replaces them: a/b.get.json"
            )
            let writer = RecordingWriter(folder.path, secrets: ["nowhere", "geheim"])
            let leak = #expect(throws: RecordingWriter.WritingError.self) { try writer.write(files, update: true) }
            #expect(leak?.text == "nothing was written: secret 2 of the list would be in __files/c.txt")
            #expect(RoutesFolder(folder.path)?.list()?.files.keys.sorted() == ["a/b.get.json"])
            try RecordingWriter(folder.path).write(files, update: true)
            #expect(RoutesFolder(folder.path)?.list()?.files.keys.sorted() == ["__files/c.txt", "a/b.get.json"])
        }
    }

    @Test func `A listed secret is found in hexadecimal digits and in gzip files`() throws {
        let zipped = try #require(HiddenText.deflated(Array(String(repeating: "geheim ", count: 20).utf8)))
        for bytes in [zipped, Array("a 67656865696d".utf8), Array("67656865696D".utf8)] {
            let files = [RecordedFile(path: "a.txt", bytes: bytes)]
            let leak = #expect(throws: RecordingWriter.WritingError.self) {
                try RecordingWriter("Routes", secrets: ["geheim"]).check(files)
            }
            #expect(leak?.text == "nothing was written: secret 1 of the list would be in a.txt")
            try RecordingWriter("Routes", secrets: ["geheimer"]).check(files)
        }
    }

    /// Bytes as a gzip file without compression (RFC 1952; RFC 1951, section 3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        func little(_ number: UInt32, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xEDB8_8320 }
        }
        let count = UInt32(bytes.count)
        let start: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1]
        return start + little(count, 2) + little(~count, 2) + bytes + little(~sum, 4) + little(count, 4)
    }

    /// Some gzip files unpack to themselves.
    @Test(arguments: [1, 7, 8, 500])
    func `Gzip files in gzip files are read to a depth, and beyond it left out`(depth: Int) throws {
        var body = Array((#"{"password":"hunter2hunter2"}"# + String(repeating: " ", count: 2000)).utf8)
        for _ in 0..<depth { body = Self.stored(body) }
        try #require(HiddenText.inflated(body) != nil)
        var exchange = Traffic.exchange(.get, "/x", response: [("Content-Type", "application/octet-stream")])
        exchange.responseBody = body
        var redaction = Redaction()
        var result = redaction.redacted([exchange])[0].responseBody
        while let inflated = HiddenText.inflated(result) { result = inflated }
        #expect(!String(decoding: result, as: UTF8.self).contains("hunter2"))
    }

    @Test func `A route of a file with another name is there already`() async throws {
        try await withTemporaryFolder { folder in
            for name in ["a.get.json", "b/[x].post.json", "b/1.rpc.json", "c.get.json", "d.rpc.yaml", "e.page.json"] {
                try folder.write("1", to: name)
            }
            func files(_ names: String...) -> [RecordedFile] {
                names.map { RecordedFile(path: $0, bytes: Array("2".utf8)) }
            }
            let new = files("a.get.yaml", "b/[id].rpc.yaml", "d.put.yaml", "c.get.json")
            let writer = RecordingWriter(folder.path)
            let there = #expect(throws: RecordingWriter.WritingError.self) { try writer.write(new) }
            #expect(there?.text.hasSuffix("replaces them: a.get.json, b/[x].post.json, c.get.json") == true)
            #expect(
                writer.remarks(on: new) == [
                    "b/1.rpc.json, which existed before, responds at /b/1 in place of b/[id].rpc.yaml"
                ]
            )
            try writer.write(new, update: true)
            let left = [
                "a.get.yaml", "b/1.rpc.json", "b/[id].rpc.yaml", "c.get.json", "d.put.yaml", "d.rpc.yaml",
                "e.page.json",
            ]
            #expect(RoutesFolder(folder.path)?.list()?.files.keys.sorted() == left)
            // Its GET would be lost.
            let more = #expect(throws: RecordingWriter.WritingError.self) {
                try writer.write(files("e.post.yaml"), update: true)
            }
            #expect(
                more?.text.hasPrefix(
                    "nothing was written: e.page.json has routes of the new files, but GET /e as well"
                ) == true
            )
        }
    }

    @Test func `The states of two recordings have names of their own`() async throws {
        try await withTemporaryFolder { folder in
            let writer = RecordingWriter("\(folder.path)/new")
            #expect(writer.unusedScenario("flow") == "flow")
            try folder.write("scenarioName: flow\n", to: "new/a.get.yaml")
            try folder.write("body: flow-2 flow\n", to: "new/b.get.yaml")
            #expect(writer.unusedScenario("flow") == "flow-2")
            #expect(writer.unusedScenario("other") == "other")
        }
    }

    @Test(arguments: [
        ("a\nb", ["a", "b"]), ("\u{FEFF}a\r\n\r\nb c \r\n", ["a", "b c"]), (" \t\n\ta\r", ["a"]), ("", []),
        ("\u{FEFF}\n", []),
    ])
    func `A list of secrets`(list: String, expected: [String]) {
        #expect(RecordingWriter.secrets(in: Array(list.utf8)) == expected)
    }

    @Test func `A folder that can't be written is an error`() async throws {
        try await withTemporaryFolder { folder in
            try folder.write("", to: "file")
            for path in ["file", "file/below"] {
                let mistake = #expect(throws: RecordingWriter.WritingError.self) {
                    try RecordingWriter("\(folder.path)/\(path)").write([])
                }
                #expect(mistake?.text.contains("file") == true)
            }
        }
    }

    /// A secret, an exchange that shows what it is, and a text that stays what it is.
    @Test(arguments: [
        (#"{"password":"hill"}"#, "The hillside, uphill: Hill, hill-top."), (#"{"pin":"2024"}"#, "Since 2024-05-01."),
        (#"{"password":"monday"}"#, "See you monday, or on monday evening."), (#"{"password":"summer"}"#, "summertime"),
        (#"{"pin":2024}"#, "(c) 2024"),
    ])
    func `Parts of words, words in sentences and years are no secrets`(body: String, text: String) {
        let told = Traffic.exchange(.post, "/in", sends: [("Content-Type", "application/json")], body: body)
        let (texts, report) = Traffic.redacted([told, Traffic.exchange(.get, "/x", response: [], text)])
        #expect(texts[1] == "/x\n\(text)")
        #expect(!texts[0].contains(body) && !report.isEmpty)
    }
}
