import Testing

@testable import BacklotHTTP

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

#if os(Linux)
// Which of the two modules a type of <sys/socket.h> belongs to depends on what is compiled beside this file.
import CLinux
#endif

@Suite(.timeLimit(.minutes(5))) struct SocketAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1:80"), ("0.0.0.0", "0.0.0.0:80"), ("255.255.255.255", "255.255.255.255:80"),
        ("localhost", "127.0.0.1:80"), ("::1", "[::1]:80"), ("[::1]", "[::1]:80"), ("::", "[::]:80"),
        ("2001:DB8::0001", "[2001:db8::1]:80"), ("1:2:3:4:5:6:7:8", "[1:2:3:4:5:6:7:8]:80"),
        ("::ffff:1.2.3.4", "[::ffff:1.2.3.4]:80"),
    ])
    func `An address is read and printed`(_ host: String, _ text: String) throws {
        let address = try #require(SocketAddress(host: host, port: 80))
        #expect(address.description == text)
        #expect(address.port == 80)
        #expect(SocketAddress(host: address.host, port: 80) == address)
    }

    @Test(arguments: [
        "", " ", "example.com", "localhost.", "1.2.3", "1.2.3.4.5", "256.0.0.1", "1.2.3.4 ", " 1.2.3.4", "0x7f.1",
        "::1::", "127.0.0.1\0", "::1\0.example.com", "\0",
        "[::1", "::1]", "[]", "g::1", "12345::", "1.2.3.4:80", "[::1]:80", "*",
    ])
    func `Other texts are not addresses`(_ host: String) {
        #expect(SocketAddress(host: host, port: 80) == nil)
    }

    @Test func `An address knows its family and whether it is unspecified`() throws {
        for (host, family, isUnspecified) in [
            ("0.0.0.0", SocketAddress.Family.ipv4, true), ("127.0.0.1", .ipv4, false), ("::", .ipv6, true),
            ("::1", .ipv6, false),
        ] {
            let address = try #require(SocketAddress(host: host, port: 1))
            #expect(address.family == family)
            #expect(address.isUnspecified == isUnspecified)
        }
    }

    @Test(arguments: ["127.0.0.1", "1.2.3.4", "::1", "2001:db8::ffff:1:2"])
    func `An address survives the system's form`(_ host: String) throws {
        let address = try #require(SocketAddress(host: host, port: 54_321))
        #expect(Self.throughTheSystem(address) == address)
    }

    @Test func `An IPv4 peer of an IPv6 socket has an IPv4 address`() throws {
        let mapped = try #require(SocketAddress(host: "::ffff:1.2.3.4", port: 80))
        #expect(Self.throughTheSystem(mapped)?.description == "1.2.3.4:80")
        for other in ["::1.2.3.4", "::fffe:1.2.3.4", "1::ffff:1.2.3.4", "::1:ffff:1.2.3.4"] {
            let address = try #require(SocketAddress(host: other, port: 80))
            #expect(Self.throughTheSystem(address)?.family == .ipv6)
        }
    }

    @Test func `Other families give no address`() {
        #expect(SocketAddress(sockaddr_storage()) == nil)
    }

    /// An address of which every connection keeps one.
    @Test func `An address is at most 24 bytes large`() {
        #expect(MemoryLayout<SocketAddress>.size <= 24)
    }

    private static func throughTheSystem(_ address: SocketAddress) -> SocketAddress? {
        var storage = sockaddr_storage()
        unsafe address.withSystemAddress { system, length in
            unsafe withUnsafeMutableBytes(of: &storage) {
                unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: system, count: Int(length)))
            }
        }
        return SocketAddress(storage)
    }
}
