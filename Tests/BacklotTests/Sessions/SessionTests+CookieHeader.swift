import Testing

@testable import Backlot

extension SessionTests {
    /// Reading `Cookie` fields, as clients and attackers write them.
    struct CookieHeaders {
        @Test(arguments: [
            ("session=a", ["a"]),
            ("a=b; session=c; d=e", ["c"]),
            ("session=a; session=b", ["a", "b"]),
            ("session=a;session=b", ["a", "b"]),
            ("  session \t=\t a  ;", ["a"]),
            // RFC 6265bis, section 4.1.1: quotes are a part of the value, and a semicolon between them ends the cookie.
            (#"session="a""#, [#""a""#]),
            (#"session=" a""#, [#"" a""#]),
            (#"session=""#, [#"""#]),
            (#"session="""#, [#""""#]),
            (#"x="; session=a; y=""#, ["a"]),
            (#"session="a; session=b; c""#, [#""a"#, "b"]),
            (#"session="a\"b; session=c""#, [#""a\"b"#, #"c""#]),
            // Nothing of RFC 2109 and RFC 2965.
            ("$Version=1; session=a; $Path=/; $Domain=h", ["a"]),
            (#"$Version="1"; session="a"; $Path="/""#, [#""a""#]),
            ("$session=a", []),
            ("$Version=1, session=a", []),
            // Of the blanks, spaces and tabs alone.
            ("\u{A0}session=a", []),
            ("\u{85}session=a", []),
            ("\u{2000}session=a", []),
            ("\u{3000}session=a; session\u{3000}=b", []),
            ("\u{FEFF}session=a; session\u{200B}=b; ses\u{AD}sion=c", []),
            ("\u{FFFD}session=a", []),
            ("session=\u{A0}a\u{A0}", ["\u{A0}a\u{A0}"]),
            ("x=y;\u{2028}session=a;\u{B}session=b;\u{C}session=c", []),
            // Letters that only look alike, or become equal in another form or case.
            ("\u{17F}ession=a; \u{FF53}ession=b; sessi\u{3BF}n=c; SESSION=d", []),
            ("__Host-session=a; session[]=b; session.=c; session%20=d", []),
            ("session=", [""]),
            ("session=a=b==", ["a=b=="]),
            ("session", []),
            ("=session", []),
            ("Session=a; SESSION=b; sessions=c; xsession=d", []),
            (";;; ; garbage; session=a;;", ["a"]),
            ("session=é😀", ["é😀"]),
            ("session=a,session=b", ["a,session=b"]),
            ("", []),
        ])
        func `The values of a cookie are found in any header`(header: String, expected: [String]) {
            #expect(CookieHeader.values(named: "session", in: header) == expected)
        }

        @Test func `Several Cookie fields are read in turn`() throws {
            let ids = (0..<6).map { String(repeating: "\($0)", count: 32) }
            var headers: HTTPFields = [:]
            for id in ids { headers.append(HTTPField(name: .cookie, value: "a=b; session=\(id)")) }
            let request = try Request(.get, "/", headers: headers)
            var keys: [SessionHash] = []
            CookieHeader.forEachSessionKey(in: request.headers) { keys.append($0) }
            #expect(keys == ids.prefix(4).map { SessionHash(hashing: $0) })
        }

        /// Whatever stands around it, a cookie is the session only where its name and its value are.
        @Test(arguments: [
            ("session=ID", true), ("a=b; session=ID; c=d", true), (" session = ID ", true),
            ("session=ID; session=ID", true),
            ("$Version=1; session=ID; $Path=/", true), (#"a="; session=ID; b=""#, true),
            (#"session="ID""#, false), (#"session="ID"#, false), (#"session="x; y=ID""#, false), ("session=ID,", false),
            ("session=ID, session=ID", false), ("\u{A0}session=ID", false), ("session\u{A0}=ID", false),
            ("session=\u{A0}ID", false), ("\u{2003}session=ID", false), ("Session=ID", false), ("session", false),
            ("session==ID", false), ("session=session=ID", false), ("=session=ID", false), ("x=session=ID", false),
        ])
        func `A cookie is the session only with its name and value`(header: String, isLoggedIn: Bool) async throws {
            let app = SessionApp.make()
            let id = try await app.logIn()
            let header = header.replacing("ID", with: id)
            let request = try Request(.get, "/me", headers: [.cookie: header])
            let response = try await app.handler(request)
            #expect(SessionResponse(response: response, error: nil).text == (isLoggedIn ? "ada" : "nobody"))
        }

        @Test func `50,000 mutated fields trap nothing and log nobody in`() async throws {
            let app = SessionApp.make()
            let id = try await app.logIn()
            let seeds = [
                "session=\(id)", "a=b; session = \(id); c=d", "session=\(id.reversed()); session=\(id)",
                "session=;;=; \t session = \(id) ;x",
            ].map { Array($0.utf8) }
            let spices = Array("; =\"\t,sesion\\%".utf8) + [0x00, 0x7F, 0x80, 0xC3, 0xF0, 0xFF]
            var random = SplitMix64(seed: 42)
            var users = 0
            var strangers = 0
            for round in 0..<50_000 {
                var bytes = seeds[round % seeds.count]
                for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
                    let index = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes.remove(at: index)
                    case 1: bytes[index] = spices.randomElement(using: &random) ?? 0
                    case 2: bytes.insert(spices.randomElement(using: &random) ?? 0, at: index)
                    default: bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &random))
                    }
                }
                let text = String(decoding: bytes, as: UTF8.self)
                _ = CookieHeader.values(named: "session", in: text)
                let request = try Request(.get, "/me", headers: [.cookie: text])
                let response = try await app.handler(request)
                let user = SessionResponse(response: response, error: nil).text
                if user == "ada" { users += 1 } else { strangers += 1 }
                if user == "ada", !text.contains(id) { Issue.record("\(text) logged in") }
            }
            #expect(users > 1000 && strangers > 1000, "too few of either kind: the test says little")
        }
    }
}
