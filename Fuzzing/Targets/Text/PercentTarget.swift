@testable import Backlot

extension FuzzTarget {
    /// Percent-decoding: nil, or what a plain decoder makes of it; encoded again it is decoded to the same.
    static let percent = FuzzTarget(name: "percent") { input async throws(Violation) in
        guard let text = String(validating: input, as: UTF8.self), !text.hasTooManyMarks else { return false }
        let decoded = PercentDecoding.decode(text[...])
        if !input.contains(UInt8(ascii: "%")) { try require(decoded == text, "a text without % has changed") }
        let plain = plainlyDecoded(input).flatMap { String(validating: $0, as: UTF8.self) }
        guard let decoded else {
            let isRefused = plain.map { $0.utf8.contains(0) || $0.hasTooManyMarks } ?? true
            try require(isRefused, "refused: \(text.debugDescription)")
            return false
        }
        try require(plain.map { $0.utf8.elementsEqual(decoded.utf8) } ?? false, "\(decoded.debugDescription)")
        let digits = Array("0123456789ABCDEFabcdef".utf8)
        let encoded = decoded.utf8.enumerated().flatMap { index, byte -> [UInt8] in
            // Lower case now and then.
            let low = Int(byte & 15)
            return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[index % 2 == 1 && low > 9 ? low + 6 : low]]
        }
        if !decoded.utf8.contains(0) {
            let again = PercentDecoding.decode(String(decoding: encoded, as: UTF8.self)[...])
            try require(again.map { $0.utf8.elementsEqual(decoded.utf8) } ?? false, "lost when it is encoded again")
        }
        return true
    }

    private static func plainlyDecoded(_ input: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        var index = 0
        while index < input.count {
            guard input[index] == UInt8(ascii: "%") else {
                bytes.append(input[index])
                index += 1
                continue
            }
            // `UInt8(_:radix:)` by itself takes signs.
            guard index + 2 < input.count, input[(index + 1)...(index + 2)].allSatisfy(Lines.hexadecimal.contains),
                let byte = UInt8(spelled(input[(index + 1)...(index + 2)]), radix: 16)
            else { return nil }
            bytes.append(byte)
            index += 3
        }
        return bytes
    }
}
