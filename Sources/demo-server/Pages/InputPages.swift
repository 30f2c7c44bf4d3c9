import Applin
import Backlot

/// Fields to type into: what they allow, capitals, lines, and polling.
struct TextfieldPage: ReadyPage {
    let path = "/textfield"
    let title = "Text Field"
    let subText = "Keyboards, capitals, lines, lengths, polling"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    textfield("field1").label("Field 1")
                    textfield("field2").label("Field 2").error("An error message.")
                    textfield("field3").label("Field 3").initialString("initial text")
                    textfield("mmmm").label("Field 4").initialString(Self.loremIpsum)
                    textfield("field4").label("F5").allow(.numbers)
                    textfield("field5").label("F6").allow(.ascii)
                    textfield("field6").label("F7").allow(.tel)
                    textfield("field7").label("F8").allow(.email)
                    textfield("field8").label("F9").autoCapitalize(.names)
                    textfield("field8_sentences").label("F10").autoCapitalize(.sentences)
                    textfield("field9").label("F11").maxLines(1)
                    textfield("field10").label("F12").maxLines(3)
                    textfield("field13").label("F13, 3 to 8 characters").minChars(3).maxChars(8)
                    textfield("field11").label("Polls page on change").pollDelay(.zero)
                    textfield("field12").label("Polls page after change and 1 second delay").pollDelay(.seconds(1))
                }
            }
        }
    }

    private static let loremIpsum = """
        Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore \
        magna aliqua.
        """
}

/// Checkboxes: set at first, with actions, and polling.
struct CheckboxPage: ReadyPage {
    let path = "/checkbox"
    let title = "Checkbox"
    let subText = "Initial value, actions, polling"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    checkbox("option_1").text("Option 1")
                    checkbox("option_2").text("Option 2").initialBool(true)
                    checkbox("option_3").text("Option 3").actions { rpc("/ok") }
                    checkbox("no_label").text("")
                    checkbox("many_words").text(SampleTexts.manyWords)
                    checkbox("long_word").text(SampleTexts.longWord)
                    checkbox("poll").text("Polls page").actions { poll() }
                    checkbox("poll_delay").text("Polls page after 1 second delay").pollDelay(.seconds(1))
                }
            }
        }
    }
}

/// Choices: one, two and three side by side, and what the backend gets.
struct SelectorPage: RefreshedPage {
    let path = "/selector"
    let title = "Selector"
    let subText = "One, two or three choices side by side"

    func page(_ received: Variables?) -> any Page {
        navPage(title) {
            scroll {
                form {
                    selector("size", options: ["S", "M", "L"], initialString: "M").label("Size")
                    selector("hour", options: Self.numbers(0..<24), initialString: "12").label("Time")
                        .second("minute", options: Self.numbers(0..<60), initialString: "00")
                    selector("day", options: Self.numbers(1..<32), initialString: "01").label("Date")
                        .second("month", options: ["January", "February", "March"], initialString: "January")
                        .third("year", options: ["2026", "2027", "2028"], initialString: "2026")
                    selector("colour", options: ["red", "green"], initialString: "red").label("With an error")
                        .error("Sold out.")
                    selector("polls", options: ["one", "two"], initialString: "one").label("Polls page on change")
                        .pollDelay(.zero)
                    ReceivedVariables.widgets(received)
                }
            }
        }
    }

    private static func numbers(_ range: Range<Int>) -> [String] {
        range.map { $0 < 10 ? "0\($0)" : "\($0)" }
    }
}

/// A list that follows what is typed: the field polls the page.
struct SearchPage: RefreshedPage {
    let path = "/search"
    let title = "Search"
    let subText = "A field that polls while you type"

    private static let term = Variable<String>("search_term")
    private static let fruits = [
        "Apple", "Apricot", "Banana", "Blackberry", "Cherry", "Fig", "Grape", "Lemon", "Lime", "Mango", "Melon",
        "Orange", "Peach", "Pear", "Pineapple", "Plum", "Raspberry", "Strawberry",
    ]

    func page(_ variables: Variables?) throws -> any Page {
        let term = try variables?[Self.term] ?? ""
        let found = term.isEmpty ? Self.fruits : Self.fruits.filter { $0.lowercased().contains(term.lowercased()) }
        return navPage(title) {
            scroll {
                form {
                    textfield(Self.term).label("Fruit").maxLines(1).pollDelay(.milliseconds(300))
                    for fruit in found { text(fruit) }
                    if found.isEmpty { text("Nothing found.") }
                }
            }
        }
    }
}

/// Inputs that the backend checks before the user may go on: a push sends the variables at once.
struct ValidatedPage: RefreshedPage {
    let path = "/validated"
    let title = "Validated"
    let subText = "push sends the variables at once"
    let clients: ClientVersion = "0.33"
    // Clients of the other dialect ignore it.
    let dialects = [Dialect.objects]

    private static let code = Variable<String>("validated_code")

    func page(_ variables: Variables?) throws -> any Page {
        let error: String? =
            if let variables, try variables[Self.code] != "1234" {
                "Wrong: the code is 1234."
            } else {
                nil
            }
        return navPage(title) {
            scroll {
                form {
                    textfield(Self.code).label("Code").allow(.numbers).maxChars(4).error(error).validated()
                    checkbox("validated_box").text("Remember it").validated()
                    selector("validated_choice", options: ["a", "b"], initialString: "a").label("Choice").validated()
                    navButton("Next") { push("/page2") }
                }
            }
        }
    }
}
