import Applin
import Backlot

extension DemoSection {
    /// Inputs and their variables.
    static let inputs = DemoSection("Inputs and variables") {
        DemoPage("/textfield", "Text Field", "Keyboards, capitals, lines, lengths, polling") {
            textfield("Field 1", varName: "field1")
            textfield("Field 2", varName: "field2").error("An error message.")
            textfield("Field 3", varName: "field3").initialValue("initial text")
            textfield("Field 4", varName: "mmmm").initialValue(loremIpsum)
            textfield("F5", varName: "field4").allow(.numbers)
            textfield("F6", varName: "field5").allow(.ascii)
            textfield("F7", varName: "field6").allow(.tel)
            textfield("F8", varName: "field7").allow(.email)
            textfield("F9", varName: "field8").autoCapitalize(.names)
            textfield("F10", varName: "field8_sentences").autoCapitalize(.sentences)
            textfield("F11", varName: "field9").maxLines(1)
            textfield("F12", varName: "field10").maxLines(3)
            textfield("F13, 3 to 8 characters", varName: "field13").minChars(3).maxChars(8)
            textfield("Polls page on change", varName: "field11").pollDelay(.zero)
            textfield("Polls page after change and 1 second delay", varName: "field12").pollDelay(.seconds(1))
        }

        DemoPage("/checkbox", "Checkbox", "Initial value, actions, polling") {
            checkbox("Option 1", varName: "option_1")
            checkbox("Option 2", varName: "option_2").initialValue(true)
            checkbox("Option 3", varName: "option_3").actions { rpc("/ok") }
            checkbox("", varName: "no_label")
            checkbox(SampleTexts.manyWords, varName: "many_words")
            checkbox(SampleTexts.longWord, varName: "long_word")
            checkbox("Polls page", varName: "poll").actions { poll() }
            checkbox("Polls page after 1 second delay", varName: "poll_delay").pollDelay(.seconds(1))
        }

        DemoPage.refreshed("/selector", "Selector", "One, two or three choices side by side") { received in
            formPage("Selector") {
                selector("Size", varName: "size", options: ["S", "M", "L"], initialValue: "M")
                selector("Time", varName: "hour", options: numbers(0..<24), initialValue: "12")
                    .second("minute", options: numbers(0..<60), initialValue: "00")
                selector("Date", varName: "day", options: numbers(1..<32), initialValue: "01")
                    .second("month", options: ["January", "February", "March"], initialValue: "January")
                    .third("year", options: ["2026", "2027", "2028"], initialValue: "2026")
                selector("With an error", varName: "colour", options: ["red", "green"], initialValue: "red")
                    .error("Sold out.")
                selector("Polls page on change", varName: "polls", options: ["one", "two"], initialValue: "one")
                    .pollDelay(.zero)
                show(received)
            }
        }

        // A list that follows the typed text: the field polls the page.
        DemoPage.refreshed("/search", "Search", "A field that polls while you type") { variables in
            let term = try (variables?[searchTerm] ?? "").lowercased()
            let found = term.isEmpty ? fruits : fruits.filter { $0.contains(lowercase: term) }
            return formPage("Search") {
                textfield("Fruit", searchTerm).maxLines(1).pollDelay(.milliseconds(300))
                for fruit in found { text(fruit) }
                if found.isEmpty { text("Nothing found.") }
            }
        }

        // Inputs that the backend checks before the user may continue. Clients of the other dialect ignore that.
        DemoPage.refreshed("/validated", "Validated", "push sends the variables at once") { variables in
            let isWrong = try variables.map { try $0[validatedCode] != "1234" } ?? false
            return formPage("Validated") {
                textfield("Code", validatedCode).allow(.numbers).maxChars(4)
                    .error(isWrong ? "Wrong: the code is 1234." : nil).validated()
                checkbox("Remember it", varName: "validated_box").validated()
                selector("Choice", varName: "validated_choice", options: ["a", "b"], initialValue: "a").validated()
                navButton("Next", push("/page2"))
            }
        }
        .clients("0.33").only(.objects)

        // Variables belong to the app, not to a page.
        DemoPage.refreshed("/variables", "Variables", "The sent variables; two pages share one") { received in
            formPage("Variables") {
                textfield("Also on the next page", sharedText).initialValue("set once, while unset")
                checkbox("A boolean", varName: "shared_box")
                navButton("The next page", push("/shared_variable"))
                show(received)
            }
        }

        DemoPage("/shared_variable", "Shared Variable") {
            textfield("The same variable", sharedText).initialValue("not shown, since it is set already")
        }
        .unlisted()

        // Variables that form an object (`name#key`) or an array (`name%item`).
        DemoPage.refreshed("/nested_variables", "Nested Variables", "Objects by name#key, arrays by name%item") {
            received in
            formPage("Nested Variables") {
                textfield("Street", varName: "address#street").autoCapitalize(.names)
                textfield("City", varName: "address#city").autoCapitalize(.names)
                checkbox("Cheese", varName: "toppings%cheese")
                checkbox("Olives", varName: "toppings%olives")
                formButton("Order, by rpc", rpc("/nested_variables/order"))
                show(received)
            }
        }
        .targets { app in
            app.rpc("/nested_variables/order", Order.self) { order, _ in
                guard order.address["city"]?.isBlank == false else { throw UserError("Please enter a city.") }
            }
        }

        // A text field keeps its text while the page is on the stack.
        DemoPage("/reset_var", "Reset Variables", "Initial values are sent again") {
            textfield("Text", varName: "reset_text").initialValue("initial text")
            checkbox("Box", varName: "reset_box").initialValue(true)
            selector("Choice", varName: "reset_choice", options: ["one", "two"], initialValue: "two")
            formButton("Reset the text", resetVar("reset_text"))
            formButton("Reset all", resetVar("reset_text"), resetVar("reset_box"), resetVar("reset_choice"))
            text("The text field shows its text until this page is opened anew; what is sent is the initial text.")
        }
        .clients("0.36").only(.objects)
    }

    private static let searchTerm = Variable<String>("search_term")
    private static let validatedCode = Variable<String>("validated_code")
    /// An input of two pages.
    private static let sharedText = Variable<String>("shared_text")

    /// The variables of an order as the backend decodes them.
    private struct Order: Decodable {
        var address: [String: String]
        var toppings: [String]
    }

    private static let loremIpsum = """
        Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore \
        magna aliqua.
        """
    private static let fruits = [
        "Apple", "Apricot", "Banana", "Blackberry", "Cherry", "Fig", "Grape", "Lemon", "Lime", "Mango", "Melon",
        "Orange", "Peach", "Pear", "Pineapple", "Plum", "Raspberry", "Strawberry",
    ]

    private static func numbers(_ range: Range<Int>) -> [String] { range.map { $0 < 10 ? "0\($0)" : "\($0)" } }

    /// The end of a page: a button that polls, and below it the variables that the client has sent.
    @WidgetListBuilder private static func show(_ variables: Variables?) -> [any Widget] {
        let shown = variables.map { JSONValue.object($0.object).description }
        formButton("Send the variables", poll())
        text(shown.map { "The backend got: \($0)" } ?? "The backend got no variables: the page was loaded by GET.")
    }
}
