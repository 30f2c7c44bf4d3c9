import Applin
import Testing

@Suite struct ActionTests {
    @Test func documentedDialectIsStrings() {
        #expect(encodedActions { launchUrl("mailto:a@b.c?subject=S") } == #"["launch_url:mailto:a@b.c?subject=S"]"#)
        #expect(encodedActions { onUserErrorPoll() } == #"["on_user_error_poll"]"#)
        #expect(encodedActions { poll() } == #"["poll"]"#)
        #expect(encodedActions { pop() } == #"["pop"]"#)
        #expect(encodedActions { push("/terms") } == #"["push:/terms"]"#)
        #expect(encodedActions { replaceAll("/") } == #"["replace_all:/"]"#)
        #expect(encodedActions { rpc("/create_account") } == #"["rpc:/create_account"]"#)
    }

    @Test func orderIsKept() {
        let actions = encodedActions {
            rpc("/signup")
            onUserErrorPoll()
            replaceAll("/")
        }
        #expect(actions == #"["rpc:/signup","on_user_error_poll","replace_all:/"]"#)
    }

    @Test func argumentsAreEscaped() {
        #expect(encodedActions { push("/a\"b") } == #"["push:/a\"b"]"#)
    }

    @Test func actionsSayWhatTheyAre() {
        let actions: [any Action] = [
            launchUrl("u"), onUserErrorPoll(), poll(), pop(), push("/p"), replaceAll("/r"), rpc("/u"),
        ]
        #expect(
            actions.map(\.typ) == ["launch_url", "on_user_error_poll", "poll", "pop", "push", "replace_all", "rpc"]
        )
        #expect(actions.map(\.argument) == ["u", nil, nil, nil, "/p", "/r", "/u"])
    }
}
