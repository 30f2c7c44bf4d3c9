internal import Backlot
internal import BacklotClients
import BacklotRecording

/// Requests that don't belong to a step.
extension TestSource {
    /// Writes a request that doesn't belong to a step.
    mutating func send(_ index: Int, as player: Int, _ remark: String) {
        let exchange = traffic.exchanges[index]
        let path = "/" + traffic.targets[index].dropFirst(app.base.count)
        if !lines.isEmpty { lines.append("") }
        lastIsEntry = false
        lines.append("// \(remark)")
        var arguments = [Self.method(exchange.method), literal(path)]
        if !exchange.requestBody.isEmpty, let type = exchange.requestHeaders[.contentType] {
            arguments.append("type: \(type.swiftLiteral)")
        }
        if let value = exchange.requestHeaders[.authorization] {
            arguments.append("headers: [.authorization: \(constant(for: value, "authorization"))]")
        }
        if !exchange.requestBody.isEmpty { arguments.append("body: \(body(exchange.requestBody))") }
        let call = "try await \(name(player)).send(\(arguments.joined(separator: ", ")))"
        let segments = path.prefix { $0 != "?" }
        if stable.isStablePath(String(segments)) {
            lines.append("#expect(\(call).status.code == \(exchange.status))")
        } else {
            lines.append(
                "// The path contains an id from the recording, which only mocks know: the response isn't compared."
            )
            lines.append("_ = \(call)")
        }
    }

    private static func method(_ method: HTTPRequest.Method) -> String {
        let known: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options]
        return known.contains(method)
            ? ".\(method.rawValue.lowercased())" : "HTTPRequest.Method(\(method.rawValue.swiftLiteral))!"
    }

    private mutating func body(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return "Array(\(literal(text)).utf8)" }
        guard bytes.count > 64 else { return "[\(bytes.map { "\($0)" }.joined(separator: ", "))]" }
        return "ApplinClient.samplePhoto"
    }

    /// A text as a literal, with constants in place of pseudonyms.
    mutating func literal(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let found = stable.pseudonym(in: rest) {
            result += String(rest[..<found.lowerBound]).swiftLiteral.dropFirst().dropLast()
            let name = rest[..<found.lowerBound].reversed().drop { !$0.isLetter && !$0.isNumber && $0 != "/" }
                .prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
            let variable = String(name.reversed())
            result += "\\(\(constant(for: String(rest[found]), variable.isEmpty ? "secret" : variable)))"
            rest = rest[found.upperBound...]
        }
        return "\"\(result)\(String(rest).swiftLiteral.dropFirst().dropLast())\""
    }
}
