import Applin
import Backlot
import Testing

/// checkbox and textfield.
@Suite(.timeLimit(.minutes(5))) struct CheckboxTests {
    private func make(_ change: (Checkbox) -> Checkbox = { $0 }) -> String {
        encoded(change(checkbox("agree")))
    }

    @Test func plain() {
        #expect(make() == #"{"typ":"checkbox","var_name":"agree"}"#)
    }

    @Test func options() {
        #expect(make { $0.text("") } == #"{"typ":"checkbox","var_name":"agree","text":""}"#)
        #expect(make { $0.text(nil) } == make())
        #expect(make { $0.initialBool(true) } == #"{"typ":"checkbox","var_name":"agree","initial_bool":true}"#)
        #expect(make { $0.initialBool(false) } == #"{"typ":"checkbox","var_name":"agree","initial_bool":false}"#)
        #expect(make { $0.pollDelay(.zero) } == #"{"typ":"checkbox","var_name":"agree","poll_delay_ms":0}"#)
        #expect(make { $0.pollDelay(.seconds(1)) } == #"{"typ":"checkbox","var_name":"agree","poll_delay_ms":1000}"#)
        #expect(make { $0.validated() } == #"{"typ":"checkbox","var_name":"agree","validated":true}"#)
    }

    @Test func actionsOnlyWhenThereAreAny() {
        #expect(make { $0.actions {} } == make())
        #expect(
            make { $0.text("I agree").actions { rpc("/ok") } }
                == #"{"typ":"checkbox","var_name":"agree","text":"I agree","actions":["rpc:/ok"]}"#
        )
    }
}

@Suite(.timeLimit(.minutes(5))) struct TextFieldTests {
    private func make(_ change: (TextField) -> TextField = { $0 }) -> String {
        encoded(change(textfield("name")))
    }

    private func expected(_ option: String) -> String {
        #"{"typ":"textfield","var_name":"name",\#(option)}"#
    }

    @Test func plain() {
        #expect(make() == #"{"typ":"textfield","var_name":"name"}"#)
    }

    @Test func options() {
        #expect(make { $0.label("Name") } == expected(#""label":"Name""#))
        #expect(make { $0.error("Too short") } == expected(#""error":"Too short""#))
        #expect(make { $0.initialString("A\nB") } == expected(#""initial_string":"A\nB""#))
        #expect(make { $0.maxLines(3) } == expected(#""max_lines":3"#))
        #expect(make { $0.maxChars(20) } == expected(#""max_chars":20"#))
        #expect(make { $0.minChars(2) } == expected(#""min_chars":2"#))
        #expect(make { $0.pollDelay(.zero) } == expected(#""poll_delay_ms":0"#))
        #expect(make { $0.validated() } == expected(#""validated":true"#))
        #expect(make { $0.validated(false) } == expected(#""validated":false"#))
        #expect(make { $0.maxLines(4_294_967_295) } == expected(#""max_lines":4294967295"#))
    }

    @Test(arguments: [
        (TextField.Allow.all, "all"), (.ascii, "ascii"), (.email, "email"), (.numbers, "numbers"), (.tel, "tel"),
    ])
    func allow(_ allow: TextField.Allow, wire: String) {
        #expect(make { $0.allow(allow) } == expected(#""allow":"\#(wire)""#))
    }

    @Test(arguments: [(TextField.AutoCapitalize.names, "names"), (.sentences, "sentences")])
    func autoCapitalize(_ autoCapitalize: TextField.AutoCapitalize, wire: String) {
        #expect(make { $0.autoCapitalize(autoCapitalize) } == expected(#""auto_capitalize":"\#(wire)""#))
    }

    @Test func allTogether() {
        let all = make {
            $0.label("a").error("b").initialString("c").allow(.all).autoCapitalize(.names).maxLines(1).maxChars(2)
                .minChars(3)
                .pollDelay(.milliseconds(4)).validated()
        }
        #expect(
            all
                == expected(
                    #""label":"a","error":"b","initial_string":"c","allow":"all","auto_capitalize":"names","max_lines":1,"#
                        + #""max_chars":2,"min_chars":3,"poll_delay_ms":4,"validated":true"#
                )
        )
    }

    @Test func nilTakesAnOptionBack() {
        let none = make {
            $0.label("a").error("b").label(nil).error(nil).initialString(nil).allow(nil).autoCapitalize(nil).maxLines(
                nil
            )
            .maxChars(nil).minChars(nil).pollDelay(nil)
        }
        #expect(none == make())
    }

    @Test func checkboxButton() {
        #expect(
            encoded(Applin.checkboxButton("Done") { rpc("/done") }.initialBool(true))
                == #"{"typ":"checkbox_button","text":"Done","initial_bool":true,"actions":["rpc:/done"]}"#
        )
        #expect(encoded(Applin.checkboxButton("Done") {}) == #"{"typ":"checkbox_button","text":"Done"}"#)
    }

    @Test func selector() {
        #expect(
            encoded(Applin.selector("size", options: ["S", "M"], initialString: "M"))
                == #"{"typ":"selector","var_name":"size","options":["S","M"],"initial_string":"M"}"#
        )
        let all = Applin.selector("h", options: ["1"], initialString: "1")
            .second("m", options: ["2"], initialString: "2")
            .third("s", options: ["3"], initialString: nil)
            .label("Time").error("Too late").pollDelay(.zero).validated()
        let expected = """
            {"typ":"selector","var_name":"h","options":["1"],"initial_string":"1",\
            "var_name1":"m","options1":["2"],"initial_string1":"2","var_name2":"s","options2":["3"],\
            "label":"Time","error":"Too late","poll_delay_ms":0,"validated":true}
            """
        #expect(encoded(all) == expected)
    }

    @Test func inputsTakeVariables() {
        #expect(encoded(Applin.textfield(Variable<String>("a"))) == #"{"typ":"textfield","var_name":"a"}"#)
        #expect(encoded(Applin.checkbox(Variable<Bool>("b"))) == #"{"typ":"checkbox","var_name":"b"}"#)
        #expect(
            encoded(Applin.selector(Variable<String>("c"), options: [], initialString: nil))
                == #"{"typ":"selector","var_name":"c","options":[]}"#
        )
    }
}
