import Backlot
import TestSupport
import Testing

@testable import BacklotMocks
@testable import BacklotRecording

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Secrets are found in texts of all kinds, and words about them stay.
@Suite(.timeLimit(.minutes(5))) struct RedactedTextsTests {
    private static func text(_ type: String, _ text: String) -> RecordedExchange {
        Traffic.exchange(.get, "/x", response: [("Content-Type", type)], text)
    }

    private static let key = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC"

    /// A secret in a text that is no JSON, or hides one.
    @Test(arguments: [
        ("SplxlOBeZQQYbYS6WxSbIA", Traffic.exchange(.get, "/x?code=SplxlOBeZQQYbYS6WxSbIA&state=xyz")),
        ("SplxlOBeZQQYbYS6WxSbIA", Traffic.exchange(.get, "/oauth/x?code=SplxlOBeZQQYbYS6WxSbIA")),
        ("f00dBabe77x9", Traffic.exchange(.get, "/x?key=f00dBabe77x9", "f00dBabe77x9")),
        ("abcd1234", text("application/json", #"{"sessions":[{"id":"abcd1234"}]}"#)),
        ("geheimnis", text("text/event-stream", "event: a\ndata: {\"password\":\"geheimnis\"}\n\n")),
        ("opensesame", text("application/xml", #"<users><user password="opensesame"/></users>"#)),
        ("opensesame", text("text/javascript", #"let a = {password: "opensesame"}"#)),
        ("opensesame", text("text/javascript", #"window.password="opensesame";"#)),
        ("opensesame", text("text/plain", "user=ann\npassword=opensesame\n")),
        ("sesame", text("text/plain", "user: ann\r\nPassword: sesame\r\n")),
        ("sesameYou", text("application/yaml", "db:\n  password: 'sesameYou' # the old one\n")),
        ("opensesame", text("text/plain", "GET / HTTP/1.1\nAuthorization: Bearer opensesame\n")),
        ("opensesame", text("text/plain", "Token: opensesame")),
        ("opensesame", text("application/json", #"{"query":"mutation { login(password: \"opensesame\") { id } }"}"#)),
        ("hunter", text("application/json", #"{"query":"mutation { login(password: \"hunter\") { id } }"}"#)),
        ("opensesame", text("text/csv", "name;password;n\nann;opensesame;1\n")),
        ("opensesame", text("text/csv", "\"name\",\"password\"\r\n\"ann\",\"opensesame\"\r\n")),
        ("opensesame", text("text/html", "<html><!-- password: opensesame --><p>a</p></html>")),
        (key, text("text/plain", "-----BEGIN PRIVATE KEY-----\n\(key)\n-----END PRIVATE KEY-----\n")),
        (
            key,
            text(
                "application/json",
                #"{"a":"-----BEGIN RSA PRIVATE KEY-----\n\#(key)\n-----END RSA PRIVATE KEY-----"}"#
            )
        ),
        ("ghp_abcdefghijKLMNOPqrst", text("text/plain", "see ghp_abcdefghijKLMNOPqrst, too")),
        ("github_pat_11ABCDEFG0abcdefghij_kl", text("application/json", #"["github_pat_11ABCDEFG0abcdefghij_kl"]"#)),
        ("sk_live_abcdefghijkl", text("text/plain", "sk_live_abcdefghijkl")),
        ("AKIAIOSFODNN7EXAMPLE", text("application/json", #"{"a":"AKIAIOSFODNN7EXAMPLE"}"#)),
        ("xoxb-1234567890-abcdef", text("text/html", "<p>xoxb-1234567890-abcdef</p>")),
        ("AIzaSyA1234567890abcdefghijklmnopqrstuv", text("text/plain", "AIzaSyA1234567890abcdefghijklmnopqrstuv")),
        ("glpat-abcdefghijKLMNO12345", text("text/plain", "curl -H 'PRIVATE-TOKEN: glpat-abcdefghijKLMNO12345'")),
        (
            "npm_abcdefghijKLMNOPQRSTuvwxyz0123456789",
            text("text/plain", "see npm_abcdefghijKLMNOPQRSTuvwxyz0123456789.")
        ),
        (
            "pypi-AgEIcHlwaS5vcmcCJDEyMzQ1Njc4LWFiY2Q",
            text("application/json", #"["pypi-AgEIcHlwaS5vcmcCJDEyMzQ1Njc4LWFiY2Q"]"#)
        ),
        (
            "SG.abcdefghijKLMNO1234567.abcdefghijklmnopqrstuvwxyz0123456789ABCDEF-",
            text("text/html", "<p>SG.abcdefghijKLMNO1234567.abcdefghijklmnopqrstuvwxyz0123456789ABCDEF-.</p>")
        ),
        (
            "sk-abcdefghijklmnopqrstuvwxyz123456",
            text("application/json", #"{"a":"sk-abcdefghijklmnopqrstuvwxyz123456"}"#)
        ),
        ("sk-proj-abcdefghijKLMN0123_xyz-1", text("text/javascript", "const a = 'sk-proj-abcdefghijKLMN0123_xyz-1'")),
        ("hvs.CAESIJabcdefghijKLMNO1234567890", text("text/plain", "VAULT: hvs.CAESIJabcdefghijKLMNO1234567890")),
        ("ya29.a0AfH6SMBabcdefghij_kl-mn", text("application/json", #"{"a":["ya29.a0AfH6SMBabcdefghij_kl-mn"]}"#)),
        (
            "T0ABCDEFG/B0ABCDEFG/abcdefghijKLMNOPQRSTuvwx",
            text(
                "application/json",
                #"{"a":"https://hooks.slack.com/services/T0ABCDEFG/B0ABCDEFG/abcdefghijKLMNOPQRSTuvwx"}"#
            )
        ),
        (
            "T0ABCDEFG/B0ABCDEFG/abcdefghijKLMNOPQRSTuvwx",
            text("text/plain", "see https://hooks.slack.com/services/T0ABCDEFG/B0ABCDEFG/abcdefghijKLMNOPQRSTuvwx/.")
        ),
        ("opensesame", text("application/json", #"{"a":"Server=db;Uid=sa;Pwd=opensesame;Encrypt=yes"}"#)),
        ("hunter", text("text/plain", "the database is Server=db;Uid=sa;Pwd=hunter\n")),
        (
            "abc+d/ef12345678==",
            text("application/json", #"{"a":"AccountName=x;AccountKey=abc+d/ef12345678==;EndpointSuffix=y"}"#)
        ),
        (
            "abc+d/ef12345678==",
            text("text/javascript", "a('AccountName=x;AccountKey=abc+d/ef12345678==;EndpointSuffix=y')")
        ),
        ("f00dBabe77x9", text("application/json", #"{"a":"curl -H 'Authorization: Bearer f00dBabe77x9' http://a"}"#)),
        ("f00dBabe77x9", text("text/html", "<p>Send bearer f00dBabe77x9.</p>")),
        ("abcdefghijklmnopqrstuvwxyz", text("text/javascript", "// Bearer abcdefghijklmnopqrstuvwxyz")),
        ("f00dBabe77x9", Traffic.exchange(.get, "/x", sends: [("Ocp-Apim-Subscription-Key", "f00dBabe77x9")])),
        ("wordswordswords", Traffic.exchange(.get, "/x?code_verifier=wordswordswords")),
        ("ST-1856339-aA5Yuvrxzpv8Tau1cYQ7", Traffic.exchange(.get, "/x?ticket=ST-1856339-aA5Yuvrxzpv8Tau1cYQ7")),
        ("ST-1856339-aA5Yuvrxzpv8Tau1cYQ7", text("application/json", #"{"ticket":"ST-1856339-aA5Yuvrxzpv8Tau1cYQ7"}"#)),
        ("4711", text("application/json", #"{"smsCode":"4711"}"#)),
        (
            Base64.encode(#"{"password":"opensesame"}"#),
            text("application/json", #"{"a":"\#(Base64.encode(#"{"password":"opensesame"}"#))"}"#)
        ),
        (
            Base64.encode("user=ann&password=opensesame"),
            Traffic.exchange(.get, "/x?a=\(FormText.encode(Base64.encode("user=ann&password=opensesame")))")
        ),
    ])
    func `Secrets in plain texts and in texts within texts are redacted`(secret: String, exchange: RecordedExchange) {
        let (texts, report) = Traffic.redacted([exchange])
        for spelling in SecretReplacement.spellings(of: secret) {
            #expect(!texts[0].contains(spelling.text), "\(texts)")
        }
        #expect(!report.isEmpty)
    }

    @Test(arguments: [
        Traffic.exchange(.get, "/errors?code=E1234567890ab", "1"), Traffic.exchange(.get, "/x?code=DE&state=BY", "1"),
        Traffic.exchange(.get, "/x?key=favourites&sort=name", "1"),
        text("application/json", #"{"sessions":[{"id":"keynotes","title":"Welcome"}]}"#),
        text("text/html", #"<form><input type="password" name="password" autocomplete="current-password"></form>"#),
        text(
            "text/javascript",
            #"a({password:"required",token:"punctuation",auth:"/login/now",secret:"secretField"})"#
        ),
        text("text/plain", "Password: at least eight characters\npassword: required\nToken: optional\n"),
        text("text/javascript", "let a = {\n  password: password,\n  token: readToken(),\n}"),
        text("application/yaml", "pin: Hamburg\npan: left\n"), text("text/javascript", "a({pin:'bookmarked'})"),
        text("text/csv", "name,place\nann,password\n"), text("text/plain", "AKIAtoo-short ghp_no sk_live_"),
        text("text/html", "<!-- password: required --><p>-----BEGIN PRIVATE KEY-----</p>"),
        text("application/json", #"{"a":"dGhpcyBpcyBhIHRleHQgdGhhdCBpcyBsb25n"}"#),
        text("text/plain", "task-list-of-everything-2024-or-later disk-abcdefghij0123456789 risk-assessment"),
        text("text/plain", "sk-learn-tutorials-0-24-and-later sk- sk-short sk-SK glpat-short glpat-"),
        text("text/plain", "npm_config_registry_of_the_company npm_package_version npm_lifecycle_event"),
        text("text/html", "<p>pypi-publish-action-of-the-month hvs.someFunctionOfIt ya29. ya29.short</p>"),
        text("text/plain", "SG.Finance.Reports.2024.Quarter and SG. Dynamo Dresden, MSG.abcdefghijklmnopqrst12"),
        text("text/plain", "https://hooks.slack.com/services/ and hooks.slack.com/services/T0/B0/XXX"),
        text(
            "text/plain",
            "Bearer tokens are sent as Bearer TOKEN. The bearer authentication, a Bearer of news, forbearer abcdef123456"
        ),
        text("text/html", #"<p>WWW-Authenticate: Bearer realm="a", error="invalid_token"</p>"#),
        text("application/json", #"{"ticket":"Adult, two zones","title":"A ticket for 2024","tickets":["A-1"]}"#),
        text("application/json", #"{"ticket":"SUPPORT-1234567"}"#), Traffic.exchange(.get, "/x?ticket=day&zone=2", "1"),
        text("application/json", #"{"a":"a=b;password=required;token=optional","b":"the pwd; a=b"}"#),
        Traffic.exchange(.get, "/x?code_challenge_method=S256&subscription=monthly", "1"),
    ])
    func `Texts about secrets stay`(exchange: RecordedExchange) {
        var redaction = Redaction()
        let redacted = redaction.redacted([exchange])[0]
        #expect(redacted.url == exchange.url)
        #expect(
            String(decoding: redacted.responseBody, as: UTF8.self)
                == String(decoding: exchange.responseBody, as: UTF8.self)
        )
        #expect(redaction.report.isEmpty, "\(redaction.report)")
    }

    /// Pages, scripts and mocks without secrets, of which many speak of passwords and tokens.
    @Test(arguments: ["Sources/BacklotPreview/Web", "Routes"])
    func `This repository's own pages stay`(folder: String) throws {
        let all = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let root = all.appending(path: folder).resolvingSymlinksInPath().path
        let names = try FileManager.default.subpathsOfDirectory(atPath: root)
        let types = [
            "html": "text/html", "js": "text/javascript", "css": "text/css", "yaml": "application/yaml",
        ]
        var count = 0
        for name in names {
            guard let type = types[String(name.split(separator: ".").last ?? "")] else { continue }
            let text = try String(contentsOfFile: "\(root)/\(name)", encoding: .utf8)
            var redaction = Redaction()
            let redacted = redaction.redacted([Self.text(type, text)])[0]
            #expect(redacted.responseBody == Array(text.utf8), "\(name): \(redaction.report)")
            count += 1
        }
        #expect(count > 0)
    }

    // A search through the rest of the text, or through all others, for each of them would take longer than the time limit.

    @Test func `Many private keys are found`() {
        let block = "-----BEGIN PRIVATE KEY-----\n\(Self.key)\n-----END PRIVATE KEY-----\n"
        let found = SecretShapes.found(in: String(repeating: block, count: 100_000))
        #expect(found.count == 100_000 && found.allSatisfy { $0.text == Self.key })
    }

    @Test func `Values with the same end are read up to a limit, which other values don't count for`() {
        let text = String(repeating: "?a=", count: 10_000)
        let found = NamedTexts.assigned(in: text + "&b=c", isField: false).map(\.pair)
        #expect(found.count == 10_001 && found[0].value.utf8.count == text.utf8.count - 3)
        #expect(found.reduce(0) { $0 + $1.value.utf8.count } <= 8 * text.utf8.count)
        #expect(found.last?.name == "b" && found.last?.value == "c")
    }

    @Test func `Many codes without a state stay`() {
        let body = String(repeating: "code=a1b2c3d4e5f6&", count: 50_000)
        let type = "application/x-www-form-urlencoded"
        var redaction = Redaction()
        let exchange = Traffic.exchange(.post, "/x", sends: [("Content-Type", type)], body: body)
        #expect(redaction.redacted([exchange])[0].requestBody == Array(body.utf8))
    }

    @Test func `Many secrets that begin alike are replaced, the longest first`() {
        let secrets = (10_000..<20_000).map { "aa\($0)@b.cc" } + ["a1b2c3d4e5", "a1b2c3d4e5f6"]
        let pseudonyms = Dictionary(uniqueKeysWithValues: secrets.map { ($0, "x\($0.utf8.count)") })
        let kinds = Dictionary(uniqueKeysWithValues: secrets.map { ($0, "token") })
        let replacement = SecretReplacement(pseudonyms, kinds: kinds)
        let text = String(repeating: "a", count: 1_000_000)
        #expect(replacement.replaced("\(text) \(secrets[77])") == "\(text) x12")
        #expect(replacement.replaced("a1b2c3d4e5 a1b2c3d4e5f6 a1b2c3d4e5f a1b2c3d4") == "x10 x12 x10f a1b2c3d4")
    }

    /// Keys of all levels around each value would take the product of both.
    @Test func `A value keeps its nearest keys`() throws {
        let depth = 400
        let text = String(repeating: #"{"a":"#, count: depth) + #"{"b":1,"password":"opensesame"}"#
        let body = text + String(repeating: "}", count: depth)
        let scalars = try #require(JSONScalars.of(Array(body.utf8)))
        #expect(scalars.map { $0.keys.count } == [17, 17])
        #expect(scalars.map { $0.keys.last } == ["b", "password"])
        #expect(!Traffic.redacted([Traffic.exchange(.get, "/x", body)]).texts[0].contains("opensesame"))
    }

    /// A text whose parts each begin a key that reaches to its end would take longer than the time limit.
    @Test(.timeLimit(.minutes(1))) func `Many beginnings of keys stay, and a long key is replaced as a whole`() {
        let beginnings = String(repeating: "sk-", count: 16_000)
        let key = "sk-proj-" + String(repeating: "abcdefghij0123456789", count: 15)
        let redacted = Traffic.redacted([Self.text("text/plain", "\(beginnings) \(key)")])
        #expect(redacted.texts[0].contains(beginnings) && !redacted.texts[0].contains("abcdefghij"))
        #expect(redacted.report.count == 1)
    }

    /// The expression for parameters would take longer than the time limit.
    @Test(arguments: [100, 100_000]) func `Digest credentials without parameters are one secret`(count: Int) {
        let credentials = String(repeating: "a", count: count)
        let exchange = Traffic.exchange(.get, "/x", sends: [("Authorization", "Digest \(credentials)")])
        let redacted = Traffic.redacted([exchange])
        #expect(redacted.texts[0].hasPrefix("/x\nAuthorization: Digest ") && !redacted.texts[0].contains(credentials))
    }

    /// A secret of many bytes has as many spellings of as many bytes.
    @Test(arguments: [(8192, true), (8193, false), (1_000_000, false)])
    func `A secret of more than 8 KB is replaced in its place only, and the report says so`(count: Int, recurs: Bool) {
        let secret = String(repeating: "ab", count: count / 2) + (count % 2 == 0 ? "" : "c")
        let redacted = Traffic.redacted([
            Traffic.exchange(.post, "/x", body: #"{"password":"\#(secret)"}"#, #"{"echo":"\#(secret)"}"#)
        ])
        let bodies = redacted.texts[0].split(separator: "\n").filter { $0.hasPrefix("{") }
        #expect(bodies.map { $0.contains(secret) } == [false, !recurs])
        let isTold = redacted.report.contains { $0.contains("(replaced only here, as it has more than 8 KB)") }
        #expect(isTold == !recurs, "\(redacted.report)")
    }

    @Test func `A gzip file is searched`() throws {
        let text = String(repeating: "name=ann\n", count: 20)
        for (inner, isSecret) in [("\(text)password=opensesame\n", true), (text, false)] {
            var exchange = Self.text("application/gzip", "")
            exchange.responseBody = try #require(HiddenText.deflated(Array(inner.utf8)))
            var redaction = Redaction()
            let body = redaction.redacted([exchange])[0].responseBody
            let inflated = String(decoding: try #require(HiddenText.inflated(body)), as: UTF8.self)
            #expect(inflated.contains("opensesame") == false && inflated.hasPrefix(text))
            #expect(redaction.report.isEmpty == !isSecret && (body == exchange.responseBody) == !isSecret)
        }
        #expect(HiddenText.inflated([0x1F, 0x8B, 0, 1]) == nil)
    }

    @Test func `The parameters of Digest credentials keep their names`() {
        let value =
            #"Digest username="ann", realm="a b", nonce="f00dBabe77x9f00d", uri="/x", qop=auth, response="abc123""#
        let (texts, _) = Traffic.redacted([Traffic.exchange(.get, "/x", sends: [("Authorization", value)])])
        let shape =
            /Authorization: Digest username="[a-z]{3}", realm="a b", nonce="[^"]{16}", uri="\/x", qop=auth, response="[^"]{6}"/
        #expect(texts[0].contains(shape), "\(texts)")
        #expect(!texts[0].contains("f00dBabe77x9f00d") && !texts[0].contains("abc123") && !texts[0].contains("\"ann\""))
    }
}
