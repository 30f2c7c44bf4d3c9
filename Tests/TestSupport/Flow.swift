public import BacklotHTTP

/// The steps of some clients, one after the other. Each client has its own cookies.
public struct Flow: Sendable {
    /// One step: what a client sends, and what it got.
    public struct Step: Sendable {
        /// The client's name.
        public var client: String
        /// The method.
        public var method: String
        /// The path and the query.
        public var target: String
        /// The media type of the body.
        public var type: String
        /// The body that is sent.
        public var body: [UInt8]
        /// The status that came.
        public var status = 0
        /// The body that came.
        public var response: [UInt8] = []

        /// A step that has still to be taken.
        public init(
            _ client: String,
            _ method: String,
            _ target: String,
            body: [UInt8] = [],
            type: String = "application/json"
        ) {
            self.client = client
            self.method = method
            self.target = target
            self.body = body
            self.type = type
        }

        /// The body that came, as text.
        public var text: String { String(decoding: response, as: UTF8.self) }
    }

    /// A server's response.
    public struct Response: Sendable {
        let status: Int
        /// The values of `Set-Cookie`.
        let cookies: [String]
        let body: [UInt8]

        /// A response.
        public init(status: Int, cookies: [String], body: [UInt8]) {
            self.status = status
            self.cookies = cookies
            self.body = body
        }
    }

    private var jars: [String: [String: String]] = [:]
    private let send: @Sendable (_ step: Step, _ cookie: String?) async throws -> Response

    /// New clients.
    ///
    /// - Parameter send: sends a step's request with the value of `Cookie`.
    public init(send: @escaping @Sendable (_ step: Step, _ cookie: String?) async throws -> Response) {
        self.send = send
    }

    /// Takes a step.
    ///
    /// - Returns: the step, with what came of it.
    @discardableResult public mutating func take(_ step: Step) async throws -> Step {
        var jar = jars[step.client] ?? [:]
        let cookie = jar.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        let response = try await send(step, cookie.isEmpty ? nil : cookie)
        for text in response.cookies {
            let pair = text.prefix { $0 != ";" }
            guard let equals = pair.firstIndex(of: "=") else { continue }
            let value = String(pair[pair.index(after: equals)...])
            jar[String(pair[..<equals])] = value.isEmpty || text.contains("Max-Age=0") ? nil : value
        }
        jars[step.client] = jar
        var taken = step
        taken.status = response.status
        taken.response = response.body
        return taken
    }

    /// Repeats steps, and describes those with another response than before.
    ///
    /// - Parameter expected: the body that a step should get; by default, the body of its earlier response.
    public mutating func differences(
        _ steps: [Step],
        expected: (Int, Step) -> [UInt8] = { $1.response }
    ) async throws -> [String] {
        var differences: [String] = []
        for (number, step) in steps.enumerated() {
            let taken = try await take(step)
            guard taken.status != step.status || taken.response != expected(number, step) else { continue }
            differences.append(
                "\(number) \(step.client) \(step.method) \(step.target): \(step.status) \(step.text.prefix(400)) became \(taken.status) \(taken.text.prefix(400))"
            )
        }
        return differences
    }
}

extension Flow {
    /// New clients of a server, each with a connection for each request.
    public static func over(_ address: SocketAddress) -> Flow {
        Flow { step, cookie in
            let client = try await RawClient.connect(to: address)
            var head = "\(step.method) \(step.target) HTTP/1.1\r\nHost: \(address)\r\nConnection: close\r\n"
            head += "Accept: application/vnd.applin_response\r\n"
            if let cookie { head += "Cookie: \(cookie)\r\n" }
            if step.method != "GET" {
                head += "Content-Type: \(step.type)\r\nContent-Length: \(step.body.count)\r\n"
            }
            try await client.send(Array("\(head)\r\n".utf8) + step.body)
            let response = try await client.receive(responseTo: step.method)
            await client.close()
            return Response(status: response.status, cookies: response[values: "Set-Cookie"], body: response.body)
        }
    }
}
