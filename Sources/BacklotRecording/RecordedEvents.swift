import Backlot
import BacklotMocks

/// A recorded stream of server-sent events (WHATWG HTML, section 9.2), as the steps of a mock file.
///
/// In the recorded body, a comment before each event has the time until it came. Clients ignore comments. A similar comment
/// of the backend loses its text.
enum RecordedEvents {
    /// The most events that a file gets.
    static let limit = 10_000
    private static let mark = "recorded after ms "

    static let type = "text/event-stream"

    /// A body with the times of its events. Bytes after the last complete event are left out.
    ///
    /// - Parameter arrivals: where pieces of the body end, and when they came.
    static func marked(_ body: [UInt8], _ arrivals: [(end: Int, time: Duration)]) -> [UInt8] {
        var (marked, start, piece) = ([UInt8](), 0, 0)
        var last = Duration.zero
        for end in ends(of: body).prefix(limit) {
            while piece < arrivals.count - 1, arrivals[piece].end < end { piece += 1 }
            let time = arrivals.isEmpty ? .zero : arrivals[piece].time
            let delay = Int(((time - last) / .milliseconds(1)).rounded())
            last = time
            if delay > 0 { marked += ": \(mark)\(min(delay, ResponseDelay.longest))\n".utf8 }
            for line in body[start..<end].split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) where isMark(line) {
                marked += body[start...line.startIndex]
                start = line.endIndex
            }
            marked += body[start..<end]
            start = end
        }
        return marked
    }

    private static func isMark(_ line: ArraySlice<UInt8>) -> Bool {
        line.first == UInt8(ascii: ":") && line.dropFirst().drop { $0 == 0x20 }.starts(with: mark.utf8)
    }

    /// The ends of the events: each ends with a blank line.
    private static func ends(of body: [UInt8]) -> [Int] {
        var ends: [Int] = []
        var (index, isBlank) = (0, true)
        while index < body.count {
            let byte = body[index]
            index += 1
            guard byte == 0x0A || byte == 0x0D else {
                isBlank = false
                continue
            }
            if byte == 0x0D, index < body.count, body[index] == 0x0A { index += 1 }
            if isBlank { ends.append(index) }
            isBlank = true
        }
        return ends
    }

    /// The steps of a body; nil without an event, and for a text that isn't UTF-8.
    static func steps(_ body: [UInt8]) -> JSONValue? {
        guard String(validating: body, as: UTF8.self) != nil else { return nil }
        var (parser, steps, delay) = (EventParser(), [JSONValue](), 0)
        for part in parser.read(body) where steps.count < limit {
            switch part {
            case .comment(let text):
                guard text.hasPrefix(mark), let time = Int(text.dropFirst(mark.count)) else { continue }
                delay = min(delay + min(max(0, time), ResponseDelay.longest), ResponseDelay.longest)
            case .event(let event):
                var step = JSONObject()
                if delay > 0 { step["delay"] = JSONValue(delay) }
                step["send"] = value(event.data)
                step["event"] = event.type.map(JSONValue.string)
                step["id"] = event.id.map(JSONValue.string)
                step["retry"] = event.retry.map { JSONValue(Int($0 / .milliseconds(1))) }
                steps.append(.object(step))
                delay = 0
            }
        }
        return steps.isEmpty ? nil : .array(steps)
    }

    /// A JSON value if it is written back byte for byte, or else the text.
    private static func value(_ data: String) -> JSONValue {
        if let json = try? JSONValue(parsing: data), json.object != nil || json.array != nil,
            json.bytes == Array(data.utf8)
        {
            return json
        }
        return .string(data)
    }
}
