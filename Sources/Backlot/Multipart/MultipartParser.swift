/// Splits a body of parts (RFC 2046, section 5.1) at its delimiters while it arrives. It buffers no more than the head of a part,
/// or a delimiter.
package struct MultipartParser {
    /// An event in the stream of bytes.
    package enum Event: Equatable {
        /// A part begins: the lines of its head, without line breaks. `offset` is the start of its body, counted from the body's
        /// first byte.
        case head([UInt8], offset: Int)
        /// More bytes of the part's body.
        case bytes([UInt8])
        /// The part is complete.
        case end
    }

    private enum State {
        /// Before the first delimiter.
        case preamble
        /// After a delimiter, before the end of its line.
        case delimiter
        case head
        case body
        /// After the last delimiter: the rest is ignored.
        case epilogue
    }

    /// The boundary with the characters before it, at the start of a line.
    private let delimiter: [UInt8]
    private let largestHead: Int
    private var state = State.preamble
    /// The bytes that arrived but aren't read yet. An extra line break stands before the body, because the body may begin with a
    /// delimiter.
    private var rest: [UInt8] = [13, 10]
    /// The start of `rest`, counted from the body's first byte.
    private var offset = -2

    /// - Parameter largestHead: the maximum size of a part's head, in bytes.
    package init(boundary: String, largestHead: Int) {
        delimiter = Array("\r\n--\(boundary)".utf8)
        self.largestHead = largestHead
    }

    /// Whether the last delimiter has arrived.
    package var isWhole: Bool {
        if case .epilogue = state { true } else { false }
    }

    /// Reads more bytes.
    ///
    /// - Throws: `MultipartError` for a malformed body.
    package mutating func read(_ bytes: [UInt8]) throws(MultipartError) -> [Event] {
        if case .epilogue = state { return [] }
        rest += bytes
        var events: [Event] = []
        var start = 0
        while try step(from: &start, &events) {}
        rest.removeFirst(start)
        offset += start
        return events
    }

    /// - Returns: whether the buffer may hold another event.
    private mutating func step(from start: inout Int, _ events: inout [Event]) throws(MultipartError) -> Bool {
        switch state {
        case .preamble, .body:
            let (end, isFound) = findDelimiter(from: start)
            if case .body = state {
                if end > start { events.append(.bytes(Array(rest[start..<end]))) }
                if isFound { events.append(.end) }
            }
            start = isFound ? end + delimiter.count : end
            if isFound { state = .delimiter }
            return isFound
        case .delimiter:
            guard rest.count - start >= 2 else { return false }
            if rest[start] == UInt8(ascii: "-"), rest[start + 1] == UInt8(ascii: "-") {
                state = .epilogue
                start = rest.count
                return false
            }
            // Blanks may follow (`transport-padding`).
            guard let end = lineEnd(from: start) else {
                guard rest.count - start <= largestHead else { throw .headTooLarge(limit: largestHead) }
                return false
            }
            guard rest[start..<end].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else {
                throw .malformed("a delimiter's line")
            }
            start = end + 2
            state = .head
            return true
        case .head:
            var lineStart = start
            while let end = lineEnd(from: lineStart) {
                guard end - start <= largestHead else { throw .headTooLarge(limit: largestHead) }
                if end == lineStart {
                    events.append(.head(Array(rest[start..<max(start, end - 2)]), offset: offset + end + 2))
                    start = end + 2
                    state = .body
                    return true
                }
                lineStart = end + 2
            }
            guard rest.count - start <= largestHead else { throw .headTooLarge(limit: largestHead) }
            return false
        case .epilogue: return false
        }
    }

    private func lineEnd(from start: Int) -> Int? {
        var index = start
        while index + 1 < rest.count {
            if rest[index] == 13, rest[index + 1] == 10 { return index }
            index += 1
        }
        return nil
    }

    /// The first position of a delimiter, or of the possible start of one at the end of the bytes; the end if neither exists.
    private func findDelimiter(from start: Int) -> (index: Int, isFound: Bool) {
        let bytes = rest.span
        var index = start
        while index < bytes.count {
            guard bytes[index] == 13 else {
                index += 1
                continue
            }
            var length = 1
            while length < delimiter.count, index + length < bytes.count, bytes[index + length] == delimiter[length] {
                length += 1
            }
            if length == delimiter.count { return (index, true) }
            if index + length == bytes.count { return (index, false) }
            index += 1
        }
        return (index, false)
    }
}
