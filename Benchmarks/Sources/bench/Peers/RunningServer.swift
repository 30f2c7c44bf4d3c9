/// A started server, stopped at the latest when it is released.
final class RunningServer {
    let name: ServerName
    /// Its port on 127.0.0.1.
    let port: Int
    let process: ChildProcess

    init(name: ServerName, port: Int, process: ChildProcess) {
        self.name = name
        self.port = port
        self.process = process
    }
}
