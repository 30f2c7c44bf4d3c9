/// What clients ask a server for, again and again.
struct Load {
    var path: String
    var method = "GET"
    /// Whole header lines beside those that every client sends.
    var headers: [String] = []
    var body = ""
    /// A script of wrk's that makes the requests, where they differ.
    var script: String?

    /// The request as a client of HTTP/1.1 sends it to a port of 127.0.0.1.
    func request(port: Int) -> String {
        let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
        let lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)"] + headers + length
        return lines.map { "\($0)\r\n" }.joined() + "\r\n" + body
    }

    /// The script that makes wrk send it; nil where its arguments can say it all.
    var wrkScript: String? {
        if let script { return script }
        return method == "GET" && body.isEmpty ? nil : "wrk.method = \"\(method)\"\nwrk.body = [[\(body)]]\n"
    }
}
