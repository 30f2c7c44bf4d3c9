/// Takes responses out of bytes from a server. It shares no code with the server, so that no mistake cancels itself out.
struct ResponseReader {
    /// All bytes that have come and belong to no response yet.
    var bytes: [UInt8] = []
    /// Whether no more will come.
    var isAtEnd = false

    /// Takes out the next response, or returns nil when more bytes are needed.
    ///
    /// - Parameter isHead: the request was HEAD. Its response has no body, even if the head announces one.
    mutating func next(isHead: Bool) throws(RawClientError) -> ReceivedResponse? {
        guard let headEnd = find(Array("\r\n\r\n".utf8), from: 0) else { return nil }
        var response = try Self.head(String(decoding: bytes[..<headEnd], as: UTF8.self))
        let start = headEnd + 4
        guard let (body, end) = try body(of: response, from: start, isHead: isHead) else { return nil }
        response.body = body
        bytes.removeFirst(end)
        return response
    }

    private static func head(_ text: String) throws(RawClientError) -> ReceivedResponse {
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let parts = lines[0].split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].hasPrefix("HTTP/1."), parts[1].utf8.count == 3, let status = Int(parts[1])
        else {
            throw .notAResponse(text)
        }
        var fields: [ReceivedResponse.Field] = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { throw .notAResponse(text) }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            fields.append(.init(name: String(line[..<colon]), value: String(value)))
        }
        return ReceivedResponse(
            version: String(parts[0]),
            status: status,
            reason: String(parts[2]),
            fields: fields,
            body: []
        )
    }

    private func body(
        of response: ReceivedResponse,
        from start: Int,
        isHead: Bool
    ) throws(RawClientError) -> (body: [UInt8], end: Int)? {
        if isHead || response.status < 200 || response.status == 204 || response.status == 304 { return ([], start) }
        if response["Transfer-Encoding"] == "chunked" { return try chunks(from: start) }
        guard let length = response["Content-Length"] else {
            return isAtEnd ? (Array(bytes[start...]), bytes.count) : nil
        }
        guard let length = Int(length) else { throw .notAResponse("Content-Length: \(length)") }
        guard bytes.count - start >= length else { return nil }
        return (Array(bytes[start..<(start + length)]), start + length)
    }

    private func chunks(from start: Int) throws(RawClientError) -> (body: [UInt8], end: Int)? {
        var body: [UInt8] = []
        var position = start
        while let lineEnd = find([13, 10], from: position) {
            let line = String(decoding: bytes[position..<lineEnd], as: UTF8.self)
            guard let size = Int(line, radix: 16) else { throw .notAResponse("chunk size \(line)") }
            position = lineEnd + 2
            guard bytes.count >= position + size + 2 else { return nil }
            body += bytes[position..<(position + size)]
            position += size
            guard bytes[position] == 13, bytes[position + 1] == 10 else { throw .notAResponse("chunk of \(size)") }
            position += 2
            if size == 0 { return (body, position) }
        }
        return nil
    }

    private func find(_ pattern: [UInt8], from start: Int) -> Int? {
        var index = start
        while index + pattern.count <= bytes.count {
            if bytes[index] == pattern[0], bytes[index..<(index + pattern.count)].elementsEqual(pattern) {
                return index
            }
            index += 1
        }
        return nil
    }
}
