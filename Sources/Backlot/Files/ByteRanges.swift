/// The ranges in `Range: bytes=…` (RFC 9110, section 14.1.2), before the file's size is known.
struct ByteRanges: Equatable {
    enum Member: Equatable {
        /// From a byte to another one, or to the end.
        case from(Int, through: Int?)
        /// A number of bytes at the end.
        case last(Int)
    }

    /// The parts of the file to send, or the reason for a refusal.
    enum Selection: Equatable {
        /// These ranges, which aren't empty and neither overlap nor touch.
        case parts([Range<Int>])
        /// The file has no byte in the ranges (416).
        case unsatisfiable
        /// The request has too many ranges or bytes (416 too).
        case excessive
    }

    /// The maximum number of ranges. Real clients request one, or a few.
    static let most = 16

    let members: [Member]

    /// Reads the field's value; nil for a malformed value or another unit. Then the server ignores the field and sends the whole
    /// file.
    init?(_ field: String) {
        guard let equals = field.firstIndex(of: "="), field[..<equals].lowercased() == "bytes" else { return nil }
        var members: [Member] = []
        // Empty members of a list don't count (section 5.6.1.2).
        for text in field[field.index(after: equals)...].split(separator: ",") {
            let text = text.trimmed.utf8
            if text.isEmpty { continue }
            guard let member = Self.member(text) else { return nil }
            members.append(member)
        }
        if members.isEmpty { return nil }
        self.members = members
    }

    private static func member(_ text: Substring.UTF8View) -> Member? {
        guard let dash = text.firstIndex(of: UInt8(ascii: "-")) else { return nil }
        let (before, after) = (text[..<dash], text[dash...].dropFirst())
        if before.isEmpty { return number(after).map { .last($0) } }
        guard let first = number(before) else { return nil }
        if after.isEmpty { return .from(first, through: nil) }
        guard let last = number(after), last >= first else { return nil }
        return .from(first, through: last)
    }

    /// A number in digits. A number that is too large becomes the largest integer, which no file reaches.
    private static func number(_ digits: Substring.UTF8View) -> Int? {
        guard !digits.isEmpty else { return nil }
        var number = 0
        for digit in digits {
            guard digit.isDigit else { return nil }
            let (tenfold, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isSumTooLarge) = tenfold.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
            number = isTooLarge || isSumTooLarge ? .max : sum
        }
        return number
    }

    /// Selects the parts of a file to send.
    ///
    /// Ranges that overlap or touch are joined, at the position of the first (section 15.3.7.2). Too many ranges are refused, and
    /// so are ranges with more bytes than the file: only attackers request that, and a client is better served with the whole file
    /// (section 14.2).
    func select(fromSize size: Int) -> Selection {
        guard members.count <= Self.most else { return .excessive }
        var parts: [Range<Int>] = []
        var total = 0
        for member in members {
            guard let range = Self.range(member, size), !range.isEmpty else { continue }
            total += range.count
            Self.add(range, to: &parts)
        }
        if parts.isEmpty { return .unsatisfiable }
        return total <= size ? .parts(parts) : .excessive
    }

    private static func range(_ member: Member, _ size: Int) -> Range<Int>? {
        switch member {
        case .from(let first, let last): first < size ? first..<(min(last ?? size, size - 1) + 1) : nil
        case .last(let count): max(0, size - count)..<size
        }
    }

    /// Adds a range, joined with those that it overlaps or touches, at the position of the first.
    private static func add(_ range: Range<Int>, to parts: inout [Range<Int>]) {
        var union = range
        var place: Int?
        var joined: [Range<Int>] = []
        for part in parts {
            guard part.lowerBound <= range.upperBound, range.lowerBound <= part.upperBound else {
                joined.append(part)
                continue
            }
            union = min(part.lowerBound, union.lowerBound)..<max(part.upperBound, union.upperBound)
            if place == nil {
                place = joined.count
                joined.append(part)
            }
        }
        if let place { joined[place] = union } else { joined.append(union) }
        parts = joined
    }
}

extension Range<Int> {
    /// The value of `Content-Range` for this range of a file with so many bytes. The range must not be empty (RFC 9110, section
    /// 14.4).
    func contentRange(of size: Int) -> String { "bytes \(lowerBound)-\(upperBound - 1)/\(size)" }
}

/// Several parts of a file in one body: `multipart/byteranges` (RFC 9110, section 14.6).
struct MultipartByteRanges {
    /// The fields of the whole file that each part repeats, such as its type.
    let partFields: String
    let file: OpenFile
    let ranges: [Range<Int>]
    /// Separates the parts. It is random, because it must not occur in them.
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

    /// The body. Its length is known, so that clients can show their progress.
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
        let range = ranges[index].contentRange(of: file.size)
        return "\(separator)--\(boundary)\r\n\(partFields)Content-Range: \(range)\r\n\r\n"
    }
}
