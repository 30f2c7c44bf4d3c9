internal import BacklotHTTP

/// Several parts of a file in one body: `multipart/byteranges` (RFC 9110, section 14.6).
struct MultipartByteRanges {
    /// What the parts are of, as the fields of each part say it.
    let partFields: String
    let file: OpenFile
    let ranges: [Range<Int>]
    /// Stands between the parts, and must not be in them: so it is random.
    let boundary: String

    init(of file: OpenFile, _ ranges: [Range<Int>], partFields: String, boundary: String = Self.randomBoundary()) {
        self.file = file
        self.ranges = ranges
        self.partFields = partFields
        self.boundary = boundary
    }

    private static func randomBoundary() -> String {
        String(UInt64.random(in: .min ... .max), radix: 36) + String(UInt64.random(in: .min ... .max), radix: 36)
    }

    /// The media type of the body.
    var contentType: String { "multipart/byteranges; boundary=\(boundary)" }

    /// The body. Its length is known, so that clients see how far they are.
    var body: ResponseBody {
        let ranges = ranges
        let heads = ranges.indices.map(head)
        let end = "\r\n--\(boundary)--\r\n"
        let length = heads.reduce(end.utf8.count) { $0 + $1.utf8.count } + ranges.reduce(0) { $0 + $1.count }
        return .stream(length: length) { [file] writer in
            for (head, range) in zip(heads, ranges) {
                try await writer.write(head)
                try await FileSlice(file, range).write(to: writer)
            }
            try await writer.write(end)
        }
    }

    private func head(of index: Int) -> String {
        let separator = index == 0 ? "" : "\r\n"
        let range = ContentRange.text(ranges[index], of: file.size)
        return "\(separator)--\(boundary)\r\n\(partFields)Content-Range: \(range)\r\n\r\n"
    }
}
