import Applin
import Backlot
import TestSupport
import Testing

/// `demo-server check` of a backend behind TLS.
@Suite(.timeLimit(.minutes(5))) struct CheckOverTLSTests {
    private static let authority = TestAuthority.shared

    private func check(
        _ arguments: [String],
        _ body: (ServerProcess.Outcome, String) throws -> Void
    ) async throws {
        let router = Router()
        router.applin("/") { app in
            app.page("/") { _ in navPage("Home") { button("Terms") { push("/terms") } } }
            app.page("/terms") { _ in navPage("Terms") { text("Be kind.") } }
        }
        try await withServer(router.handler(), configuration: Self.authority.serverConfiguration) { address in
            let url = "https://localhost:\(address.port)/"
            let outcome = try ServerProcess("demo-server", ["check", url, "--slow-ms", "60000"] + arguments).outcome()
            try body(outcome, url)
        }
    }

    @Test func `A certificate that nobody trusts ends with 2, and says what to do`() async throws {
        try await check([]) { outcome, url in
            #expect(outcome.status == 2)
            #expect(outcome.output == "")
            #expect(
                outcome.errors == """
                    Error: \(url) can't be reached: there is no secure connection: no trusted authority has issued the \
                    server's certificate.
                    --certificates FILE trusts the certificates in a file, and --trust-anyone trusts all.

                    """
            )
        }
    }

    @Test func `A server that doesn't speak TLS ends with 2, and says what to do`() async throws {
        try await withServer(Router().handler()) { address in
            let outcome = try ServerProcess("demo-server", ["check", "https://\(address)/"]).outcome().withStatus(2)
            #expect(
                outcome.errors == """
                    Error: https://\(address)/ can't be reached: there is no secure connection: the server there doesn't \
                    speak TLS; its URL may begin with http://.

                    """
            )
        }
    }

    @Test func `A certificate in a file is believed, and so is any that is to be`() async throws {
        try await withTemporaryFolder { folder in
            let file = try folder.write(Self.authority.certificate, to: "own.pem")
            for arguments in [["--certificates", file], ["--trust-anyone"]] {
                try await check(arguments) { outcome, _ in
                    #expect(outcome.status == 0, "\(outcome.errors)")
                    #expect(outcome.output.contains("\n2 pages: no findings\n"))
                    #expect(outcome.errors == "")
                }
            }
        }
    }

    @Test func `A file without certificates is refused`() async throws {
        try await withTemporaryFolder { folder in
            let problems = [
                try folder.write("nonsense", to: "own.pem"): "holds no certificate in PEM format: name a file with",
                folder.path + "/none.pem": "can't be read (No such file or directory): name a file that exists",
            ]
            for (file, problem) in problems {
                try await check(["--certificates", file]) { outcome, _ in
                    #expect(outcome.status == 64)
                    #expect(outcome.errors.hasPrefix("Error: --certificates '\(file)' \(problem)"), "\(outcome.errors)")
                }
            }
        }
    }
}
