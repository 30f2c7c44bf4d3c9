extension Comparison {
    /// Handshakes, with a processor for the server and one for the clients: on shared ones, which thread runs beside the
    /// clients would say more than the servers' work.
    static let handshakes = Comparison(
        title:
            "Handshakes of TLS 1.3 with an ECDSA key on P-256, on 16 connections, server and clients on a processor each",
        peers: [Peer.backlotOverTLS, .nginxOverTLS].map { $0.on(processor: 0) },
        rows: [
            Row(
                title: "full handshakes",
                load: Load(path: ""),
                tool: .handshakes(resumed: false),
                throughputGoal: 0.95,
                cpuGoal: 1.05
            ),
            Row(
                title: "resumed handshakes",
                load: Load(path: ""),
                tool: .handshakes(resumed: true),
                throughputGoal: 0.95,
                cpuGoal: 1.05
            ),
        ],
        notes: [
            "The same certificate, versions and groups. A handshake takes more of the client than of the server, whose CPU",
            "says how many it could do; it ends when the client has its ticket.",
        ]
    )

    /// The page and a file over TLS.
    static let tls = Comparison(
        title: "GET over TLS 1.3 with an ECDSA key on P-256, under wrk -t1 -c64",
        peers: [.backlotOverTLS, .nginxOverTLS],
        rows: [
            Row(
                title: "the page over TLS",
                load: Load(path: DocumentedPage.path),
                tool: .wrkOverTLS,
                cpuGoal: 1.15
            ),
            Row(
                title: "a file of 1 MB over TLS",
                load: Load(path: "/1m.bin"),
                tool: .wrkOverTLS,
                cpuGoal: 1.1
            ),
        ],
        notes: ["The same certificate, versions, ciphers and groups."]
    )
}
