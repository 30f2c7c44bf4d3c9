/// Numbers: RFC 8259, section 6.
extension JSONParser {
    mutating func number(_ bytes: Span<UInt8>) throws(ParseFailure) -> JSONNumber {
        let start = position
        let isNegative = skip(.minus, bytes)
        let firstDigit = position
        guard skipDigits(bytes) > 0, bytes[firstDigit] != UInt8(ascii: "0") || position == firstDigit + 1 else {
            throw ParseFailure(kind: .invalidNumber, offset: start)
        }
        let digits = firstDigit..<position
        var isInteger = true
        if skip(.point, bytes) {
            isInteger = false
            guard skipDigits(bytes) > 0 else { throw ParseFailure(kind: .invalidNumber, offset: start) }
        }
        if skip(UInt8(ascii: "e"), bytes) || skip(UInt8(ascii: "E"), bytes) {
            isInteger = false
            if !skip(.plus, bytes) {
                _ = skip(.minus, bytes)
            }
            guard skipDigits(bytes) > 0 else { throw ParseFailure(kind: .invalidNumber, offset: start) }
        }
        if isInteger, let whole = integer(bytes, digits, isNegative: isNegative) {
            return whole
        }
        let text = String(decoding: (start..<position).map { bytes[$0] }, as: UTF8.self)
        guard let number = Double(text).flatMap(JSONNumber.init) else {
            throw ParseFailure(kind: .numberOutOfRange, offset: start)
        }
        return number
    }

    /// A whole number without loss; nil when it fits neither `Int64` nor `UInt64`.
    private func integer(_ bytes: Span<UInt8>, _ digits: Range<Int>, isNegative: Bool) -> JSONNumber? {
        var magnitude: UInt64 = 0
        for index in digits {
            let (shifted, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carry) = shifted.addingReportingOverflow(UInt64(bytes[index] - UInt8(ascii: "0")))
            guard !overflow, !carry else { return nil }
            magnitude = sum
        }
        guard isNegative else { return JSONNumber(magnitude) }
        guard magnitude <= Int64.min.magnitude else { return nil }
        return JSONNumber(Int64(truncatingIfNeeded: 0 &- magnitude))
    }

    private mutating func skip(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipDigits(_ bytes: Span<UInt8>) -> Int {
        let start = position
        while position < bytes.count, bytes[position].isDigit {
            position += 1
        }
        return position - start
    }
}
