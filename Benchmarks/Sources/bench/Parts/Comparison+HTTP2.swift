extension Comparison {
    /// The page over HTTP/2.
    static let http2 = Comparison(
        title: "GET \(DocumentedPage.path) over HTTP/2 in clear text, under h2load -t1 -c16",
        rows: [1, 32].map { streams in
            Row(
                title: "HTTP/2, \(streams) stream\(streams == 1 ? "" : "s") a connection",
                load: Load(path: DocumentedPage.path),
                tool: .h2load(streams: streams),
                throughputGoal: 0.6
            )
        },
        notes: ["nginx answers from its configuration."]
    )
}
