/// JSON that is encoded once. Each response replaces its marks, in one pass over the bytes.
struct JSONTemplate: Sendable, Hashable {
    /// JSON in UTF-8, with ``TemplateMark``s.
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Appends the JSON for a response.
    func render(for place: TemplateValues, into output: inout [UInt8]) {
        output.reserveCapacity(output.count + bytes.count + 64)
        let source = bytes.span
        let chosen = place.device.alternative
        var alternative: Int?
        var start = 0
        var index = 0
        while index + 2 < source.count {
            guard source[index] == TemplateMark.head.0, source[index + 1] == TemplateMark.head.1,
                case let mark = source[index + 2] &- TemplateMark.firstByte, mark < TemplateMark.count
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
            case 6 where isSeen: output.append(contentsOf: place.template)
            default: break
            }
            index += 3
            start = index
        }
        output.append(contentsOf: bytes[start...])
    }

    /// Whether the value has alternatives for devices.
    var variesByDevice: Bool {
        let source = bytes.span
        var index = 0
        while index + 2 < source.count {
            if source[index] == TemplateMark.head.0, source[index + 1] == TemplateMark.head.1,
                source[index + 2] == TemplateMark.firstByte + 1
            {
                return true
            }
            index += 1
        }
        return false
    }

    /// The same entry in no section.
    var withoutSections: JSONTemplate {
        // In a text, the quotation marks have backslashes before them.
        guard let key = bytes.firstRange(of: #""section_ids":["#.utf8),
            let end = bytes[key.upperBound...].firstIndex(of: UInt8(ascii: "]"))
        else { return self }
        var rest = bytes[key.lowerBound...end]
        let comma = UInt8(ascii: ",")
        if key.lowerBound > 0, bytes[key.lowerBound - 1] == comma {
            rest = bytes[(key.lowerBound - 1)...end]
        } else if bytes.indices.contains(end + 1), bytes[end + 1] == comma {
            rest = bytes[key.lowerBound...(end + 1)]
        }
        return JSONTemplate(Array(bytes[..<rest.startIndex] + bytes[rest.endIndex...]))
    }

    /// The JSON for a response.
    func rendered(for place: TemplateValues) -> [UInt8] {
        var output: [UInt8] = []
        render(for: place, into: &output)
        return output
    }
}

/// The values of a request that replace the marks of a ``JSONTemplate``.
struct TemplateValues: Sendable, Equatable {
    /// The app's address, without a slash at its end: `http://127.0.0.1:8080/floki`.
    var base: [UInt8]
    /// The text before relative URLs; empty if clients resolve them.
    var folder: [UInt8] = []
    /// The code of the language.
    var language: [UInt8] = []
    /// The device.
    var device = Device.other
    /// The revision of the pages' template.
    var template: [UInt8] = []

    init(
        base: String,
        folder: String = "",
        language: String = "",
        device: Device = .other,
        template: String = ""
    ) {
        self.base = Array(base.utf8)
        self.folder = Array(folder.utf8)
        self.language = Array(language.utf8)
        self.device = device
        self.template = Array(template.utf8)
    }
}

/// Marks in stored JSON that each response replaces. They are noncharacters of Unicode, which texts don't contain (Unicode Standard,
/// section 23.7), so JSON with marks is still JSON.
enum TemplateMark {
    /// The app's address, without a slash at its end.
    static let base = mark(0)
    /// Before three alternatives, for iPad, iPhone 4 and other devices.
    static let open = mark(1)
    /// Between alternatives.
    static let separator = mark(2)
    /// After alternatives.
    static let close = mark(3)
    /// Before relative URLs, for the address that they are relative to.
    static let folder = mark(4)
    /// The language of the response.
    static let language = mark(5)
    /// The revision of the template of items' pages.
    static let template = mark(6)

    /// Swift has no literals of noncharacters.
    private static func mark(_ number: UInt8) -> String {
        String(decoding: [head.0, head.1, firstByte + number], as: UTF8.self)
    }

    /// Whether a scalar is a mark.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool { (0xFDD0..<0xFDD0 + UInt32(count)).contains(scalar.value) }

    /// The bytes that all marks begin with.
    static let head: (UInt8, UInt8) = (0xEF, 0xB7)
    /// The last byte of the first mark. The other marks end in the bytes after it.
    static let firstByte: UInt8 = 0x90
    /// The number of marks.
    static let count: UInt8 = 7
}

extension String {
    /// The text without marks.
    var unmarked: String {
        guard unicodeScalars.contains(where: TemplateMark.isMark) else { return self }
        var text = ""
        text.unicodeScalars.append(contentsOf: unicodeScalars.filter { !TemplateMark.isMark($0) })
        return text
    }
}
