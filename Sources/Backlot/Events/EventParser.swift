/// Reads a stream of server-sent events from bytes that arrive in any pieces (WHATWG HTML, section 9.2.6). A value without I/O.
package struct EventParser: Sendable {
    /// A part of a stream.
    package enum Part: Sendable, Equatable {
        case event(ServerSentEvent)
        case comment(String)
    }

    private var line: [UInt8] = []
    private var isAfterReturn = false
    private var isFirstLine = true
    /// The lines of data so far; nil before the first.
    private var data: String?
    private var (type, id): (String?, String?)
    private var retry: Duration?

    package init() {}

    /// The bytes of the incomplete event.
    package var pendingBytes: Int { line.count + (data?.utf8.count ?? 0) }

    /// Reads further bytes.
    ///
    /// - Returns: the parts that are complete now. Events without data are left out, except that the next event has their `retry`.
    package mutating func read(_ bytes: [UInt8]) -> [Part] {
        var parts: [Part] = []
        for byte in bytes {
            let isSecond = isAfterReturn && byte == 0x0A
            isAfterReturn = byte == 0x0D
            if isSecond { continue }
            guard byte == 0x0A || byte == 0x0D else {
                line.append(byte)
                continue
            }
            if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
            if let part = end(line[...]) { parts.append(part) }
            line.removeAll(keepingCapacity: true)
            isFirstLine = false
        }
        return parts
    }

    private mutating func end(_ line: ArraySlice<UInt8>) -> Part? {
        guard !line.isEmpty else {
            defer { (data, type, id) = (nil, nil, nil) }
            guard let text = data else { return nil }
            defer { retry = nil }
            return .event(ServerSentEvent(text, type: type, id: id, retry: retry))
        }
        // By bytes: a combining mark after a separator doesn't change it.
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var rest = line[colon...].dropFirst()
        if rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
        let value = String(decoding: rest, as: UTF8.self)
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "": return .comment(value)
        case "data": if data == nil { data = value } else { data?.append("\n\(value)") }
        case "event": type = value.isEmpty ? nil : value
        case "id": if !value.contains("\0") { id = value }
        case "retry":
            if let milliseconds = Int(value), 0...3_600_000 ~= milliseconds { retry = .milliseconds(milliseconds) }
        default: break
        }
        return nil
    }
}
