import Applin
import Backlot
import Testing

/// checkbox and textfield.
@Suite(.timeLimit(.minutes(5))) struct CheckboxTests {
    private func make(_ change: (Checkbox) -> Checkbox = { $0 }) -> String {
        encoded(change(checkbox(varName: "agree")))
    }

    @Test func `A checkbox has only its variable by default`() {
        #expect(make() == #"{"typ":"checkbox","var_name":"agree"}"#)
    }

    @Test func `Each option of a checkbox has its key, and nil removes it`() {
        #expect(make { $0.text("") } == #"{"typ":"checkbox","var_name":"agree","text":""}"#)
        #expect(make { $0.text(nil) } == make())
        #expect(make { $0.initialValue(true) } == #"{"typ":"checkbox","var_name":"agree","initial_bool":true}"#)
        #expect(make { $0.initialValue(false) } == #"{"typ":"checkbox","var_name":"agree","initial_bool":false}"#)
        #expect(make { $0.pollDelay(.zero) } == #"{"typ":"checkbox","var_name":"agree","poll_delay_ms":0}"#)
        #expect(make { $0.pollDelay(.seconds(1)) } == #"{"typ":"checkbox","var_name":"agree","poll_delay_ms":1000}"#)
        #expect(make { $0.validated() } == #"{"typ":"checkbox","var_name":"agree","validated":true}"#)
    }

    @Test func `A checkbox without actions has no key for them`() {
        #expect(make { $0.actions {} } == make())
        #expect(
            make { $0.text("I agree").actions { rpc("/ok") } }
                == #"{"typ":"checkbox","var_name":"agree","text":"I agree","actions":["rpc:/ok"]}"#
        )
    }
}

@Suite(.timeLimit(.minutes(5))) struct TextFieldTests {
    private func make(_ change: (TextField) -> TextField = { $0 }) -> String {
        encoded(change(textfield(varName: "name")))
    }

    private func expected(_ option: String) -> String {
        #"{"typ":"textfield","var_name":"name",\#(option)}"#
    }

    @Test func `A text field has only its variable by default`() {
        #expect(make() == #"{"typ":"textfield","var_name":"name"}"#)
    }

    @Test func `Each option of a text field has its key`() {
        #expect(make { $0.label("Name") } == expected(#""label":"Name""#))
        #expect(make { $0.error("Too short") } == expected(#""error":"Too short""#))
        #expect(make { $0.initialValue("A\nB") } == expected(#""initial_string":"A\nB""#))
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
    func `Each kind of allowed text has its name on the wire`(_ allow: TextField.Allow, wire: String) {
        #expect(make { $0.allow(allow) } == expected(#""allow":"\#(wire)""#))
    }

    @Test(arguments: [(TextField.AutoCapitalize.names, "names"), (.sentences, "sentences")])
    func `Each kind of capitalization has its name on the wire`(
        _ autoCapitalize: TextField.AutoCapitalize,
        wire: String
    ) {
        #expect(make { $0.autoCapitalize(autoCapitalize) } == expected(#""auto_capitalize":"\#(wire)""#))
    }

    @Test func `A text field with all options writes them in a fixed order`() {
        let all = make {
            $0.label("a").error("b").initialValue("c").allow(.all).autoCapitalize(.names).maxLines(1).maxChars(2)
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

    @Test func `nil removes an option`() {
        let none = make {
            $0.label("a").error("b").label(nil).error(nil).initialValue(nil).allow(nil).autoCapitalize(nil).maxLines(
                nil
            )
            .maxChars(nil).minChars(nil).pollDelay(nil)
        }
        #expect(none == make())
    }

    @Test func `A checkbox button has its text, its value and its actions`() {
        #expect(
            encoded(Applin.checkboxButton("Done") { rpc("/done") }.initialValue(true))
                == #"{"typ":"checkbox_button","text":"Done","initial_bool":true,"actions":["rpc:/done"]}"#
        )
        #expect(encoded(Applin.checkboxButton("Done") {}) == #"{"typ":"checkbox_button","text":"Done"}"#)
    }

    @Test func `A selector has up to three wheels with their options`() {
        #expect(
            encoded(Applin.selector(varName: "size", options: ["S", "M"], initialValue: "M"))
                == #"{"typ":"selector","var_name":"size","options":["S","M"],"initial_string":"M"}"#
        )
        let all = Applin.selector("Time", varName: "h", options: ["1"], initialValue: "1")
            .second("m", options: ["2"], initialValue: "2")
            .third("s", options: ["3"], initialValue: nil)
            .error("Too late").pollDelay(.zero).validated()
        let expected = """
            {"typ":"selector","var_name":"h","options":["1"],"initial_string":"1",\
            "var_name1":"m","options1":["2"],"initial_string1":"2","var_name2":"s","options2":["3"],\
            "label":"Time","error":"Too late","poll_delay_ms":0,"validated":true}
            """
        #expect(encoded(all) == expected)
    }

    @Test func `A checkbox's message follows it`() {
        let box = Applin.checkbox("A", varName: "a").error("No.")
        let alone = #"{"typ":"checkbox","var_name":"a","text":"A"}"#
        let both =
            #"{"typ":"column","align":"start","widgets":[\#(alone),{"typ":"error_text","text":"No."}]}"#
        #expect(encoded(form { box }) == #"{"typ":"form","widgets":[\#(both)]}"#)
        #expect(encoded(scroll { box }) == #"{"typ":"scroll","widget":\#(both)}"#)
        #expect(encoded(form { box.error(nil) }) == #"{"typ":"form","widgets":[\#(alone)]}"#)
    }

    @Test func `Inputs take a variable in place of its name`() {
        #expect(encoded(Applin.textfield("A", Variable("a"))) == #"{"typ":"textfield","var_name":"a","label":"A"}"#)
        #expect(encoded(Applin.checkbox("B", Variable("b"))) == #"{"typ":"checkbox","var_name":"b","text":"B"}"#)
        #expect(
            encoded(Applin.selector(nil, Variable("c"), options: [], initialValue: nil))
                == #"{"typ":"selector","var_name":"c","options":[]}"#
        )
    }
}
