import Foundation

extension Answer {
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
        guard let length = fields["content-length"].flatMap(Int.init), length >= 0 else {
            throw CheckFailure("a response without a Content-Length")
        }
        guard bytes.count >= head.upperBound + length else { return nil }
        self.status = status
        self.fields = fields
        body = Array(bytes[head.upperBound..<head.upperBound + length])
    }
}
