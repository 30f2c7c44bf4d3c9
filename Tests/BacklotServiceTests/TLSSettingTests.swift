import Backlot
import TestSupport
import Testing

@testable import BacklotService

/// Certificates and the port of redirects, as people set them, right and wrong.
@Suite(.timeLimit(.minutes(5))) struct TLSSettingTests {
    private static func settings(_ options: [String: String]) throws -> ServiceSettings {
        let stores: [SessionStoreKind] = [.memory]
        let sources = try SettingSources(options: options, environment: [:], file: "/nowhere/.env")
        return try ServiceSettings(name: "test", stores: stores, sources)
    }

    private static let authority = TestAuthority()

    /// Reads settings in which `FOLDER` stands for a folder with a pair for each of two hosts, and one that has expired.
    private static func error(_ options: [String: String]) async throws -> String? {
        try await withTemporaryFolder { folder in
            let identities = [
                "a": authority.issue("a", names: "DNS:a.test"), "b": authority.issue("b", names: "DNS:b.test"),
                "old": authority.issue(validity: -200_000...(-100_000)),
            ]
            for (name, identity) in identities {
                try folder.write(identity.certificate, to: "\(name).pem")
                try folder.write(identity.key, to: "\(name)-key.pem")
            }
            do {
                _ = try settings(options.mapValues { $0.replacing("FOLDER", with: folder.path) })
                return nil
            } catch {
                return "\(error)".replacing(folder.path, with: "FOLDER")
            }
        }
    }

    @Test(
        arguments: [
            ["tls-cert": "FOLDER/a.pem", "tls-key": "FOLDER/a-key.pem"],
            ["tls-cert": "FOLDER/a.pem,FOLDER/b.pem", "tls-key": "FOLDER/a-key.pem, FOLDER/b-key.pem"],
            ["tls-cert": "FOLDER/a.pem", "tls-key": "FOLDER/a-key.pem", "redirect-to-https": "0", "port": "0"],
        ] as [[String: String]]
    )
    func `Certificates make a server of https`(options: [String: String]) async throws {
        #expect(try await Self.error(options) == nil)
    }

    @Test(
        arguments: [
            (
                ["tls-cert": "FOLDER/a.pem"],
                "--tls-cert names one certificate, and --tls-key no key: name one key for each certificate, in the same order."
            ),
            (
                ["tls-cert": "FOLDER/a.pem,FOLDER/b.pem", "tls-key": "FOLDER/a-key.pem"],
                "--tls-cert names 2 certificates, and --tls-key one key: name one key for each certificate, in the same order."
            ),
            (
                ["tls-cert": "FOLDER/a.pem,", "tls-key": "x"],
                "--tls-cert is 'FOLDER/a.pem,': write the path of a file in PEM format, or several with commas between them."
            ),
            (
                ["tls-cert": "FOLDER/none.pem", "tls-key": "FOLDER/a-key.pem"],
                "TLS: 'FOLDER/none.pem' can't be read (No such file or directory): name a file that exists and that the server's user may read."
            ),
            (
                ["tls-cert": "FOLDER/a.pem", "tls-key": "FOLDER/b-key.pem"],
                "TLS: 'FOLDER/b-key.pem' is not the key of 'FOLDER/a.pem': name the key that the certificate was made for; a chain begins with the server's own certificate."
            ),
            (
                ["redirect-to-https": "8081"],
                "--redirect-to-https is '8081', but the server doesn't speak https: set --tls-self-signed, or --tls-cert and --tls-key, too."
            ),
            (
                [
                    "tls-cert": "FOLDER/a.pem", "tls-key": "FOLDER/a-key.pem", "port": "8443",
                    "redirect-to-https": "8443",
                ],
                "--redirect-to-https is '8443', where the server listens already: write another port."
            ),
            (
                ["tls-cert": "FOLDER/a.pem", "tls-key": "FOLDER/a-key.pem", "tls-self-signed": "true"],
                "--tls-self-signed is 'true', and a --tls-cert is set: leave one of the two out."
            ),
            (["tls-self-signed": "yes"], "--tls-self-signed is 'yes': write true or false."),
            (
                ["tls-self-signed": "true"],
                "TLS: there is no folder for the authority: set XDG_STATE_HOME, or HOME, to the path of a folder."
            ),
            (
                ["redirect-to-https": "web"],
                "--redirect-to-https is 'web': write a number from 0 to 65535, 0 for a free one."
            ),
        ] as [([String: String], String)]
    )
    func `Mistakes are explained before the server starts`(options: [String: String], message: String) async throws {
        #expect(try await Self.error(options) == message)
    }

    @Test func `A certificate that has expired keeps the server from starting`() async throws {
        let error = try await Self.error(["tls-cert": "FOLDER/old.pem", "tls-key": "FOLDER/old-key.pem"])
        #expect(error?.hasPrefix("TLS: 'FOLDER/old.pem' has expired, on ") == true)
        #expect(error?.hasSuffix(": renew the certificate.") == true)
    }
}
