import BacklotService

/// A package for a server of one's own: an app that runs, its test, and what CI and containers need.
struct AppTemplate: Sendable {
    /// The names of the package.
    let name: AppName
    /// Where Backlot is.
    let backlot: BacklotPlace
    /// The protocol that its clients speak.
    let wire: Wire

    /// A protocol that a package can be written for.
    enum Wire: String, CaseIterable, Sendable {
        case applin, xpedite, floki
        case dynamicViews = "dynamic-views"

        /// The module of the protocol.
        var module: String {
            switch self {
            case .applin: "Applin"
            case .xpedite: "Xpedite"
            case .floki: "Floki"
            case .dynamicViews: "DynamicViews"
            }
        }
    }

    /// Debian's packages that Swift needs to build a server.
    static let buildPackages = [
        "libjs-codemirror", "libnghttp2-dev", "libpcre2-dev", "libqrencode-dev", "libsqlite3-dev", "libssl-dev",
        "zlib1g-dev",
    ]
    /// Debian's packages that the server needs to run.
    static let runPackages = [
        "ca-certificates", "libnghttp2-14", "libpcre2-8-0", "libqrencode4", "libsqlite3-0", "libssl3", "libstdc++6",
        "zlib1g",
    ]
    /// The version of Swift that the package is built with.
    static let swift = "6.3"

    /// The files, by their paths below the package's folder.
    var files: [(path: String, text: String)] {
        [
            ("Package.swift", manifest),
            ("Sources/\(name.type)/\(name.type).swift", program),
            ("Tests/\(name.type)Tests/\(name.type)Tests.swift", test),
            ("Dockerfile", dockerfile),
            (".dockerignore", ".build\n.git\n"),
            (".github/workflows/tests.yml", workflow),
            (".gitignore", ".build/\n.env\n*.sqlite*\n"),
            ("README.md", readme),
        ]
    }

    private var program: String {
        switch wire {
        case .applin: applinProgram
        case .xpedite: xpediteProgram
        case .floki: flokiProgram
        case .dynamicViews: viewsProgram
        }
    }

    private var test: String {
        switch wire {
        case .applin: applinTest
        case .xpedite: xpediteTest
        case .floki: flokiTest
        case .dynamicViews: viewsTest
        }
    }

    private var manifest: String {
        """
        // swift-tools-version: 6.3
        import PackageDescription

        let package = Package(
            name: "\(name.command)",
            platforms: [.macOS(.v26)],
            dependencies: [
                \(backlot.dependency)
            ],
            targets: [
                .executableTarget(
                    name: "\(name.command)",
                    dependencies: [
                        .product(name: "\(wire.module)", package: "\(backlot.identity)"),
                        .product(name: "Backlot", package: "\(backlot.identity)"),
                        .product(name: "BacklotSQLite", package: "\(backlot.identity)"),
                        .product(name: "BacklotService", package: "\(backlot.identity)"),
                    ],
                    path: "Sources/\(name.type)"
                ),
                .testTarget(
                    name: "\(name.type)Tests",
                    dependencies: [
                        "\(name.command)", .product(name: "BacklotTesting", package: "\(backlot.identity)"),
                    ]
                ),
            ]
        )

        """
    }

    private var dockerfile: String {
        """
        # \(name.type)'s server as a container: a build stage with Swift, and a small one to run in, without it.
        #
        #     docker build \(backlot.dockerContext)-t \(name.command) .
        #     docker run --rm -p 8080:8080 --read-only --tmpfs /tmp -v \(name.command)-data:/data \(name.command)

        FROM docker.io/library/swift:\(Self.swift)-bookworm AS build
        RUN apt-get update \\
            && apt-get install -y --no-install-recommends \\
                \(Self.buildPackages.joined(separator: " ")) \\
            && rm -rf /var/lib/apt/lists/*
        \(backlot.dockerCopy)WORKDIR /src
        COPY . .
        RUN swift build -c release --static-swift-stdlib --product \(name.command) \\
            && strip -o /\(name.command) .build/release/\(name.command)

        FROM docker.io/library/debian:bookworm-slim
        RUN apt-get update \\
            && apt-get install -y --no-install-recommends \\
                \(Self.runPackages.joined(separator: " ")) \\
            && rm -rf /var/lib/apt/lists/* \\
            && install -d -o 10001 -g 10001 /data
        COPY --from=build /\(name.command) /usr/local/bin/\(name.command)
        # A fixed number rather than a name, so that orchestrators can see that it isn't root.
        USER 10001:10001
        ENV HOST=0.0.0.0 PORT=8080 SESSIONS=sqlite:/data/sessions.sqlite
        EXPOSE 8080
        STOPSIGNAL SIGTERM
        HEALTHCHECK --interval=10s --timeout=5s --start-period=5s --retries=3 CMD ["\(name.command)", "health"]
        ENTRYPOINT ["\(name.command)"]

        """
    }

    private var workflow: String {
        """
        # GitHub Actions: the tests, and what `\(name.command) check` says of the app.
        name: Tests

        on:
          push:
            branches: [main]
          pull_request:

        jobs:
          tests:
            runs-on: ubuntu-24.04
            container: swift:\(Self.swift)-bookworm
            timeout-minutes: 30
            steps:
              - uses: actions/checkout@v4
              - name: Install what Backlot is built with
                run: >
                  apt-get update && apt-get install -y --no-install-recommends
                  \(Self.buildPackages.joined(separator: " "))
        \(backlot.workflowNote)      - run: swift test
              - run: swift run \(name.command) check

        """
    }

    private var readme: String {
        """
        # \(name.type)

        A server for \(wire.module) clients, written with Backlot. It needs Swift \(Self.swift) and, on Debian and Ubuntu:

        ```sh
        sudo apt-get install -y \(Self.buildPackages.joined(separator: " "))
        ```

        On a Mac: `brew install libnghttp2 openssl@3 pcre2 qrencode sqlite`

        ```sh
        swift run \(name.command)                  # then open the address that it prints
        swift run \(name.command) serve --help     # its options
        swift run \(name.command) check            # what clients would reject
        swift test
        ```

        `\(name.command) config` says what the settings are and where they come from: options, the environment, and a file `.env`.
        For several servers, add `.postgreSQL` or `.redis` to `sessionStores`, and BacklotPostgreSQL or BacklotRedis to `Package.swift`.

        """
    }
}
