import Applin
import Backlot
import TestSupport
import Testing

@testable import BacklotMocks
@testable import BacklotRecording

/// A recorded backend: what was recorded, and what a person expects of mocks that get the same requests in other orders.
///
/// A line is an exchange: `ann POST /tasks {"t":"x"} @token > 201 {"id":1}`. A client whose name begins with a capital letter keeps no
/// cookies. `@token` is sent as `Authorization: Bearer token`, `Name:value` as a header field. `+sid=1` sets a cookie, `-sid` removes it. What
/// isn't named on the right side isn't compared.
struct CorpusCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let recorded: [Line]
    let orders: [[Line]]

    init(_ name: String, _ recorded: String, _ orders: String...) {
        testDescription = name
        self.recorded = Self.lines(recorded)
        self.orders = orders.map(Self.lines)
    }

    private static func lines(_ text: String) -> [Line] { text.split(separator: "\n").map { Line(String($0)) } }

    /// One exchange.
    struct Line: Sendable {
        let text: String
        let client: String
        let method: HTTPRequest.Method
        let url: String
        var body = ""
        var headers: [(String, String)] = []
        var status = 200
        var response: String?
        var responseHeaders: [(String, String)] = []

        init(_ text: String) {
            self.text = text
            let sides = text.split(separator: ">", maxSplits: 1)
            let words = sides[0].split(separator: " ").map(String.init)
            client = words[0]
            method = HTTPRequest.Method(words[1]) ?? .get
            url = words[2]
            for word in words.dropFirst(3) {
                if word.hasPrefix("@") {
                    headers.append(("Authorization", "Bearer \(word.dropFirst())"))
                } else if let colon = word.firstIndex(of: ":"), word.first?.isUppercase == true {
                    headers.append((String(word[..<colon]), String(word[word.index(after: colon)...])))
                } else {
                    body = word
                }
            }
            if body.hasPrefix("{") { headers.append(("Content-Type", "application/json")) }
            if body.hasPrefix("--B") {
                headers.append(("Content-Type", "multipart/form-data; boundary=B"))
            } else if body.contains("="), !body.hasPrefix("{") {
                headers.append(("Content-Type", "application/x-www-form-urlencoded"))
            }
            guard sides.count > 1 else { return }
            for word in sides[1].split(separator: " ").map(String.init) {
                if let code = Int(word), (200...599).contains(code), response == nil {
                    status = code
                } else if word.hasPrefix("+") {
                    responseHeaders.append(("Set-Cookie", "\(word.dropFirst()); Path=/; HttpOnly"))
                } else if word.hasPrefix("-"), word.count > 1 {
                    responseHeaders.append(("Set-Cookie", "\(word.dropFirst())=; Path=/; Max-Age=0"))
                } else if word.hasPrefix("Location:") {
                    responseHeaders.append(("Location", String(word.dropFirst("Location:".count))))
                } else {
                    response = word.replacing("_", with: " ")
                }
            }
        }

        /// The exchange, sent with the cookies that the client has.
        func exchange(_ cookies: Cookies) -> RecordedExchange {
            let isJSON = response?.first.map { "{[\"0123456789".contains($0) } ?? false
            let type =
                response == nil ? [] : [("Content-Type", isJSON ? "application/json" : "text/plain; charset=utf-8")]
            return Traffic.exchange(
                method,
                url,
                sends: headers + (cookies.header.map { [("Cookie", $0)] } ?? []),
                body: body,
                status: status,
                response: type + responseHeaders,
                response ?? ""
            )
        }
    }

    /// The cookies of a client.
    struct Cookies {
        private var values: [(name: String, value: String)] = []

        var header: String? {
            values.isEmpty ? nil : values.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
        }

        mutating func take(_ fields: [String]) {
            for cookie in fields.compactMap({ RecordedCookie($0) }) {
                values.removeAll { $0.name == cookie.name }
                if !cookie.isRemoval { values.append((cookie.name, cookie.value)) }
            }
        }
    }

    /// What was recorded.
    var exchanges: [RecordedExchange] {
        var cookies: [String: Cookies] = [:]
        return recorded.map { line in
            let exchange = line.exchange(cookies[line.client] ?? Cookies())
            if line.keepsCookies {
                cookies[line.client, default: Cookies()].take(exchange.responseHeaders[values: .setCookie])
            }
            return exchange
        }
    }

    /// What mocks respond other than a person expects, a line for each.
    static func differences(_ lines: [Line], _ mocks: RecordingApp) async throws -> [String] {
        var cookies: [String: Cookies] = [:]
        // A client sends the token that it has got, whatever was recorded.
        var tokens: [String: String] = [:]
        var differences: [String] = []
        for line in lines {
            var sent = line.exchange(cookies[line.client] ?? Cookies())
            if let field = sent.requestHeaders[.authorization], let token = tokens[field] {
                sent.requestHeaders[.authorization] = token
            }
            let found = try await mocks.ask(line.method, line.url, headers: sent.requestHeaders, body: line.body)
            if line.keepsCookies { cookies[line.client, default: Cookies()].take(found.headers[values: .setCookie]) }
            var text = line.response
            if let token = line.token, let other = (try? JSONValue(parsing: found.text))?["token"]?.string {
                tokens["Bearer \(token)"] = "Bearer \(other)"
                text = text?.replacing(token, with: other)
            }
            let place = line.responseHeaders.first { $0.0 == "Location" }?.1
            let isSame = found.status.code == line.status && text ?? found.text == found.text
            if !isSame || place != nil && found.headers[.location] != place {
                differences.append("\(line.text) | but: \(found.status.code) \(found.text.prefix(300))")
            }
        }
        return differences
    }
}

extension CorpusCase.Line {
    /// The token that the response gives.
    var token: String? { response.flatMap { (try? JSONValue(parsing: $0))?["token"]?.string } }
    var keepsCookies: Bool { client.first?.isLowercase == true }
}

/// Recorded backends, replayed in the recorded order and in three others.
@Suite(.timeLimit(.minutes(5))) struct CorpusTests {
    @Test(arguments: CorpusCase.all)
    func `A recorded backend responds alike in each order of requests`(backend: CorpusCase) async throws {
        #expect(backend.orders.count >= 3)
        let recording = RouteRecording(backend.exchanges, formats: [.applin()])
        for (number, order) in ([backend.recorded] + backend.orders).enumerated() {
            try await withMocks(recording.texts) { mocks, routes in
                #expect(routes.problems.isEmpty)
                let differences = try await CorpusCase.differences(order, mocks)
                #expect(
                    differences == [],
                    "order \(number)\n\(recording.texts.sorted { $0.key < $1.key }.map { "# \($0)\n\($1)" }.joined())"
                )
            }
        }
    }

    @Test func `The corpus is large enough`() { #expect(CorpusCase.all.count >= 25) }
}
