public import ArgumentParser
internal import Backlot

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `tls`: manages the devices' trust in this machine. Add it to the subcommands of a program that serves.
public struct TLSCommand: AsyncParsableCommand {
    /// The name and the texts of the command.
    public static let configuration = CommandConfiguration(
        commandName: "tls",
        abstract: "Says how devices learn to trust --tls-self-signed, and forgets it.",
        subcommands: [Trust.self, Forget.self]
    )

    /// Creates the command.
    public init() {}

    /// `tls trust`
    struct Trust: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Prints the address and the QR code of the page that lets a device trust the server, and what it says.",
            discussion: "With the settings that the server is started with."
        )

        @OptionGroup var listen: ListenOptions

        func run() async throws {
            let sources = try SettingSources(options: listen.given)
            let folder = try AuthorityFolder(environment: sources.environment)
            let address = try sources.ownAddress
            guard let authority = try folder.authority(at: SelfSignedCertificates.now) else { throw folder.noAuthority }
            let lines = folder.trustLines(authority, address, isTerminal: StandardOutput.isTerminal)
            print(lines.joined(separator: "\n"))
            let url = "https://\(address.authority(address.reachableHosts[0]))/"
            for platform in TrustGuide(name: authority.name, url: url).platforms {
                print("\n\(platform.title)")
                let steps = ["Open the address above and download \(platform.download)."] + platform.steps
                for (index, step) in steps.enumerated() { print("  \(index + 1). \(step.replacing("`", with: "'"))") }
            }
        }
    }

    /// `tls forget`
    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Deletes the authority and its certificate, and says what to remove from devices.",
            discussion:
                "A server that runs keeps its certificate until it is started again; then it makes another authority."
        )

        func run() throws {
            let folder = try AuthorityFolder(environment: ProcessInfo.processInfo.environment)
            // An unreadable one is deleted too.
            let authority = try? folder.authority(at: SelfSignedCertificates.now)
            guard try folder.forget() else { throw folder.noAuthority }
            print("deleted: the authority and its certificate, in \(folder.path)")
            guard let authority else { return }
            print("Devices that trust it still do. Remove “\(authority.name)” there:")
            for platform in TrustGuide(name: authority.name, url: "").platforms {
                print("  \(platform.title): \(platform.removal.replacing("`", with: "'"))")
            }
        }
    }
}

extension AuthorityFolder {
    /// The error of commands about an authority.
    fileprivate var noAuthority: TLSError {
        TLSError("there is no authority in '\(path)'", cure: "start the server with --tls-self-signed, which makes one")
    }
}
