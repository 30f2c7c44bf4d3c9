/// A started server, stopped at the latest when it is released.
final class RunningServer {
    let name: ServerName
    /// Its port on 127.0.0.1.
    let port: Int
    /// Its port for clients that speak HTTP/2 from the first byte.
    let http2Port: Int
    let process: ChildProcess

    init(name: ServerName, port: Int, http2Port: Int? = nil, process: ChildProcess) {
        self.name = name
        self.port = port
        self.http2Port = http2Port ?? port
        self.process = process
    }
}
