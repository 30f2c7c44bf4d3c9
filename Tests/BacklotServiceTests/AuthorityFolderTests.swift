import Backlot
import Foundation
import TestSupport
import Testing

@testable import BacklotService

/// The files of the authority: who may read them, when they are made anew, and what happens when they can't be.
@Suite(.timeLimit(.minutes(5))) struct AuthorityFolderTests {
    private static let now = SelfSignedCertificates.now
    private static let day = 86_400
    private static let hosts = ServerHosts(name: "studio-7", addresses: ["192.168.178.20"])

    /// What a client finds out about the files of a folder.
    private struct State: Equatable {
        let authority: String
        let server: String

        init(_ folder: AuthorityFolder) throws {
            authority = try String(contentsOfFile: folder.certificateFile, encoding: .utf8)
            server = try String(contentsOfFile: folder.serverFile, encoding: .utf8)
        }
    }

    private static func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test(arguments: ["/state/backlot/tls", "//state//backlot/tls/"])
    func `The user alone can read the files`(path: String) async throws {
        try await withTemporaryFolder { temporary in
            let folder = AuthorityFolder(path: "\(temporary.path)\(path)")
            _ = try folder.prepare(Self.hosts, at: Self.now)
            #expect(try Self.mode(folder.path) == 0o700)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(names == ["authority-key.pem", "authority.pem", "server.pem"])
            for name in names { #expect(try Self.mode("\(folder.path)/\(name)") == 0o600) }
            let state = try State(folder)
            #expect(!state.authority.contains("PRIVATE KEY"))
            let key = try String(contentsOfFile: "\(folder.path)/authority-key.pem", encoding: .utf8)
            #expect(!state.server.contains(key.split(separator: "\n")[1]))
        }
    }

    @Test func `What is there is kept while it is good`() async throws {
        try await withTemporaryFolder { temporary in
            let folder = AuthorityFolder(path: temporary.path)
            let first = try folder.prepare(Self.hosts, at: Self.now)
            let state = try State(folder)
            let second = try folder.prepare(Self.hosts, at: Self.now + 300 * Self.day)
            #expect(first.fingerprint == second.fingerprint)
            #expect(try State(folder) == state)
            // An address that has gone does no harm.
            _ = try folder.prepare(ServerHosts(name: "studio-7", addresses: []), at: Self.now)
            #expect(try State(folder) == state)
            // Nor does one that the authority can't vouch for.
            _ = try folder.prepare(ServerHosts(name: "studio-7", addresses: ["203.0.113.9"]), at: Self.now)
            #expect(try State(folder) == state)
        }
    }

    @Test(
        arguments: [
            (hosts, 368), (ServerHosts(name: "studio-7", addresses: ["192.168.178.21"]), 0),
            (ServerHosts(name: "other-8", addresses: ["192.168.178.20"]), 0),
        ]
    )
    func `A certificate that ends soon, or has the wrong addresses, is issued anew`(
        hosts: ServerHosts,
        days: Int
    ) async throws {
        try await withTemporaryFolder { temporary in
            let folder = AuthorityFolder(path: temporary.path)
            _ = try folder.prepare(Self.hosts, at: Self.now)
            let state = try State(folder)
            let authority = try folder.prepare(hosts, at: Self.now + days * Self.day)
            let next = try State(folder)
            #expect(next.authority == state.authority && next.server != state.server)
            let issued = try IssuedCertificate(.file(folder.serverFile))
            #expect(issued.isIssued(by: authority) && hosts.addresses.allSatisfy(issued.isFor))
        }
    }

    @Test func `An authority that ends soon is made anew`() async throws {
        try await withTemporaryFolder { temporary in
            let folder = AuthorityFolder(path: temporary.path)
            _ = try folder.prepare(Self.hosts, at: Self.now - 3640 * Self.day)
            let state = try State(folder)
            let authority = try folder.prepare(Self.hosts, at: Self.now)
            #expect(try State(folder).authority != state.authority)
            #expect(try IssuedCertificate(.file(folder.serverFile)).isIssued(by: authority))
        }
    }

    @Test(arguments: ["authority.pem", "authority-key.pem", "server.pem"])
    func `What is missing is made`(name: String) async throws {
        try await withTemporaryFolder { temporary in
            let folder = AuthorityFolder(path: temporary.path)
            _ = try folder.prepare(Self.hosts, at: Self.now)
            try temporary.remove(name)
            let authority = try folder.prepare(Self.hosts, at: Self.now)
            #expect(try IssuedCertificate(.file(folder.serverFile)).isIssued(by: authority))
        }
    }

    private func error(_ path: String) -> String? {
        do throws(TLSError) {
            _ = try AuthorityFolder(path: path).prepare(Self.hosts, at: Self.now)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `Files that can't be used are named, with the reason and the cure`() async throws {
        try await withTemporaryFolder { temporary in
            let path = temporary.path
            _ = try AuthorityFolder(path: path).prepare(Self.hosts, at: Self.now)
            let again = "delete the folder '\(path)', and a new authority is made, which devices must trust anew"
            try temporary.write("nonsense", to: "authority-key.pem")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(path)/authority-key.pem")
            #expect(
                error(path) == "TLS: '\(path)/authority-key.pem' holds no private key in PEM format: \(again)"
            )
            try temporary.write("nonsense", to: "authority.pem")
            #expect(error(path) == "TLS: '\(path)/authority.pem' holds no certificate in PEM format: \(again)")
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: "\(path)/authority-key.pem")
            #expect(
                error(path)
                    == "TLS: '\(path)/authority-key.pem' can be read by other users (mode 644): write 'chmod 600 \(path)/authority-key.pem' if nobody has copied the key, or else 'tls forget', and begin anew"
            )
        }
    }

    @Test func `A folder that can't be written is an error, and nothing stays behind`() async throws {
        let cure = "make room, let the server's user write there, or set XDG_STATE_HOME to the path of another folder"
        try await withTemporaryFolder { temporary in
            try temporary.write("a file", to: "state")
            let path = "\(temporary.path)/state/tls"
            #expect(error(path) == "TLS: '\(path)' can't be written (Not a directory): \(cure)")
            // A folder in the file's place: not even root can write there.
            let folder = "\(temporary.path)/tls"
            try FileManager.default.createDirectory(
                atPath: "\(folder)/authority-key.pem/x",
                withIntermediateDirectories: true
            )
            #expect(error(folder) == "TLS: '\(folder)/authority-key.pem' can't be written (Is a directory): \(cure)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["authority-key.pem"])
        }
    }

    #if os(Linux)
    @Test func `A full disk is an error`() throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        #expect(Descriptor.write(Array("a certificate".utf8), to: full.fileDescriptor) == ENOSPC)
    }
    #endif

    @Test func `Servers that start at the same time share the authority`() async throws {
        try await withTemporaryFolder { temporary in
            let folder = AuthorityFolder(path: "\(temporary.path)/tls")
            let fingerprints = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await Blocking.run { try folder.prepare(Self.hosts, at: Self.now).fingerprint }
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(fingerprints.count == 1)
        }
    }

    @Test func `To forget deletes everything, and a new authority follows`() async throws {
        try await withTemporaryFolder { temporary in
            let folder = AuthorityFolder(path: temporary.path)
            #expect(try !folder.forget())
            let first = try folder.prepare(Self.hosts, at: Self.now)
            #expect(try folder.forget())
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
            #expect(try folder.prepare(Self.hosts, at: Self.now).fingerprint != first.fingerprint)
        }
    }

    @Test func `A server that runs never makes another authority`() async throws {
        try await withTemporaryFolder { temporary in
            let folder = AuthorityFolder(path: temporary.path)
            let authority = try folder.prepare(Self.hosts, at: Self.now)
            let gone =
                "TLS: '\(folder.certificateFile)' was deleted or replaced while the server runs: start the server again, and devices must trust the authority that it shows then"
            let others = ServerHosts(name: "studio-7", addresses: ["192.168.178.21"])
            func errors() -> [String] {
                [{ try folder.renew(authority, others, at: Self.now) }, { try folder.check(authority) }]
                    .compactMap { (body: () throws -> Void) in
                        do { try body() } catch { return "\(error)" }
                        return nil
                    }
            }
            #expect(errors() == [])
            #expect(try IssuedCertificate(.file(folder.serverFile)).isFor("192.168.178.21"))
            try folder.forget()
            #expect(errors() == [gone, gone])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
            _ = try folder.prepare(Self.hosts, at: Self.now)
            let state = try State(folder)
            #expect(errors() == [gone, gone])
            #expect(try State(folder) == state)
        }
    }

    @Test func `A certificate of another authority isn't taken, and is issued anew`() async throws {
        try await withTemporaryFolder { temporary in
            let folder = AuthorityFolder(path: "\(temporary.path)/tls")
            let authority = try folder.prepare(Self.hosts, at: Self.now)
            let other = AuthorityFolder(path: "\(temporary.path)/other")
            _ = try other.prepare(Self.hosts, at: Self.now)
            try folder.write(State(other).server, to: folder.serverFile)
            let expected = TLSError(
                file: folder.serverFile,
                "isn't from the authority '\(authority.name)'",
                fix: "send the server a SIGHUP, and it issues another certificate"
            )
            #expect(throws: expected) { try folder.check(authority) }
            try folder.renew(authority, Self.hosts, at: Self.now)
            #expect(throws: Never.self) { try folder.check(authority) }
        }
    }

    @Test func `Servers that listen on other addresses keep each other's names`() async throws {
        try await withTemporaryFolder { temporary in
            let folder = AuthorityFolder(path: temporary.path)
            let addresses = ["192.168.178.20", "127.0.0.9", "fd00::7"]
            for address in addresses {
                _ = try folder.prepare(ServerHosts(name: "studio-7", addresses: [address]), at: Self.now)
            }
            let state = try State(folder)
            let hosts = try IssuedCertificate(.file(folder.serverFile)).hosts
            #expect(
                hosts == [
                    "localhost", "127.0.0.1", "::1", "studio-7", "studio-7.local", "fd00::7", "127.0.0.9",
                    "192.168.178.20",
                ]
            )
            for address in addresses {
                _ = try folder.prepare(ServerHosts(name: "studio-7", addresses: [address]), at: Self.now)
            }
            #expect(try State(folder) == state)
        }
    }

    @Test func `A machine with ever other addresses keeps its certificate short`() async throws {
        try await withTemporaryFolder { temporary in
            let folder = AuthorityFolder(path: temporary.path)
            let addresses = (1...120).map { "10.0.0.\($0)" }
            _ = try folder.prepare(ServerHosts(name: "", addresses: addresses), at: Self.now)
            #expect(try IssuedCertificate(.file(folder.serverFile)).hosts.count == 123)
            _ = try folder.prepare(ServerHosts(name: "", addresses: ["10.0.1.1"]), at: Self.now)
            let hosts = try IssuedCertificate(.file(folder.serverFile)).hosts
            #expect(hosts == ["localhost", "127.0.0.1", "::1", "10.0.1.1"] + addresses.prefix(96))
        }
    }

    @Test(
        arguments: [
            (["XDG_STATE_HOME": "/state", "HOME": "/home/ada"], "/state/backlot/tls"),
            (["XDG_STATE_HOME": "", "HOME": "/home/ada"], "/home/ada/.local/state/backlot/tls"),
            (["XDG_STATE_HOME": "/state//", "HOME": "/home/ada"], "/state/backlot/tls"),
            (["HOME": "/home/ada/"], "/home/ada/.local/state/backlot/tls"),
        ] as [([String: String], String)]
    )
    func `It is where programs keep their state`(environment: [String: String], path: String) throws {
        #expect(try AuthorityFolder(environment: environment).path == path)
    }

    @Test func `Without a home there is an error`() {
        #expect(throws: TLSError.self) { try AuthorityFolder(environment: [:]) }
    }

    @Test func `The hosts are the machine's names and addresses`() {
        #expect(
            ServerHosts(name: "studio.example.com", addresses: ["10.0.0.7"]).all
                == ["localhost", "127.0.0.1", "::1", "studio.example.com", "studio.local", "10.0.0.7"]
        )
        #expect(ServerHosts(name: "studio.local", addresses: []).names == ["studio.local"])
        #expect(ServerHosts(name: "", addresses: []).all == ["localhost", "127.0.0.1", "::1"])
        #expect(ServerHosts(name: "localhost", addresses: []).names == [])
    }
}
