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
        abstract: "Explains how devices learn to trust --tls-self-signed, and can delete its authority.",
        subcommands: [Trust.self, Forget.self]
    )

    /// Creates the command.
    public init() {}

    /// `tls trust`
    struct Trust: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Prints the address, the QR code and the text of the page that lets a device trust the server.",
            discussion: "Use the same settings as for the server."
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
            abstract: "Deletes the authority and its certificate, and explains what to remove from devices.",
            discussion:
                "A running server keeps its certificate until its next start, when it creates another authority."
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
        TLSError("there is no authority in '\(path)'", fix: "start the server with --tls-self-signed, which makes one")
    }
}
