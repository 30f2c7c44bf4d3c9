import Foundation

/// Asks an entry for all that its verifications would, and more that is wrong.
///
/// The rules are those of HttpArena's documentation of its test profiles (www.http-arena.com, "Test Profiles") and its validation, and
/// of TechEmpower's "Project Information: Framework Tests Overview" and its verifications, as both stood in 2026.
struct ArenaChecks {
    /// The entry's port on 127.0.0.1.
    let port: Int
    let folder: ArenaFolder
    let workspace: Workspace

    /// One rule, or a few that belong together.
    struct Check: Sendable {
        var name: String
        var run: @Sendable (ArenaChecks) throws -> Void
    }

    static let all = [
        Check(name: "plaintext") { checks in
            let response = try checks.ask("/plaintext")
            try ArenaRules.requireText("Hello, World!", response)
            try ArenaRules.requireFields(response)
            guard response.fields["content-encoding"] == nil else { throw CheckFailure("the text is compressed") }
        },
        Check(name: "message") { checks in
            let response = try checks.ask("/json", headers: ["Accept-Encoding: gzip"])
            try ArenaRules.requireMessage(response)
            try ArenaRules.requireFields(response)
        },
        Check(name: "the date goes on") { checks in
            let first = try checks.ask("/plaintext").fields["date"]
            let deadline = Deadline(after: 3)
            while try checks.ask("/plaintext").fields["date"] == first {
                guard !deadline.hasPassed else { throw CheckFailure("the Date stays \(first ?? "missing")") }
                usleep(100_000)
            }
        },
        Check(name: "pipelined") { try $0.checkPipelining() },
        Check(name: "baseline") { try $0.checkBaseline() },
        Check(name: "in fragments") { try $0.checkFragments() },
        Check(name: "short connections") { checks in
            for round in 0..<3 {
                let connection = try LoopbackConnection(port: checks.port)
                for number in 0..<10 {
                    let response = try connection.get("/baseline11?a=\(number)&b=\(round)")
                    try ArenaRules.requireText("\(number + round)", response)
                }
            }
        },
        Check(name: "items") { try $0.checkItems() },
        Check(name: "items, compressed") { try $0.checkCompression() },
        Check(name: "upload") { checks in
            for count in [0, 17, 512_000, 2_097_152, 20_971_520] {
                let body = String(repeating: "u", count: count)
                let response = try checks.ask("/upload", method: "POST", body: body)
                try ArenaRules.requireText("\(count)", response)
            }
        },
        Check(name: "files") { try $0.checkFiles() },
        Check(name: "files that change") { try $0.checkFreshness() },
        Check(name: "mistakes") { checks in
            for path in [
                "/baseline11?a=x&b=1", "/baseline11?a=9223372036854775807&b=1", "/json/0?m=1", "/json/51?m=1",
                "/json/x?m=1",
                "/json/5", "/json/5?m=", "/json/5?m=9223372036854775807",
            ] {
                try ArenaRules.requireStatus(400, try checks.ask(path))
            }
            try ArenaRules.requireStatus(400, try checks.ask("/baseline11?a=1", method: "POST", body: "two"))
            try ArenaRules.requireStatus(404, try checks.ask("/pipelines"))
        },
    ]

    /// Runs all of them.
    /// - Throws: ``CheckFailure`` with the name of the one that failed.
    func run() throws {
        for check in Self.all {
            do { try check.run(self) } catch { throw CheckFailure("\(check.name): \(error)") }
        }
    }

    private func ask(
        _ path: String,
        method: String = "GET",
        headers: [String] = [],
        body: String = ""
    ) throws -> Response {
        try LoopbackConnection(port: port).ask(
            Load(path: path, method: method, headers: headers, body: body),
            within: 30
        )
    }

