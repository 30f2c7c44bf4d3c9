import Backlot
public import BacklotJSON

/// The texts and pictures that an app has. A list that is nil is unknown, and names aren't compared with it.
public struct Catalogue: Sendable, Equatable {
    /// The localisation keys.
    public var texts: Set<String>?
    /// The names of pictures.
    public var images: Set<String>?

    /// The known lists of an app.
    public init(texts: Set<String>? = nil, images: Set<String>? = nil) {
        self.texts = texts
        self.images = images
    }
}

/// The localisation keys and the names of pictures in a document, with the places where they stand.
public struct DocumentNames: Sendable, Equatable {
    /// The localisation keys, each with the JSON pointers of its places.
    public let texts: [String: [String]]
    /// The names of pictures, each with the JSON pointers of its places.
    public let images: [String: [String]]

    /// The names in a document; no names where it is no object.
    public init(in document: JSONValue) {
        let tree = DynamicViewsRules.tree(of: document)
        var texts: [String: [String]] = [:]
        var images: [String: [String]] = [:]
        for use in NameUse.all(in: tree) {
            let place = tree.path(to: use.node, JSONPointer.step(use.key), page: "").pointer
            switch use.kind {
            case .text: texts[use.name, default: []].append(place)
            case .image: images[use.name, default: []].append(place)
            }
        }
        self.texts = texts
        self.images = images
    }
}

/// Commas before the end of an array or object. Some clients' parsers accept them; JSON forbids them (RFC 8259, sections 4 and 5).
struct TrailingCommas {
    /// The document with blanks in place of the commas, so that everything else stays where it is.
    private(set) var bytes: [UInt8]
    /// The places of the commas, counted from 1.
    private(set) var places: [(line: Int, column: Int)] = []

    init(in document: [UInt8]) {
        bytes = document
        var line = 1
        var column = 0
        var isInString = false
        var isEscaped = false
        /// The last byte that is neither white space nor inside a string, and that byte's place if it is a comma.
        var last: UInt8 = 0
        var comma: (offset: Int, line: Int, column: Int)?
        for (offset, byte) in document.enumerated() {
            if byte & 0xC0 != 0x80 { column += 1 }
            if byte == 0x0A { (line, column) = (line + 1, 0) }
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case _ where byte.isJSONSpace: continue
            case UInt8(ascii: ",") where Self.endsValue(last): comma = (offset, line, column)
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if let found = comma {
                    bytes[found.offset] = 0x20
                    places.append((found.line, found.column))
                }
                comma = nil
            default: comma = nil
            }
            isInString = byte == UInt8(ascii: "\"")
            last = byte
        }
    }

    /// Whether a value can end with a byte; of a string it is the opening quote that is remembered.
    private static func endsValue(_ byte: UInt8) -> Bool {
        ![0, UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","), UInt8(ascii: ":")].contains(byte)
    }
}
