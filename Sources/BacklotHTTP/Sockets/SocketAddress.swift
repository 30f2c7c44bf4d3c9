#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

#if os(Linux)
// The module of a type from <sys/socket.h> depends on the files that are compiled together with this one.
internal import CLinux
#endif

/// An IPv4 or IPv6 address with a port: 24 bytes, because every connection keeps its peer's.
public struct SocketAddress: Hashable, Sendable {
    /// The protocol of an address.
    public enum Family: UInt8, Sendable {
        /// IPv4, 32-bit addresses.
        case ipv4
        /// IPv6, 128-bit addresses.
        case ipv6
    }

    /// IPv4 or IPv6.
    public let family: Family
    /// The port, 0 to 65535. Binding to port 0 lets the system choose a free one.
    public var port: UInt16
    /// The address in network byte order: 16 bytes, or the first 4 of them for IPv4.
    private let high: UInt64
    private let low: UInt64

    /// Reads an address in the usual notations: `127.0.0.1`, `::1`, `[::1]`, or `localhost` (which is 127.0.0.1).
    ///
    /// - Returns: nil for other texts. Host names are not looked up.
    public init?(host: String, port: UInt16) {
        // The system would stop reading at a NUL.
        guard !host.utf8.contains(0) else { return nil }
        var name = host == "localhost" ? "127.0.0.1" : host
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        var v4 = in_addr()
        var v6 = in6_addr()
        if unsafe inet_pton(AF_INET, name, &v4) == 1 {
            self.init(v4, port: port)
        } else if unsafe inet_pton(AF_INET6, name, &v6) == 1 {
            self.init(v6, port: port)
        } else {
            return nil
        }
    }

    /// Whether a text is an IPv6 address in the form between brackets in a URL, without a zone (RFC 3986, section 3.2.2).
    static func isIPv6(_ text: String) -> Bool {
        var address = in6_addr()
        return unsafe inet_pton(AF_INET6, text, &address) == 1
    }

