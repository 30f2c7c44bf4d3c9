#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BacklotHTTP

/// What systemd is told.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ServiceManagerTests {
    @Test func `The socket that the environment names gets the state`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/notify"
            let receiver = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            defer { close(receiver) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
            let bound = unsafe withUnsafePointer(to: &address) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(receiver, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(bound == 0)
            unsafe setenv("NOTIFY_SOCKET", path, 1)
            defer { unsafe unsetenv("NOTIFY_SOCKET") }
            #expect(ServiceManager.ready.tell())
            #expect(ServiceManager.stopping.tell())
            var texts: [String] = []
            for _ in 0..<2 {
                let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
                    count = unsafe max(
                        0,
                        recv(receiver, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                    )
                }
                texts.append(String(decoding: bytes, as: UTF8.self))
            }
            #expect(texts == ["READY=1", "STOPPING=1"])
        }
    }

    @Test(arguments: ["", "/nowhere/notify", String(repeating: "a", count: 200), "@nobody-listens-here"])
    func `A socket that isn't there is no error`(path: String) {
        unsafe setenv("NOTIFY_SOCKET", path, 1)
        defer { unsafe unsetenv("NOTIFY_SOCKET") }
        #expect(!ServiceManager.ready.tell())
    }
}
#endif
