import Backlot
import FoundationEssentials

/// Answers every request, by its path.
struct EchoHandler: Handler {
    static let manual = """
        /echo          the request's header fields, one a line
        /cookie        its cookies, one a line
        /static/PATH   a file of the folder that --static names
        /slow?ms=N     answers after N milliseconds, at most 60,000
        /redirect?to=L 302 to L
        /stream?n=N    N lines, each in a piece of its own; 5 unless said, at most 1,000,000
        anything else  the body that was sent; without one, the method and the target
        """

    /// What serves `/static/`: nothing, unless a folder was named.
    private let files: any Handler

    init(folder: String?) {
        let router = Router()
        if let folder { router.files(folder, at: "/static") }
        files = router.handler()
    }

    func prepare() throws {
        try files.prepare()
    }

    func respond(to request: Request) throws -> HandlerResult {
        switch request.path {
        case "/echo": return .ready(headers(of: request))
        case "/cookie": return .ready(cookies(of: request))
        case "/slow": return .pending { try await slow(request) }
        case "/redirect": return .ready(try redirect(request))
        case "/stream": return .ready(try stream(request))
        case let path where path.hasPrefix("/static/"): return try files.respond(to: request)
        default:
            if request.body.declaredLength == 0 { return .ready(line(of: request)) }
            return .pending { try await body(of: request) }
        }
    }

    /// HEAD is answered as GET would be (RFC 9110, section 9.3.2).
    private func line(of request: Request) -> Response {
        .text("\(request.method == .head ? .get : request.method) \(request.target)\n")
    }

    private func body(of request: Request) async throws -> Response {
        let body = try await request.body.collect()
        if body.isEmpty { return line(of: request) }
        let type = request.headers[.contentType].flatMap { HTTPField.isValidValue($0) ? $0 : nil }
        return Response(headers: [.contentType: type ?? "application/octet-stream"], body: .bytes(body))
    }

    private func headers(of request: Request) -> Response {
        .text(request.headers.map { "\($0.name): \($0.value)\n" }.joined())
    }

    private func cookies(of request: Request) -> Response {
        let cookies = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
        return .text(cookies.map { "\($0.drop { $0 == " " })\n" }.joined())
    }

    private func slow(_ request: Request) async throws -> Response {
        let milliseconds = try number("ms", of: request, in: 0...60_000) ?? 0
        try await Task.sleep(for: .milliseconds(milliseconds))
        return .text("waited \(milliseconds) ms\n")
    }

    private func redirect(_ request: Request) throws -> Response {
        guard let target = query(request)["to"] else { throw StatusError(.badRequest, "say where: /redirect?to=/") }
        do throws(HeaderError) {
            return try .redirect(to: target)
        } catch {
            throw StatusError(.badRequest, "\(error)")
        }
    }

    private func stream(_ request: Request) throws -> Response {
        let count = try number("n", of: request, in: 0...1_000_000) ?? 5
        return Response(
            headers: [.contentType: "text/plain; charset=utf-8"],
            body: .stream { writer in
                for index in 0..<count { try await writer.write("line \(index)\n") }
            }
        )
    }

    private func number(_ name: String, of request: Request, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = query(request)[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let bounds = "from \(range.lowerBound) to \(range.upperBound)"
            throw StatusError(.badRequest, "\(name) is '\(text)': write a number \(bounds)")
        }
        return number
    }

    private func query(_ request: Request) -> [String: String] {
        let items = URLComponents(string: "?\(request.rawQuery ?? "")")?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }
}
