import Applin
import Backlot

/// A page for those who are logged in, with the ways out.
struct MembersPage: DemoPage {
    let path = "/members"
    let title = "Members"
    let subText = "403 unless you are logged in; log out"
    let samples = [PageSample("/members", user: "ada")]

    func page(_ request: Request) async throws -> any Page {
        let user = try await request.session.requireLogin("You are not logged in, or not any more. Please log in.")
        return navPage(title) {
            scroll {
                column {
                    text("You are logged in as \(user).")
                    formSection("Leave") {
                        navButton("Log out") {
                            rpc("/log_out")
                            logout()
                            replaceAll("/")
                        }
                        .subText("The backend first, then the client")
                        navButton("Log out everywhere") {
                            rpc("/log_out_everywhere")
                            logout()
                            replaceAll("/")
                        }
                        .subText("On other devices too")
                        navButton("Log out of the client only") {
                            logout()
                            replaceAll("/")
                        }
                        .subText("The backend is not told")
                    }
                    formSection("Stay") {
                        navButton("Count in the session") { push("/counter") }
                        navButton("All demos") { replaceAll("/") }
                    }
                }
            }
        }
    }

    func addTargets(to app: ApplinApp) {
        app.rpc("/log_out") { try await $0.session.logOut() }
        app.rpc("/log_out_everywhere") { try await $0.session.logOutEverywhere() }
    }
}
