import Applin
import Testing

@Suite(.timeLimit(.minutes(5))) struct WidgetListBuilderTests {
    private func make(@WidgetListBuilder _ widgets: () -> [any Widget]) -> [String] {
        widgets().map { ($0 as? Text)?.text ?? $0.typ.description }
    }

    @Test func `Each statement adds its widget`() {
        #expect(make {}.isEmpty)
        #expect(make { text("a") } == ["a"])
        let three = make {
            text("a")
            empty()
            text("b")
        }
        #expect(three == ["a", "empty", "b"])
    }

    @Test(arguments: [true, false])
    func `A condition adds the widgets of its branch`(_ condition: Bool) {
        let widgets = make {
            if condition { text("a") }
            text("b")
            if condition {
                text("c")
                text("d")
            } else {
                errorText("e")
            }
            if condition {}
        }
        #expect(widgets == (condition ? ["a", "b", "c", "d"] : ["b", "error_text"]))
    }

    @Test(arguments: ["name", nil])
    func `An optional adds its widget if it has a value`(_ name: String?) {
        let widgets = make {
            if let name { text(name) }
            if let name, name.isEmpty { empty() } else { text("z") }
        }
        #expect(widgets == (name == nil ? ["z"] : ["name", "z"]))
    }

    @Test(arguments: [(0, ["zero"]), (1, ["one", "uno"]), (2, []), (3, ["text", "many"])])
    func `A switch adds the widgets of its case`(_ number: Int, expected: [String]) {
        let widgets = make {
            switch number {
            case 0: text("zero")
            case 1:
                text("one")
                text("uno")
            case 2: [] as [any Widget]
            default:
                if number > 2 {
                    text("text")
                }
                text("many")
            }
        }
        #expect(widgets == expected)
    }

    @Test func `Loops and arrays add all of their widgets`() {
        let made: [any Widget] = [text("x"), empty()]
        let widgets = make {
            for number in 0..<3 {
                text("\(number)")
                if number == 1 { empty() }
            }
            made
            ["p", "q"].map { text($0) }
            for _ in 0..<0 { text("never") }
            text("end")
        }
        #expect(widgets == ["0", "1", "empty", "2", "x", "empty", "p", "q", "end"])
    }

    @Test func `A builder may begin with an array`() {
        let made: [any Widget] = [text("x")]
        #expect(make { made } == ["x"])
        let widgets = make {
            made
            text("y")
        }
        #expect(widgets == ["x", "y"])
        #expect(made.count == 1)
    }

    @Test func `A widget of any type is added`() {
        let some: any Widget = text("any")
        let widgets = make {
            some
            form { some }
        }
        #expect(widgets == ["any", "form"])
    }

    @Test func `A thousand widgets keep their order`() {
        let widgets = make {
            for number in 0..<1000 { text("\(number)") }
        }
        #expect(widgets == (0..<1000).map(String.init))
    }
}

@Suite(.timeLimit(.minutes(5))) struct SingleWidgetBuilderTests {
    private func make(@SingleWidgetBuilder _ widget: () -> any Widget) -> String {
        widget().typ.description
    }

    @Test func `A single statement is the widget`() {
        #expect(make { form {} } == "form")
    }

    @Test(arguments: [true, false])
    func `A condition chooses the widget`(_ condition: Bool) {
        let typ = make {
            if condition {
                form {}
            } else {
                column {}
            }
        }
        #expect(typ == (condition ? "form" : "column"))
    }

    @Test(arguments: [(0, "form"), (1, "column"), (2, "empty"), (3, "text")])
    func `A switch chooses the widget`(_ number: Int, expected: String) {
        let typ = make {
            switch number {
            case 0: form {}
            case 1: column {}
            case 2: empty()
            default: text("")
            }
        }
        #expect(typ == expected)
    }
}

@Suite(.timeLimit(.minutes(5))) struct ActionListBuilderTests {
    @Test(arguments: [true, false])
    func `A condition adds the actions of its branch`(_ condition: Bool) {
        let actions = encodedActions {
            if condition { rpc("/a") }
            if condition { push("/b") } else { pop() }
        }
        #expect(actions == (condition ? #"["rpc:/a","push:/b"]"# : #"["pop"]"#))
    }

    @Test(arguments: [(0, #"["pop"]"#), (1, #"["poll","pop"]"#), (2, "[]"), (3, #"["push:/3"]"#)])
    func `A switch adds the actions of its case`(_ number: Int, expected: String) {
        let actions = encodedActions {
            switch number {
            case 0: pop()
            case 1:
                poll()
                pop()
            case 2: [] as [any Action]
            default: push("/\(number)")
            }
        }
        #expect(actions == expected)
    }

    @Test func `Loops, arrays and optionals add all of their actions`() {
        let made: [any Action] = [poll(), pop()]
        let page: String? = "/p"
        let actions = encodedActions {
            for url in ["/a", "/b"] { rpc(url) }
            made
            if let page { push(page) }
        }
        #expect(actions == #"["rpc:/a","rpc:/b","poll","pop","push:/p"]"#)
    }
}
