import Backlot

/// The location of Backlot for a new package.
enum BacklotPlace: Sendable, Equatable {
    /// A checkout on this machine, by its absolute path.
    case folder(String)
    /// A repository.
    case repository(String)

    /// - Parameter text: the path of a checkout, or a URL; nil for the checkout that this program was built from.
    /// - Throws: `AppNameError` if Backlot isn't there.
    init(_ text: String?) throws(AppNameError) {
        guard let text else {
            let own = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL.path
            guard Self.isCheckout(own) else {
                throw AppNameError(
                    "This program wasn't built in a checkout of this machine: write --backlot and the path or URL of Backlot."
                )
            }
            self = .folder(own)
            return
        }
        if text.contains("://") || text.hasPrefix("git@") {
            guard text.wholeMatch(of: /((https?|ssh|git|file):\/\/|git@)[^\s"\\]+/) != nil else {
                throw AppNameError(
                    "--backlot is '\(text.excerpt)': write the URL of a repository, such as https://host/backlot.git."
                )
            }
            self = .repository(text)
            return
        }
        let path = URL(filePath: text).standardizedFileURL.path
        guard !text.isEmpty, Self.isCheckout(path), !path.contains("\""), !path.contains("\\") else {
            throw AppNameError(
                "--backlot is '\(text.excerpt)', which has no Package.swift of Backlot: write the path of a checkout, or a URL."
            )
        }
        self = .folder(path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path)
    }

    private static func isCheckout(_ folder: String) -> Bool {
        guard let data = try? Data(contentsOf: URL(filePath: folder).appending(path: "Package.swift")) else {
            return false
        }
        return String(decoding: data, as: UTF8.self).contains("\n    name: \"backlot\",\n")
    }

    /// The package's identity in the manifests of other packages.
    var identity: String {
        guard case .repository(let url) = self else { return "backlot" }
        let last = url.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? "backlot"
        return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
    }

    /// The line of a manifest.
    var dependency: String {
        switch self {
        case .folder(let path): ".package(name: \"backlot\", path: \"\(path)\")"
        case .repository(let url): ".package(url: \"\(url)\", from: \"\(BacklotVersion.current)\")"
        }
    }

    /// The options for `docker build` that give the build stage the checkout.
    var dockerContext: String {
        guard case .folder(let path) = self else { return "" }
        return path.contains(" ") ? "--build-context \"backlot=\(path)\" " : "--build-context backlot=\(path) "
    }

    /// The instruction that copies the checkout to the path in the manifest.
    var dockerCopy: String {
        guard case .folder(let path) = self else { return "" }
        return path.contains(" ") ? "COPY --from=backlot [\".\", \"\(path)\"]\n" : "COPY --from=backlot . \(path)\n"
    }

    /// A note for the CI file.
    var workflowNote: String {
        guard case .folder = self else { return "" }
        return """
                  # Package.swift names Backlot by a path of the machine where this was written: name a URL that CI can reach.

            """
    }
}
