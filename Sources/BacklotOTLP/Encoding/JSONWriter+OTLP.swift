internal import Backlot
internal import BacklotJSON

/// OTLP's JSON: names in lowerCamelCase, numbers of 64 bits as strings, cases of enums as numbers, ids in hexadecimal.
extension JSONWriter: OTLPEncoder {
    static func bytes(of write: (inout JSONWriter) -> Void) -> [UInt8] {
        document(capacity: 4096) { $0.object(write) }
    }

    mutating func string(_ field: OTLPField, _ value: String) {
        self.field(field.name, value)
    }

    mutating func bool(_ field: OTLPField, _ value: Bool) {
        self.field(field.name, value)
    }

    mutating func double(_ field: OTLPField, _ value: Double) {
        key(field.name)
        self.value(double: value)
    }

    mutating func integer(_ field: OTLPField, _ value: Int64) {
        self.field(field.name, String(value))
    }

    mutating func small(_ field: OTLPField, _ value: Int) {
        self.field(field.name, value)
    }

    mutating func fixed32(_ field: OTLPField, _ value: UInt32) {
        self.field(field.name, Int(value))
    }

    mutating func fixed64(_ field: OTLPField, _ value: UInt64) {
        self.field(field.name, String(value))
    }

    mutating func identity(_ field: OTLPField, _ words: [UInt64]) {
        self.field(field.name, words.map(\.hexadecimal).joined())
    }

    mutating func doubles(_ field: OTLPField, _ values: [Double]) {
        array(field.name) { for value in values { $0.value(double: value) } }
    }

    mutating func counts(_ field: OTLPField, _ values: [Int]) {
        array(field.name) { for value in values { $0.value(String(value)) } }
    }

    mutating func message(_ field: OTLPField, _ write: (inout JSONWriter) -> Void) {
        object(field.name, write)
    }

    mutating func messages<Item>(_ field: OTLPField, _ items: [Item], _ write: (inout JSONWriter, Item) -> Void) {
        array(field.name) { for item in items { $0.object { write(&$0, item) } } }
    }

    /// JSON has no number for these; protobuf's mapping has names.
    private mutating func value(double: Double) {
        if double.isFinite {
            value(double)
        } else {
            value(double.isNaN ? "NaN" : double > 0 ? "Infinity" : "-Infinity")
        }
    }
}
