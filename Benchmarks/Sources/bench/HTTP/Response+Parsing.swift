import Foundation

extension Response {
    /// Parses a response.
    /// - Returns: nil if bytes are missing.
    /// - Throws: ``CheckFailure`` if it isn't one, or if its length can't be told.
    init?(parsing bytes: [UInt8]) throws {
        guard let head = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let start = lines[0].split(separator: " ", maxSplits: 2)
        guard start.count >= 2, start[0] == "HTTP/1.1", let status = Int(start[1]) else {
            throw CheckFailure("not a response: \(lines[0])")
        }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw CheckFailure("not a header field: \(line)") }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            fields[line[..<colon].lowercased()] = value
        }
        self.status = status
        self.fields = fields
        if fields["transfer-encoding"] == "chunked" {
            guard let body = try Self.chunks(in: bytes[head.upperBound...]) else { return nil }
            self.body = body
        } else {
            guard let length = fields["content-length"].flatMap(Int.init), length >= 0 else {
                throw CheckFailure("a response without a Content-Length")
            }
            guard bytes.count >= head.upperBound + length else { return nil }
            body = Array(bytes[head.upperBound..<head.upperBound + length])
        }
    }

    /// The data of all chunks; nil if bytes are missing.
    private static func chunks(in bytes: ArraySlice<UInt8>) throws -> [UInt8]? {
        var rest = bytes
        var body: [UInt8] = []
        while let end = rest.firstRange(of: [13, 10]) {
            let line = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
            guard let size = Int(line, radix: 16) else { throw CheckFailure("not the size of a chunk: \(line)") }
            let data = rest[end.upperBound...]
            guard data.count >= size + 2 else { return nil }
            if size == 0 { return body }
            body += data.prefix(size)
            rest = data.dropFirst(size + 2)
        }
        return nil
    }
}
