import BacklotChecks
import BacklotLoad

/// Code of the article "Load a server".
enum LoadCode {
    static func load() async throws {
        let signUp = LoadFlow("sign up") { user in
            [
                .launch(), .tap("New Account"), .enter("user-\(user.id)", into: "Username"), .check("I agree"),
                .tap("Create Account"),
            ]
        }
        var options = LoadOptions()
        options.phones = 1000
        options.rate = 500
        options.duration = .seconds(10)
        let report = try await Load("http://127.0.0.1:8080/", flows: [signUp], options: options).report()
        print(report.latency.percentile(99), report.errors)
    }
}
