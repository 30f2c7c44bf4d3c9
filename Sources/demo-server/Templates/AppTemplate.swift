import Backlot
import BacklotService

/// A package for your own server: an app that runs, its test, and files for CI and containers.
struct AppTemplate: Sendable {
    /// The names of the package.
    let name: AppName
    /// The location of Backlot.
    let backlot: BacklotPlace
    /// The protocol that the app's clients speak.
    let appProtocol: AppProtocol

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

    /// The files, by their paths below the package's folder. All but the smallest are below `Files/new`, with names in double braces.
    var files: [(path: String, text: String)] {
        [
            ("Package.swift", text("Package.swift.txt")),
            ("Sources/\(name.type)/\(name.type).swift", text("\(appProtocol.name)/App.swift.txt")),
            ("Tests/\(name.type)Tests/\(name.type)Tests.swift", text("\(appProtocol.name)/AppTests.swift.txt")),
            ("Dockerfile", text("Dockerfile.txt")),
            (".dockerignore", ".build\n.git\n"),
            (".github/workflows/tests.yml", text("tests.yml")),
            (".gitignore", ".build/\n.env\n*.sqlite*\n"),
            ("README.md", text("README.md")),
            ("AGENTS.md", text("AGENTS.md")),
        ]
    }

    private func text(_ path: String) -> String {
        let values = [
            "type": name.type, "command": name.command, "module": name.module, "protocol": appProtocol.module,
            "identity": backlot.identity, "dependency": backlot.dependency, "dockerContext": backlot.dockerContext,
            "dockerCopy": backlot.dockerCopy, "workflowNote": backlot.workflowNote, "swift": Self.swift,
            "buildPackages": Self.buildPackages.joined(separator: " "),
            "runPackages": Self.runPackages.joined(separator: " "),
        ]
        return values.reduce(DemoFiles.text("new/\(path)")) { $0.replacing("{{\($1.key)}}", with: $1.value) }
    }
}
