import ArgumentParser
import Backlot

/// The servers that are trusted over https.
struct TrustOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file with the certificates in PEM form that are trusted over https, instead of the system's.",
            valueName: "file"
        ),
        completion: .file()
    )
    var certificates: String?

    @Flag(help: "Trust every certificate over https.")
    var trustAnyone = false

    var isGiven: Bool { certificates != nil || trustAnyone }

    func validate() throws {
        guard certificates == nil || !trustAnyone else {
            throw ValidationError("--certificates and --trust-anyone exclude each other: write one of them.")
        }
    }

    /// The choice.
    ///
    /// - Throws: `ValidationError` where the certificates can't be read.
    var servers: ServerTrust {
        get throws {
            guard let certificates else { return trustAnyone ? .anyone : .system }
            do throws(TLSError) {
                return .only(try TLSTrust(.file(certificates)))
            } catch {
                throw ValidationError("--certificates '\(certificates)' \(error.reason): \(error.cure).")
            }
        }
    }
}
