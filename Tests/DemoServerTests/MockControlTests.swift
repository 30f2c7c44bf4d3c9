import ArgumentParser
import Backlot
import Testing

@testable import demo_server

/// The options that say who drives mocks, and from where.
struct MockControlTests {
    @Test(
        arguments: [
            ([], nil),
            (["--cors", "*"], nil),
            (["--cors", "https://app.example.com", "--cors", "HTTP://localhost:3000"], nil),
            (["--admin-token", "12345678"], nil),
            (
                ["--cors", "app.example.com"],
                "--cors is 'app.example.com': write an origin such as https://app.example.com"
            ),
            (["--cors", "https://app.example.com/"], "--cors is 'https://app.example.com/': write an origin"),
            (["--cors", "https://"], "--cors is 'https://': write an origin"),
            (["--cors", "https://a.example,https://b.example"], "write an origin"),
            (["--cors", ""], "--cors is '': write an origin"),
            (["--cors", "*", "--cors", "https://a.example"], "--cors '*' means any origin: leave out the others."),
            (["--admin-token", "1234567"], "--admin-token must be 8 or more ASCII characters without blanks"),
            (["--admin-token", "open sesame"], "--admin-token must be 8 or more ASCII characters without blanks"),
        ] as [([String], String?)]
    )
    func `What can be written, and what is said of what can't`(arguments: [String], problem: String?) {
        do {
            _ = try MockControlOptions.parse(arguments)
            #expect(problem == nil)
        } catch {
            let message = MockControlOptions.message(for: error)
            #expect(problem.map { message.contains($0) } == true, "\(message)")
        }
    }

    private static func admits(_ access: LocalAccess, _ fields: HTTPFields = [:]) throws -> Bool {
        access.admits(try Request(.get, "/__admin", headers: fields))
    }

    @Test func `The token of the environment counts where the option is absent`() throws {
        let local = try MockControlOptions.parse([])
        #expect(try Self.admits(local.access(host: "127.0.0.1") { _ in nil }))
        #expect(try !Self.admits(local.access(host: "0.0.0.0") { _ in nil }))
        let environment = { (name: String) in name == "ADMIN_TOKEN" ? "from-the-environment" : nil }
        let own: HTTPFields = [.authorization: "Bearer from-the-option"]
        let other: HTTPFields = [.authorization: "Bearer from-the-environment"]
        #expect(try !Self.admits(local.access(host: "127.0.0.1", environment: environment)))
        #expect(try Self.admits(local.access(host: "0.0.0.0", environment: environment), other))
        let options = try MockControlOptions.parse(["--admin-token", "from-the-option"])
        #expect(try Self.admits(options.access(host: "0.0.0.0", environment: environment), own))
        #expect(try !Self.admits(options.access(host: "0.0.0.0", environment: environment), other))
        #expect(throws: ValidationError.self) { try local.access(host: "::") { _ in "short" } }
    }
}