    /// Reads the bytes of an address in network byte order: 4 for IPv4, 16 for IPv6. An IPv4 address mapped to IPv6 becomes IPv4.
    ///
    /// - Returns: nil for any other number of bytes.
    init?(octets: [UInt8], port: UInt16) {
        // The numbers hold bytes in their order in memory.
        func word(_ start: Int) -> UInt64 {
            octets.dropFirst(start).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }.littleEndian
        }
        switch octets.count {
        case 4: self.init(in_addr(s_addr: UInt32(truncatingIfNeeded: word(0))), port: port)
        case 16: self.init(word(0), word(8), port: port)
        default: return nil
        }
    }

    /// Creates an IPv6 address; one that maps an IPv4 address (`::ffff:a.b.c.d`; RFC 4291, section 2.5.5.2) becomes IPv4.
    private init(_ high: UInt64, _ low: UInt64, port: UInt16) {
        let isMapped = high == 0 && UInt32(truncatingIfNeeded: low) == UInt32(0x0000_ffff).bigEndian
        self.port = port
        family = isMapped ? .ipv4 : .ipv6
        self.high = isMapped ? low >> 32 : high
        self.low = isMapped ? 0 : low
    }

    /// The same address; an IPv4 address mapped to IPv6 becomes IPv4.
    var unmapped: SocketAddress { family == .ipv6 ? SocketAddress(high, low, port: port) : self }

    init(_ address: in_addr, port: UInt16) {
        family = .ipv4
        self.port = port
        high = UInt64(address.s_addr)
        low = 0
    }

    init(_ address: in6_addr, port: UInt16) {
        family = .ipv6
        self.port = port
        (high, low) = unsafe unsafeBitCast(address, to: (UInt64, UInt64).self)
    }

    /// Appends the address without its port to a text.
    package func appendHost(to text: inout [UInt8]) {
        guard family == .ipv4 else { return text += host.utf8 }
        // The system's function formats like `printf`, with ten times as many instructions.
        let word = high.littleEndian
        ByteCursor.append(to: &text, room: 15) { digits in
            for octet in UInt64(0)..<4 {
                if octet > 0 { digits.put(UInt8(ascii: ".")) }
                digits.put(decimal: Int(word >> (8 * octet) & 0xFF))
            }
        }
    }

    /// The address without its port, for example `127.0.0.1` or `::1`.
    public var host: String {
        if family == .ipv4 {
            var text: [UInt8] = []
            appendHost(to: &text)
            return String(decoding: text, as: UTF8.self)
        }
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            var address = unsafe unsafeBitCast((high, low), to: in6_addr.self)
            unsafe inet_ntop(AF_INET6, &address, text.baseAddress, socklen_t(text.count))
            return unsafe text.baseAddress.map { unsafe String(cString: $0) } ?? ""
        }
    }

    /// The bytes of the address in network byte order, without the port: 4 for IPv4, 16 for IPv6.
    package var octets: [UInt8] {
        // `high` and `low` hold bytes in their order in memory.
        let bytes = [high, low].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word.littleEndian >> ($0 * 8)) }
        }
        return Array(bytes.prefix(family == .ipv4 ? 4 : 16))
    }

    /// A number for the client's network: the whole IPv4 address, or the first 64 bits of an IPv6 address, which one client
    /// commonly has to itself (RFC 6177).
    var network: UInt64 { high }

    /// The same as bytes.
    package var clientKey: [UInt8] { Array(octets.prefix(8)) }

    /// Whether the address means every interface of the machine (`0.0.0.0` or `::`).
    public var isUnspecified: Bool { high == 0 && low == 0 }

    /// Calls `body` with the address in the form of the socket calls.
    func withSystemAddress<Result>(_ body: (UnsafePointer<sockaddr>?, socklen_t) -> Result) -> Result {
        func pass<Address>(_ address: Address) -> Result {
            unsafe withUnsafeBytes(of: address) {
                unsafe body($0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
            }
        }
        if family == .ipv4 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr = in_addr(s_addr: UInt32(truncatingIfNeeded: high))
            return pass(address)
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_addr = unsafe unsafeBitCast((high, low), to: in6_addr.self)
        return pass(address)
    }

    /// The result of a socket call, and the address that the call has filled in, if any.
    static func filled(
        by call: (UnsafeMutablePointer<sockaddr>?, inout socklen_t) -> Int32
    ) -> (result: Int32, address: SocketAddress?) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = unsafe withUnsafeMutableBytes(of: &storage) {
            unsafe call($0.assumingMemoryBound(to: sockaddr.self).baseAddress, &length)
        }
        return (result, SocketAddress(storage))
    }

    /// Reads an address filled in by a socket call; an IPv4 peer of an IPv6 socket becomes IPv4.
    init?(_ storage: sockaddr_storage) {
        var storage = storage
        switch Int32(storage.ss_family) {
        case AF_INET:
            let address = unsafe withUnsafeBytes(of: &storage) { unsafe $0.loadUnaligned(as: sockaddr_in.self) }
            self.init(address.sin_addr, port: UInt16(bigEndian: address.sin_port))
        case AF_INET6:
            let address = unsafe withUnsafeBytes(of: &storage) { unsafe $0.loadUnaligned(as: sockaddr_in6.self) }
            let words = unsafe unsafeBitCast(address.sin6_addr, to: (UInt64, UInt64).self)
            self.init(words.0, words.1, port: UInt16(bigEndian: address.sin6_port))
        default:
            return nil
        }
    }
}

extension SocketAddress: CustomStringConvertible {
    /// Host and port in the form used in URLs: `127.0.0.1:8080`, `[::1]:8080`.
    public var description: String {
        switch family {
        case .ipv4: "\(host):\(port)"
        case .ipv6: "[\(host)]:\(port)"
        }
    }
}
