/// JSON that was encoded once and is filled in for each answer, in one pass over its bytes.
struct WireTemplate: Sendable, Hashable {
    /// JSON in UTF-8, with ``WireMark``s.
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Appends the JSON for an answer.
    func render(for place: WirePlace, into output: inout [UInt8]) {
        output.reserveCapacity(output.count + bytes.count + 64)
        let source = bytes.span
        let chosen = place.device.alternative
        var alternative: Int?
        var start = 0
        var index = 0
        while index + 2 < source.count {
            guard source[index] == WireMark.head.0, source[index + 1] == WireMark.head.1,
                case let mark = source[index + 2] &- WireMark.firstByte, mark < WireMark.count
            else {
                index += 1
                continue
            }
            let isSeen = alternative == nil || alternative == chosen
            if isSeen { output.append(contentsOf: bytes[start..<index]) }
            switch mark {
            case 0 where isSeen: output.append(contentsOf: place.base)
            case 1: alternative = 0
            case 2: alternative = alternative.map { $0 + 1 }
            case 3: alternative = nil
            case 4 where isSeen: output.append(contentsOf: place.folder)
            case 5 where isSeen: output.append(contentsOf: place.language)
            default: break
            }
            index += 3
            start = index
        }
        output.append(contentsOf: bytes[start...])
    }

    /// The JSON for an answer.
    func rendered(for place: WirePlace) -> [UInt8] {
        var output: [UInt8] = []
        render(for: place, into: &output)
        return output
    }
}
