import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct ErrorTextTests {
    @Test(arguments: [
        (
            SocketError(call: "bind", code: SystemErrors.addressInUse, address: "127.0.0.1:80"),
            "bind 127.0.0.1:80: Address already in use (another program listens there: stop it, or choose another port)"
        ),
        (
            SocketError(call: "bind", code: SystemErrors.accessDenied, address: "127.0.0.1:80"),
            "bind 127.0.0.1:80: Permission denied (ports below 1024 need a privilege: choose a higher one)"
        ),
        (
            SocketError(call: "bind", code: SystemErrors.addressNotAvailable, address: "1.2.3.4:80"),
            "bind 1.2.3.4:80: Cannot assign requested address (no network interface of this machine has that address)"
        ),
        (SocketError(call: "socket", code: SystemErrors.tooManyOpenFiles), "socket: Too many open files"),
        (
            SocketError(call: "listen", code: SystemErrors.addressInUse, address: "[::1]:80"),
            "listen [::1]:80: Address already in use"
        ),
    ])
    func `A socket error says what failed and what to do`(_ error: SocketError, _ text: String) {
        #expect(error.description == text)
    }

    @Test(arguments: [
        (
            AddressError.host("example.com"),
            "'example.com' is not an IP address: write one such as 127.0.0.1, ::1 or 0.0.0.0, or localhost"
        ),
        (.port(65_536), "65536 is not a port: write a number from 0 to 65535, 0 for a free one"),
        (.port(-1), "-1 is not a port: write a number from 0 to 65535, 0 for a free one"),
    ])
    func `An address error says what to write`(_ error: AddressError, _ text: String) {
        #expect(error.description == text)
    }
}
