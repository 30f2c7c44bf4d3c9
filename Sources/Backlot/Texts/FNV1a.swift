/// FNV-1a of 64 bits: a number that two texts almost never share by accident. An attacker can find two texts that share it.
@usableFromInline package enum FNV1a {
    @inlinable package static var start: UInt64 { 0xCBF2_9CE4_8422_2325 }

    /// The hash with one more byte.
    @inlinable package static func adding(_ byte: UInt8, to hash: UInt64) -> UInt64 {
        (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    /// The hash of bytes.
    @inlinable package static func hash(_ bytes: Span<UInt8>) -> UInt64 {
        var hash = start
        for index in bytes.indices { hash = adding(bytes[index], to: hash) }
        return hash
    }
}
