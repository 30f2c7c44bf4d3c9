extension Comparison {
    /// The page again, asked for in other ways.
    static let shapes = Comparison(
        title: "Other requests, under wrk -t1 -c64",
        rows: [
            Row(
                title: "GET with 8 header fields",
                load: Load(path: DocumentedPage.path, headers: browserHeaders),
                check: { $0.body.count == DocumentedPage.body.utf8.count }
            ),
            Row(
                title: "POST with 33 bytes of JSON",
                load: Load(
                    path: DocumentedPage.path,
                    method: "POST",
                    headers: ["Content-Type: application/json"],
                    body: #"{"agree":true,"username":"user1"}"#
                ),
                check: { $0.body.count == DocumentedPage.body.utf8.count }
            ),
            Row(
                title: "GET of 25 KB of JSON, gzip",
                load: Load(path: BenchFiles.json, headers: ["Accept-Encoding: gzip"]),
                check: { $0.fields["content-encoding"] == "gzip" && $0.body.starts(with: [0x1F, 0x8B]) }
            ),
        ],
        notes: ["nginx answers the first two from its configuration, and drops the body of the POST."]
    )

    /// What a mobile client sends.
    private static let browserHeaders = [
        "Accept: application/vnd.applin_response",
        "Accept-Encoding: identity",
        "Accept-Language: en-GB,en;q=0.9",
        "Cache-Control: no-cache",
        "Cookie: session=3Jx9vKq2mT7wYb5nR8cZ1dF6gH4sL0pA",
        "Pragma: no-cache",
        "User-Agent: Backlot-Benchmark/1.0 (Phone; 18.0; en_GB) Client/0.40",
        "X-Request-Id: 7d4cf1a2-90be-4a77-8a53-2f1f60f0c9d1",
    ]
}
