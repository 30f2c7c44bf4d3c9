import Applin
import Testing

@Suite(.timeLimit(.minutes(5))) struct ActionTests {
    @Test func `Actions of the documented dialect are strings`() {
        #expect(encodedActions { launchURL("mailto:a@b.c?subject=S") } == #"["launch_url:mailto:a@b.c?subject=S"]"#)
        #expect(encodedActions { onUserErrorPoll() } == #"["on_user_error_poll"]"#)
        #expect(encodedActions { poll() } == #"["poll"]"#)
        #expect(encodedActions { pop() } == #"["pop"]"#)
        #expect(encodedActions { push("/terms") } == #"["push:/terms"]"#)
        #expect(encodedActions { replaceAll("/") } == #"["replace_all:/"]"#)
        #expect(encodedActions { rpc("/create_account") } == #"["rpc:/create_account"]"#)
        #expect(
            encodedActions { choosePhoto("/photo", aspectRatio: 1.5) } == #"["choose_photo:/photo?aspect_ratio=1.5"]"#
        )
        #expect(encodedActions { choosePhoto("/photo?a=b", aspectRatio: 1.5) } == #"["choose_photo:/photo?a=b"]"#)
        #expect(encodedActions { takePhoto("/photo") } == #"["take_photo:/photo"]"#)
        #expect(encodedActions { copyToClipboard("a:b") } == #"["copy_to_clipboard:a:b"]"#)
        #expect(encodedActions { logout() } == #"["logout"]"#)
    }

    @Test(arguments: [
        (encodedActions(.objects) { launchURL("tel:1") }, #"[{"typ":"launch_url","url":"tel:1"}]"#),
        (encodedActions(.objects) { poll() }, #"[{"typ":"poll"}]"#),
        (encodedActions(.objects) { pop() }, #"[{"typ":"pop"}]"#),
        (encodedActions(.objects) { push("/terms") }, #"[{"typ":"push","page":"/terms"}]"#),
        (encodedActions(.objects) { replaceAll("/") }, #"[{"typ":"replace_all","page":"/"}]"#),
        (encodedActions(.objects) { rpc("/u") }, #"[{"typ":"rpc","url":"/u"}]"#),
        (encodedActions(.objects) { choosePhoto("/p") }, #"[{"typ":"choose_photo","url":"/p"}]"#),
        (
            encodedActions(.objects) { takePhoto("/p", aspectRatio: 1.5) },
            #"[{"typ":"take_photo","url":"/p","aspect_ratio":1.5}]"#
        ),
        (
            encodedActions(.objects) { copyToClipboard("text") },
            #"[{"typ":"copy_to_clipboard","string_value":"text"}]"#
        ),
        (encodedActions(.objects) { logout() }, #"[{"typ":"logout"}]"#),
        (encodedActions(.objects) { resetVar("name") }, #"[{"typ":"reset_var","var_name":"name"}]"#),
        (encodedActions(.objects) { stopActions() }, #"[{"typ":"stop_actions"}]"#),
    ])
    func `Actions of the objects dialect are objects`(actions: String, expected: String) {
        #expect(actions == expected)
    }

    @Test func `A flag of an rpc and an action beside it have the same encoding`() {
        @ActionListBuilder func flagged() -> [any Action] {
            rpc("/x", onUserErrorPoll: true)
            pop()
        }
        @ActionListBuilder func separate() -> [any Action] {
            rpc("/x")
            onUserErrorPoll()
            pop()
        }
        #expect(encodedActions { flagged() } == #"["rpc:/x","on_user_error_poll","pop"]"#)
        #expect(encodedActions { separate() } == #"["rpc:/x","on_user_error_poll","pop"]"#)
        let objects = #"[{"typ":"rpc","url":"/x","on_user_error_poll":true},{"typ":"pop"}]"#
        #expect(encodedActions(.objects) { flagged() } == objects)
        #expect(encodedActions(.objects) { separate() } == objects)
    }

    @Test func `An on_user_error_poll without an rpc stays an action`() {
        #expect(encodedActions(.objects) { onUserErrorPoll() } == #"[{"typ":"on_user_error_poll"}]"#)
    }

    @Test func `An action without a string form is an object in either dialect`() {
        for dialect in Dialect.allCases {
            #expect(encodedActions(dialect) { resetVar("a") } == #"[{"typ":"reset_var","var_name":"a"}]"#)
            #expect(encodedActions(dialect) { stopActions() } == #"[{"typ":"stop_actions"}]"#)
        }
    }

    @Test func `A modal has its buttons with their actions`() {
        let isMine = true
        let actions = encodedActions(.objects) {
            modal("Delete?") {
                if isMine {
                    modalButton("Delete") {
                        rpc("/delete")
                        pop()
                    }
                    .destructive()
                }
                for name in ["A", "B"] { modalButton(name) { push("/\(name)") } }
                modalButton("Cancel") {}
            }
            .message("It can't be undone.")
        }
        let expected = """
            [{"typ":"modal","title":"Delete?","message":"It can't be undone.","buttons":[\
            {"text":"!Delete","actions":[{"typ":"rpc","url":"/delete"},{"typ":"pop"}]},\
            {"text":"A","actions":[{"typ":"push","page":"/A"}]},{"text":"B","actions":[{"typ":"push","page":"/B"}]},\
            {"text":"Cancel","actions":[]}]}]
            """
        #expect(actions == expected)
    }

    @Test func `Actions keep their order`() {
        let actions = encodedActions {
            rpc("/signup")
            onUserErrorPoll()
            replaceAll("/")
        }
        #expect(actions == #"["rpc:/signup","on_user_error_poll","replace_all:/"]"#)
    }

    @Test func `Arguments are escaped`() {
        #expect(encodedActions { push("/a\"b") } == #"["push:/a\"b"]"#)
    }

    @Test func `An action knows its type and its argument`() {
        let actions: [any Action] = [
            launchURL("u"), onUserErrorPoll(), poll(), pop(), push("/p"), replaceAll("/r"), rpc("/u"),
        ]
        #expect(
            actions.map(\.typ.description) == [
                "launch_url", "on_user_error_poll", "poll", "pop", "push", "replace_all", "rpc",
            ]
        )
        #expect(actions.map(\.argument) == ["u", nil, nil, nil, "/p", "/r", "/u"])
    }
}
