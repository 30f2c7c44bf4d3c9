internal import BacklotJSON

/// Writes a message of OTLP. The code that writes one looks like the message, and serves both formats: protobuf, and JSON as
/// the protocol maps it (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding).
protocol OTLPEncoder: ~Copyable {
    /// The bytes of one message.
    ///
    /// - Parameter write: writes its fields.
    static func bytes(of write: (inout Self) -> Void) -> [UInt8]

    mutating func string(_ field: OTLPField, _ value: String)
    mutating func bool(_ field: OTLPField, _ value: Bool)
    mutating func double(_ field: OTLPField, _ value: Double)
    /// An `int64`.
    mutating func integer(_ field: OTLPField, _ value: Int64)
    /// A `uint32`, or a case of an enum.
    mutating func small(_ field: OTLPField, _ value: Int)
    /// A `fixed32`.
    mutating func fixed32(_ field: OTLPField, _ value: UInt32)
    /// A `fixed64`.
    mutating func fixed64(_ field: OTLPField, _ value: UInt64)
    /// The `bytes` of an id: its words, the highest byte first.
    mutating func identity(_ field: OTLPField, _ words: [UInt64])
    /// A repeated `double`.
    mutating func doubles(_ field: OTLPField, _ values: [Double])
    /// A repeated `fixed64`.
    mutating func counts(_ field: OTLPField, _ values: [Int])
    /// A message in a message.
    mutating func message(_ field: OTLPField, _ write: (inout Self) -> Void)
    /// A repeated message.
    mutating func messages<Item>(_ field: OTLPField, _ items: [Item], _ write: (inout Self, Item) -> Void)
}

/// A field of a message: its number in protobuf and its name in JSON.
struct OTLPField {
    let number: UInt64
    let name: StaticString

    init(_ number: UInt64, _ name: StaticString) {
        self.number = number
        self.name = name
    }
}

/// The formats that OTLP has over HTTP.
enum OTLPFormat: String, CaseIterable {
    case protobuf = "http/protobuf"
    case json = "http/json"

    var contentType: String {
        switch self {
        case .protobuf: "application/x-protobuf"
        case .json: "application/json"
        }
    }

    /// A request of one signal, to be sent.
    func encode(_ request: some OTLPRequest) -> [UInt8] {
        switch self {
        case .protobuf: ProtobufEncoder.bytes { request.write(to: &$0) }
        case .json: JSONWriter.bytes { request.write(to: &$0) }
        }
    }
}

/// What is sent in one go: the records of one signal.
protocol OTLPRequest {
    /// How many records it has.
    var count: Int { get }

    func write<Encoder: OTLPEncoder & ~Copyable>(to encoder: inout Encoder)
}