    /// Sixteen requests at once are answered in their order.
    private func checkPipelining() throws {
        let connection = try LoopbackConnection(port: port)
        for (path, body) in [("/plaintext", "Hello, World!"), ("/pipeline", "ok")] {
            try ArenaRules.requireText(body, try connection.get(path))
            try connection.send(String(repeating: Load(path: path).request(port: port), count: 16))
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n\r\n\(body)").count < 17 {
                bytes += buffer[..<(try connection.receive(into: &buffer, within: 5))]
            }
            let heads = String(decoding: bytes, as: UTF8.self).components(separatedBy: "HTTP/1.1 200 OK\r\n").count - 1
            guard heads == 16 else { throw CheckFailure("\(heads) answers to 16 requests") }
        }
        let paths = (0..<16).map { "/baseline11?a=\($0)&b=100" }
        try connection.send(paths.map { Load(path: $0).request(port: port) }.joined())
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !String(decoding: bytes, as: UTF8.self).hasSuffix("\r\n\r\n115") {
            bytes += buffer[..<(try connection.receive(into: &buffer, within: 5))]
        }
        let sums = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n\r\n").dropFirst().map {
            $0.prefix(3)
        }
        guard sums == (100..<116).map({ "\($0)"[...] }) else { throw CheckFailure("answers in another order: \(sums)") }
    }

    /// The sum of the query and the body, whose numbers nobody knows before.
    private func checkBaseline() throws {
        for _ in 0..<8 {
            let (a, b, c) = (Int.random(in: 100...999), Int.random(in: 100...999), Int.random(in: 100...999))
            let path = "/baseline11?a=\(a)&b=\(b)"
            try ArenaRules.requireText("\(a + b)", try ask(path))
            let typed = ["Content-Type: text/plain"]
            try ArenaRules.requireText("\(a + b + c)", try ask(path, method: "POST", headers: typed, body: "\(c)"))
            let digits = "\(c)".map { "1\r\n\($0)\r\n" }.joined()
            let connection = try LoopbackConnection(port: port)
            try connection.send(
                "POST \(path) HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(digits)0\r\n\r\n"
            )
            try ArenaRules.requireText("\(a + b + c)", try connection.response())
        }
    }

    /// Requests that come in pieces.
    private func checkFragments() throws {
        let post = "POST /baseline11?a=13&b=42 HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nConnection: close\r\n\r\n"
        for (pieces, sum) in [
            (["GET /baseli", "ne11?a=13&b=42 HTTP/1.1\r\n", "Host: h\r\nConnection: close\r\n\r\n"], 55),
            (["GET /baseline11?a=13&b=42 HTTP/1.1\r\n", "Host: h\r\n", "Connection: close\r\n\r\n"], 55),
            ([post, "20"], 75), ([post, "2", "0"], 75),
        ] {
            let connection = try LoopbackConnection(port: port)
            for piece in pieces {
                try connection.send(piece)
                usleep(20_000)
            }
            try ArenaRules.requireText("\(sum)", try connection.response())
        }
    }

    private func checkItems() throws {
        for (count, multiplier) in [(1, 3), (12, 3), (22, 7), (31, 2), (50, 5), (50, 1), (7, -1)] {
            let response = try ask("/json/\(count)?m=\(multiplier)")
            try ArenaRules.requireJSON(response)
            try ArenaRules.requireItems(count, times: multiplier, response.body)
            guard response.fields["content-encoding"] == nil else { throw CheckFailure("compressed for nobody") }
        }
    }

    private func checkCompression() throws {
        for (count, multiplier) in [(25, 3), (40, 7), (50, 2)] {
            let response = try ask("/json/\(count)?m=\(multiplier)", headers: ["Accept-Encoding: gzip, br"])
            try ArenaRules.requireJSON(response)
            try ArenaRules.requireItems(count, times: multiplier, try decompressed(response))
        }
    }

    private func checkFiles() throws {
        for (name, expected) in ArenaFolder.files {
            for headers in [[], ["Accept-Encoding: br;q=1, gzip;q=0.8"]] {
                let response = try ask("/static/\(name)", headers: headers)
                try ArenaRules.requireStatus(200, response)
                let type = response.fields["content-type"] ?? "none"
                guard type.split(separator: ";").first.map(String.init) == expected.type else {
                    throw CheckFailure("\(name): the Content-Type is \(type), not \(expected.type)")
                }
                let body =
                    headers.isEmpty || response.fields["content-encoding"] == nil
                    ? response.body : try decompressed(response)
                guard body == Array(try Data(contentsOf: folder.file(name))) else {
                    throw CheckFailure("\(name): other bytes")
                }
            }
        }
        try ArenaRules.requireStatus(404, try ask("/static/nonexistent.txt"))
    }

    /// After a file has changed, the next answer has its new bytes. A compressed copy beside it changes nothing about that.
    private func checkFreshness() throws {
        let name = "changing.css"
        for round in 0..<3 {
            let text = String(repeating: "/* round \(round) */\n", count: 200)
            try folder.write(text, to: name)
            if round > 0 {
                let compress = ["-9", "-n", "-k", "-f", folder.file(name).path]
                _ = try ChildProcess("gzip", executable: Executable.find("gzip"), arguments: compress, in: workspace)
                    .finish()
            }
            for headers in [[], ["Accept-Encoding: gzip"]] {
                let response = try ask("/static/\(name)", headers: headers)
                let body = headers.isEmpty ? response.body : try decompressed(response)
                guard body == Array(text.utf8) else { throw CheckFailure("the bytes of before are sent") }
            }
        }
    }

    private func decompressed(_ response: Response) throws -> [UInt8] {
        guard response.fields["content-encoding"] == "gzip" else { throw CheckFailure("the answer isn't compressed") }
        let file = workspace.folder.appendingPathComponent("\(UUID().uuidString).gz")
        try Data(response.body).write(to: file)
        _ = try ChildProcess("gzip", executable: Executable.find("gzip"), arguments: ["-d", file.path], in: workspace)
            .finish()
        return Array(try Data(contentsOf: file.deletingPathExtension()))
    }
}
