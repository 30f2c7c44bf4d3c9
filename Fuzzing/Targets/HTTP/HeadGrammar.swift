@testable import BacklotHTTP

/// Whether some bytes begin with the head of a request that must be accepted, and how its body is framed then.
struct HeadGrammar {
    /// How many bytes it takes up, empty lines before it included.
    let length: Int
    let framing: BodyFraming

    /// nil for what must be refused, and for what is not whole.
    init?(_ bytes: [UInt8], _ limits: ServerConfiguration.Limits) {
        var start = 0
        while start <= 2 * limits.leadingEmptyLines, bytes.dropFirst(start).starts(with: [13, 10]) { start += 2 }
        guard start <= 2 * limits.leadingEmptyLines, let (line, firstField) = Lines.line(of: bytes, from: start),
            line.count <= limits.requestLine, let request = Self.request(line)
        else { return nil }
        var next = firstField
        var fields: [(name: String, value: ArraySlice<UInt8>)] = []
        while let (line, end) = Lines.line(of: bytes, from: next) {
            // The limit is for all but the last line ending.
            guard end - 2 - start <= limits.head, Lines.isText(line) else { return nil }
            next = end
            if line.isEmpty {
                guard let framing = Self.framing(fields, isHTTP10: request.isHTTP10) else { return nil }
                (self.length, self.framing) = (next, framing)
                return
            }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), Lines.isToken(line[..<colon]) else { return nil }
            fields.append((Lines.lowercased(line[..<colon]), Lines.trimmed(line[(colon + 1)...])))
            guard fields.count <= limits.fields else { return nil }
        }
        return nil
    }

    private static func request(_ line: ArraySlice<UInt8>) -> (isHTTP10: Bool, Void)? {
        let parts = line.split(separator: 32, omittingEmptySubsequences: false)
        guard parts.count == 3, Lines.isToken(parts[0]), Lines.isText(line) else { return nil }
        let method = spelled(parts[0])
        let version = spelled(parts[2])
        guard method != "CONNECT", version == "HTTP/1.1" || version == "HTTP/1.0" else { return nil }
        guard isTarget(parts[1], method) else { return nil }
        return (version == "HTTP/1.0", ())
    }

    private static func isTarget(_ target: ArraySlice<UInt8>, _ method: String) -> Bool {
        guard let first = target.first else { return false }
        if first == UInt8(ascii: "*") { return target.count == 1 && method == "OPTIONS" }
        if first == UInt8(ascii: "/") { return isPath(target) }
        let scheme = ["http://", "https://"].first { Lines.lowercased(target).hasPrefix($0) }
        guard let scheme else { return false }
        let rest = target.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        return isAuthority(authority) && isPath(rest.dropFirst(authority.count))
    }

    private static func isPath(_ text: ArraySlice<UInt8>) -> Bool {
        let path = text.prefix { $0 != UInt8(ascii: "?") }
        guard path.allSatisfy({ Lines.target.contains($0) || Lines.raw.contains($0) || $0 > 127 }),
            text.allSatisfy({
                Lines.target.contains($0) || Lines.raw.contains($0) || "\"<>".utf8.contains($0) || $0 > 127
            }),
            let scalars = String(validating: text, as: UTF8.self)?.unicodeScalars,
            !scalars.contains(where: { 0x80...0x9F ~= $0.value })
        else { return false }
        let afterPercent = path.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst()
        guard afterPercent.allSatisfy({ $0.count >= 2 && $0.prefix(2).allSatisfy(Lines.hexadecimal.contains) }) else {
            return false
        }
        let backslash = UInt8(ascii: "\\")
        let segments = path.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "/") || $0 == backslash }
        return !path.contains(backslash)
            || !segments.contains { ["..", ".%2e", "%2e.", "%2e%2e"].contains(Lines.lowercased($0)) }
    }

    private static func isAuthority(_ text: ArraySlice<UInt8>) -> Bool {
        var host = text
        if let colon = text.lastIndex(of: UInt8(ascii: ":")), !text[colon...].contains(UInt8(ascii: "]")) {
            let port = text[(colon + 1)...]
            guard port.count <= 5, port.allSatisfy(Lines.decimal.contains), Int(spelled(port)) ?? 0 <= 65_535 else {
                return false
            }
            host = text[..<colon]
        }
        guard host.first == UInt8(ascii: "[") else { return !host.isEmpty && host.allSatisfy(Lines.host.contains) }
        guard host.count > 2, host.last == UInt8(ascii: "]") else { return false }
        return AddressGrammar.isIPv6(host.dropFirst().dropLast())
    }

    private static func framing(
        _ fields: [(name: String, value: ArraySlice<UInt8>)],
        isHTTP10: Bool
    ) -> BodyFraming? {
        func values(_ name: String) -> [ArraySlice<UInt8>] { fields.filter { $0.name == name }.map(\.value) }
        let hosts = values("host")
        let lengths = values("content-length")
        let codings = values("transfer-encoding")
        guard hosts.count <= 1, isHTTP10 || hosts.count == 1, hosts.allSatisfy(isAuthority) else { return nil }
        let expectations = values("expect")
        guard expectations.count <= 1, expectations.allSatisfy({ Lines.lowercased($0) == "100-continue" }) else {
            return nil
        }
        guard lengths.count + codings.count <= 1 else { return nil }
        if let coding = codings.first { return Lines.lowercased(coding) == "chunked" && !isHTTP10 ? .chunked : nil }
        guard let length = lengths.first else { return BodyFraming.none }
        // `Int` by itself takes signs.
        guard length.allSatisfy(Lines.decimal.contains), let number = Int(spelled(length)) else { return nil }
        return number == 0 ? BodyFraming.none : .length(number)
    }
}
