internal import BacklotJSON

/// A message of OTLP: its fields, in order. The same value serves both formats: protobuf, and JSON as the protocol maps it
/// (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding).
typealias OTLPMessage = [OTLPField]

/// A field of a message: its number in protobuf, its name in JSON, and its value.
struct OTLPField: Sendable {
    let number: UInt64
    let name: StaticString
    let value: OTLPValue

    init(_ number: UInt64, _ name: StaticString, _ value: OTLPValue) {
        self.number = number
        self.name = name
        self.value = value
    }
}

/// The value of a field, by its type in protobuf.
enum OTLPValue: Sendable {
    case string(String)
    case bool(Bool)
    case double(Double)
    case int64(Int64)
    /// A `uint32`, or a case of an enum.
    case small(Int)
    case fixed32(UInt32)
    case fixed64(UInt64)
    /// The `bytes` of an id: its words, the highest byte first.
    case identity([UInt64])
    /// A repeated `double`.
    case doubles([Double])
    /// A repeated `fixed64`.
    case counts([UInt64])
    case message(OTLPMessage)
    /// A repeated message.
    case messages([OTLPMessage])
}

extension OTLPMessage {
    /// Adds the number of parts that were left out of the message, unless it is 0.
    mutating func add(_ number: UInt64, _ name: StaticString, dropped count: Int) {
        if count > 0 { append(OTLPField(number, name, .small(count))) }
    }

    /// Adds a text, unless it is empty.
    mutating func add(_ number: UInt64, _ name: StaticString, _ text: String) {
        if !text.isEmpty { append(OTLPField(number, name, .string(text))) }
    }
}

/// OTLP's formats over HTTP.
enum OTLPFormat: String, CaseIterable {
    case protobuf = "http/protobuf"
    case json = "http/json"

    var contentType: String { self == .json ? "application/json" : "application/x-protobuf" }

    /// The bytes of a message.
    func encode(_ message: OTLPMessage) -> [UInt8] {
        switch self {
        case .json: return JSONWriter.document(capacity: 4096) { $0.object(message) }
        case .protobuf:
            var encoder = ProtobufEncoder()
            encoder.write(message)
            return encoder.bytes
        }
    }
}
