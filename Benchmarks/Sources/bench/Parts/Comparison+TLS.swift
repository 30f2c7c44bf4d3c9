extension Comparison {
    /// Handshakes, the page and a file over TLS.
    static let tls = Comparison(
        title: "TLS with an ECDSA key on P-256, handshakes of TLS 1.3 on 16 connections, the rest under wrk -t1 -c64",
        peers: [.backlotOverTLS, .nginxOverTLS],
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
        notes: [
            "The same certificate, versions, ciphers and groups. The client takes the larger part of both processors: the",
            "servers' CPU says more than handshakes a second. A handshake ends when the client has its ticket.",
        ]
    )
}
