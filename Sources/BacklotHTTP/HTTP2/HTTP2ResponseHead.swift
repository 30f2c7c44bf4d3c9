internal import HTTPTypes

/// The header list of an answer, as HTTP/2 sends it (RFC 9113, section 8.3.2).
///
/// A value without I/O: the names and values stand one after the other in `bytes`, and `ends` says where each ends.
struct HTTP2ResponseHead {
    private(set) var bytes: [UInt8]
    private(set) var ends: [Int]

    /// An empty list in memory that has been used before.
    init(bytes: [UInt8] = [], ends: [Int] = []) {
        self.bytes = bytes
        self.ends = ends
    }

    /// How many fields there are, the status included.
    var count: Int { ends.count / 2 }

    /// Whether an answer has a body on the wire, or could have (RFC 9110, section 6.4.1).
    static func mayHaveBody(_ response: Response, isHead: Bool) -> Bool {
        !isHead && ResponseEncoder.mayHaveBody(response.status) && !ResponseEncoder.hasEmptyBody(response.status)
    }

    /// Writes the list of an answer.
    ///
    /// - Parameter dateLine: the field line `Date` as HTTP/1 sends it, ending included.
    mutating func write(_ response: Response, dateLine: [UInt8]) {
        writeStatus(response.status.code)
        let keepsDate = response.bringsDate
        if !keepsDate {
            bytes.append("date")
            end()
            bytes.append(copying: dateLine.span.extracting(6..<(dateLine.count - 2)))
            end()
        }
        let length = ResponseEncoder.hasEmptyBody(response.status) ? 0 : response.body.length
        if ResponseEncoder.mayHaveBody(response.status), let length {
            bytes.append("content-length")
            end()
            bytes.append(decimal: length)
            end()
        }
        for field in response.headers where !Self.isOwn(field.name) || keepsDate && field.name == .date {
            bytes.append(contentsOf: field.name.canonicalName.utf8)
            end()
            unsafe field.withUnsafeBytesOfValue { unsafe bytes.append(contentsOf: $0) }
            end()
        }
    }

    /// Writes the list of an answer that comes before the answer (RFC 9110, section 15.2).
    mutating func writeInformational(_ code: Int) {
        writeStatus(code)
    }

    /// Empties the list, and keeps its memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    private mutating func writeStatus(_ code: Int) {
        bytes.append(":status")
        end()
        bytes.append(decimal: code)
        end()
    }

    private mutating func end() {
        ends.append(bytes.count)
    }

    /// The fields that only the server may write, and those of HTTP/1's connections, which must not be sent (RFC 9113,
    /// section 8.2.2).
    private static func isOwn(_ name: HTTPField.Name) -> Bool {
        let name = name.canonicalName
        // The length tells most names apart before a byte is compared.
        return switch name.utf8.count {
        case 4: name == "date"
        case 7: name == "upgrade"
        case 10: name == "connection" || name == "keep-alive"
        case 14: name == "content-length"
        case 16: name == "proxy-connection"
        case 17: name == "transfer-encoding"
        default: false
        }
    }
}
