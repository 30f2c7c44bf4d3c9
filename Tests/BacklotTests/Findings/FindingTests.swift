import Backlot
import Testing

@Suite(.timeLimit(.minutes(5))) struct FindingTests {
    private func make(
        steps: [String] = ["scroll", "form", "textfield \"a\" #2"],
        pointer: String = "/page/x"
    ) -> Finding {
        Finding(
            .error,
            rule: "duplicate-var-name",
            path: FindingPath(page: "/new_account", steps: steps, pointer: pointer),
            message: "There are two.",
            fix: "Remove one."
        )
    }

    @Test func `One line says everything that a person needs`() {
        #expect(
            make().description == """
                error: /new_account › scroll › form › textfield "a" #2: There are two. Remove one. [duplicate-var-name]
                """
        )
        #expect(make(steps: []).description == "error: /new_account: There are two. Remove one. [duplicate-var-name]")
    }

    @Test func `The details have the pointer as well`() {
        #expect(
            make().details == """
                error: /new_account › scroll › form › textfield "a" #2
                  There are two.
                  Fix: Remove one.
                  [duplicate-var-name] at /page/x
                """
        )
    }

    @Test func `The whole document needs no pointer`() {
        #expect(
            make(steps: [], pointer: "").details == """
                error: /new_account
                  There are two.
                  Fix: Remove one.
                  [duplicate-var-name]
                """
        )
    }

    @Test func `A lookup asks its function`() {
        let lookup = RouteLookup { $0 == "/a" ? [.get, .post] : $0 == "/b" ? [] : nil }
        #expect(lookup.methods(at: "/a") == [.get, .post])
        #expect(lookup.methods(at: "/b") == [])
        #expect(lookup.methods(at: "/c") == nil)
    }
}
