/// Writes header lists as literals that are not indexed, without Huffman's code: any bytes go, however wrong they are.
enum HPACKLiterals {
    static func encode(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { encode($0.0, $0.1) }
    }

    /// A field, spelled one byte a character.
    static func encode(_ name: String, _ value: String) -> [UInt8] {
        [0x00] + string(bytes(name)) + string(bytes(value))
    }

    /// A field that the receiver is to remember (RFC 7541, section 6.2.1).
    static func remember(_ name: String, _ value: String) -> [UInt8] {
        [0x40] + string(bytes(name)) + string(bytes(value))
    }

    /// A field of the tables (RFC 7541, section 6.1).
    static func indexed(_ index: Int) -> [UInt8] {
        integer(index, prefix: 7, flags: 0x80)
    }

    static func string(_ bytes: [UInt8]) -> [UInt8] {
        integer(bytes.count, prefix: 7, flags: 0) + bytes
    }

    /// An integer (RFC 7541, section 5.1).
    static func integer(_ value: Int, prefix: Int, flags: UInt8) -> [UInt8] {
        let most = 1 << prefix - 1
        guard value >= most else { return [flags | UInt8(value)] }
        var result = [flags | UInt8(most)]
        var rest = value - most
        while rest >= 128 {
            result.append(UInt8(rest % 128) | 0x80)
            rest /= 128
        }
        return result + [UInt8(rest)]
    }
}
