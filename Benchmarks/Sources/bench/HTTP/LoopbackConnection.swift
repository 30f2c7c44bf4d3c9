import Glibc

/// A keep-alive connection to a server on this machine, on a non-blocking socket. Closes when it is released.
final class LoopbackConnection {
    private let descriptor: Int32
    private let port: Int

    /// Connects to 127.0.0.1.
    /// - Parameters:
    ///   - port: The server's port.
    ///   - source: The last number of the source address 127.0.0.x. Each has local ports of its own.
    ///   - seconds: How long to wait.
    /// - Throws: ``ConnectionFailure``
    init(port: Int, source: UInt8 = 1, within seconds: Double = 5) throws {
        self.port = port
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw ConnectionFailure(step: "socket", number: errno) }
        if source != 1 {
            // Leaves the port to connect(), which can share one among connections to several servers.
            var yes: Int32 = 1
            let size = socklen_t(MemoryLayout<Int32>.size)
            unsafe setsockopt(descriptor, Int32(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, &yes, size)
            let number = unsafe Self.withAddress(host: source, port: 0) { address, length in
                unsafe bind(descriptor, address, length) == 0 ? 0 : errno
            }
            guard number == 0 else { throw ConnectionFailure(step: "bind", number: number) }
        }
        let number = unsafe Self.withAddress(host: 1, port: port) { address, length in
            unsafe connect(descriptor, address, length) == 0 ? 0 : errno
        }
        guard number == 0 || number == EINPROGRESS else { throw ConnectionFailure(step: "connect", number: number) }
        try wait(for: POLLOUT, until: Deadline(after: seconds), step: "connect")
        var failure: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &length)
        guard failure == 0 else { throw ConnectionFailure(step: "connect", number: failure) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Sends a GET for `path` and reads the whole answer.
    /// - Throws: ``ConnectionFailure``, or ``CheckFailure`` if what comes back is not HTTP.
    func get(_ path: String, within seconds: Double = 5) throws -> Response {
        try ask(Load(path: path), within: seconds)
    }

    /// Sends a request and reads the whole answer.
    /// - Throws: ``ConnectionFailure``, or ``CheckFailure`` if what comes back is not HTTP.
    func ask(_ load: Load, within seconds: Double = 5) throws -> Response {
        let deadline = Deadline(after: seconds)
        try send(load.request(port: port), until: deadline)
        return try response(within: deadline.seconds)
    }

    /// Reads a whole answer to what has been sent.
    /// - Throws: ``ConnectionFailure``, or ``CheckFailure`` if what comes back is not HTTP.
    func response(within seconds: Double = 5) throws -> Response {
        let deadline = Deadline(after: seconds)
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16384)
        while true {
            if let response = try Response(parsing: received) { return response }
            received += chunk[..<(try receive(into: &chunk, within: deadline.seconds))]
        }
    }

    /// Sends some bytes, and waits for nothing.
    /// - Throws: ``ConnectionFailure``, also when the server has closed the connection.
    func send(_ text: String, within seconds: Double = 5) throws {
        var byte: UInt8 = 0
        let count = unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK))
        guard count < 0, errno == EAGAIN else { throw ConnectionFailure(step: "send", number: ECONNRESET) }
        try send(text, until: Deadline(after: seconds))
    }

    /// Sends as many bytes as the server and the system take within 50 ms of the last one.
    func sendWhatFits(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(65_536))
            let count = unsafe Glibc.send(descriptor, piece, piece.count, Int32(MSG_NOSIGNAL))
            if count > 0 {
                rest = rest.dropFirst(count)
            } else {
                guard errno == EAGAIN, (try? wait(for: POLLOUT, until: Deadline(after: 0.05), step: "send")) != nil
                else { return }
            }
        }
    }

    /// Waits for bytes, and reads into the start of `buffer` what has come.
    /// - Returns: how many bytes that is, never 0.
    /// - Throws: ``ConnectionFailure``, also when the server has closed the connection.
    func receive(into buffer: inout [UInt8], within seconds: Double) throws -> Int {
        let deadline = Deadline(after: seconds)
        while true {
            try wait(for: POLLIN, until: deadline, step: "receive")
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 { return count }
            guard count < 0, errno == EAGAIN else {
                throw ConnectionFailure(step: "receive", number: count == 0 ? ECONNRESET : errno)
            }
        }
    }

    private func send(_ text: String, until deadline: Deadline) throws {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let rest = Array(bytes[sent...])
            let count = unsafe Glibc.send(descriptor, rest, rest.count, Int32(MSG_NOSIGNAL))
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN {
                try wait(for: POLLOUT, until: deadline, step: "send")
            } else {
                throw ConnectionFailure(step: "send", number: errno)
            }
        }
    }

    private func wait(for event: Int32, until deadline: Deadline, step: String) throws {
        var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        let count = unsafe poll(&entry, 1, deadline.milliseconds)
        guard count != 0 else { throw ConnectionFailure(step: step, number: ETIMEDOUT) }
        guard count > 0 || errno == EINTR else { throw ConnectionFailure(step: step, number: errno) }
    }

    private static func withAddress<Value>(
        host: UInt8,
        port: Int,
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Value
    ) rethrows -> Value {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = (0x7F00_0000 + UInt32(host)).bigEndian
        return try unsafe withUnsafePointer(to: address) { pointer in
            try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                try unsafe body(pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
