import BacklotHTTP
import HTTPTypes

/// A name and a value, of a query or a cookie.
public struct NamedValue: Sendable, Equatable {
    /// The name, decoded.
    public let name: String
    /// The value, decoded.
    public let value: String
}

extension MockRequest {
    /// The query's parameters, in their order, decoded: `+` is a blank.
    public var queryParameters: [NamedValue] {
        guard let query else { return [] }
        return query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return NamedValue(name: FormText.decode(parts[0]), value: parts.count > 1 ? FormText.decode(parts[1]) : "")
        }
    }

    /// The cookies, in their order.
    public var cookies: [NamedValue] {
        headers[values: .cookie].flatMap { header in
            header.split(separator: ";").compactMap { pair in
                guard let equals = pair.firstIndex(of: "=") else { return nil }
                let name = pair[..<equals].trimmingBlanks
                var value = pair[pair.index(after: equals)...].trimmingBlanks
                if value.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
                return NamedValue(name: String(name), value: String(value))
            }
        }
    }

    /// The values of the header fields of a name, whatever its case.
    public func headerValues(_ name: String) -> [String] {
        HTTPField.Name(name).map { headers[values: $0] } ?? []
    }

    /// The path's segments, decoded: an encoded slash separates nothing.
    public var pathSegments: [String] { PathSegments.of(path) }
}

/// Texts as forms and queries encode them.
enum FormText {
    /// The decoded text; what is not encoded well stays as it is.
    static func decode(_ text: Substring) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(text)
        }
        return PercentText.decode(text, plusIsBlank: true)
    }
}

/// Percent-encoded texts.
enum PercentText {
    /// The decoded text; a percent sign that begins no encoded byte stays, and bytes that are not UTF-8 become U+FFFD.
    static func decode(_ text: Substring, plusIsBlank: Bool = false) -> String {
        var bytes: [UInt8] = []
        let encoded = Array(text.utf8)
        var index = 0
        while index < encoded.count {
            let byte = encoded[index]
            if byte == UInt8(ascii: "%"), index + 2 < encoded.count, let high = digit(encoded[index + 1]),
                let low = digit(encoded[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
                continue
            }
            bytes.append(byte == UInt8(ascii: "+") && plusIsBlank ? UInt8(ascii: " ") : byte)
            index += 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A segment of a path, encoded (RFC 3986, section 3.3).
    static func encode(_ segment: String) -> String {
        segment.utf8.reduce(into: "") { text, byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = byte < 0x80 && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            if isPlain || "-._~!$&'()*+,;=:@".unicodeScalars.contains(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}

/// A path's segments.
enum PathSegments {
    /// The segments of a path that begins with a slash, percent-decoded. A slash at the end doesn't count.
    static func of(_ path: String) -> [String] {
        var segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        if segments.last?.isEmpty == true { segments.removeLast() }
        return segments.map { $0.utf8.contains(UInt8(ascii: "%")) ? PercentText.decode($0) : String($0) }
    }
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        var text = self
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
