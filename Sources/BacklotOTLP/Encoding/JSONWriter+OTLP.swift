internal import Backlot

/// OTLP's JSON: names in lowerCamelCase, numbers of 64 bits as strings, cases of enums as numbers, ids in hexadecimal.
extension JSONWriter {
    /// Writes a message.
    mutating func object(_ message: OTLPMessage) {
        object { writer in
            for field in message {
                writer.key(field.name)
                writer.value(field.value)
            }
        }
    }

    private mutating func value(_ value: OTLPValue) {
        switch value {
        case .string(let text): self.value(text)
        case .bool(let flag): self.value(flag)
        case .double(let number): self.value(double: number)
        case .int64(let number): self.value(String(number))
        case .small(let number): self.value(number)
        case .fixed32(let number): self.value(Int(number))
        case .fixed64(let number): self.value(String(number))
        case .identity(let words): self.value(words.map(\.hexadecimal).joined())
        case .doubles(let numbers): array { for number in numbers { $0.value(double: number) } }
        case .counts(let counts): array { for count in counts { $0.value(String(count)) } }
        case .message(let message): object(message)
        case .messages(let messages): array { for message in messages { $0.object(message) } }
        }
    }

    /// JSON has no numbers for these; protobuf's mapping uses names.
    private mutating func value(double: Double) {
        if double.isFinite {
            value(double)
        } else {
            value(double.isNaN ? "NaN" : double > 0 ? "Infinity" : "-Infinity")
        }
    }
}
