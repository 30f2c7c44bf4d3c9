extension Comparison {
    /// Files that both servers read from the same folder.
    static let files = Comparison(
        title: "Static files, under wrk -t1 -c64",
        rows: [
            row("a file of 10 KB", "/10k.bin"),
            row("a file of 1 MB", "/1m.bin"),
        ],
        notes: ["nginx: sendfile, tcp_nopush and a cache of open files."]
    )

    private static func row(_ title: String, _ path: String) -> Row {
        Row(
            title: title,
            load: Load(path: path),
            throughputGoal: 0.7,
            check: { $0.body.count == BenchFiles.sizes[path] }
        )
    }
}
