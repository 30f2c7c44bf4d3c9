import Applin
import Backlot

extension DemoSection {
    /// Inputs, and what becomes of their variables.
    static let inputs = DemoSection("Inputs and variables") {
        DemoPage("/textfield", "Text Field", "Keyboards, capitals, lines, lengths, polling") {
            textfield("field1").label("Field 1")
            textfield("field2").label("Field 2").error("An error message.")
            textfield("field3").label("Field 3").initialString("initial text")
            textfield("mmmm").label("Field 4").initialString(loremIpsum)
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

        DemoPage("/checkbox", "Checkbox", "Initial value, actions, polling") {
            checkbox("option_1").text("Option 1")
            checkbox("option_2").text("Option 2").initialBool(true)
            checkbox("option_3").text("Option 3").actions { rpc("/ok") }
            checkbox("no_label").text("")
            checkbox("many_words").text(SampleTexts.manyWords)
            checkbox("long_word").text(SampleTexts.longWord)
            checkbox("poll").text("Polls page").actions { poll() }
            checkbox("poll_delay").text("Polls page after 1 second delay").pollDelay(.seconds(1))
        }

        DemoPage.refreshed("/selector", "Selector", "One, two or three choices side by side") { received in
            formPage("Selector") {
                selector("size", options: ["S", "M", "L"], initialString: "M").label("Size")
                selector("hour", options: numbers(0..<24), initialString: "12").label("Time")
                    .second("minute", options: numbers(0..<60), initialString: "00")
                selector("day", options: numbers(1..<32), initialString: "01").label("Date")
                    .second("month", options: ["January", "February", "March"], initialString: "January")
                    .third("year", options: ["2026", "2027", "2028"], initialString: "2026")
                selector("colour", options: ["red", "green"], initialString: "red").label("With an error")
                    .error("Sold out.")
                selector("polls", options: ["one", "two"], initialString: "one").label("Polls page on change")
                    .pollDelay(.zero)
                show(received)
            }
        }

        // A list that follows what is typed: the field polls the page.
        DemoPage.refreshed("/search", "Search", "A field that polls while you type") { variables in
            let term = try variables?[searchTerm] ?? ""
            let found = term.isEmpty ? fruits : fruits.filter { $0.lowercased().contains(term.lowercased()) }
            return formPage("Search") {
                textfield(searchTerm).label("Fruit").maxLines(1).pollDelay(.milliseconds(300))
                for fruit in found { text(fruit) }
                if found.isEmpty { text("Nothing found.") }
            }
        }

        // Inputs that the backend checks before the user may go on. Clients of the other dialect ignore it.
        DemoPage.refreshed("/validated", "Validated", "push sends the variables at once") { variables in
            let isWrong = try variables.map { try $0[validatedCode] != "1234" } ?? false
            return formPage("Validated") {
                textfield(validatedCode).label("Code").allow(.numbers).maxChars(4)
                    .error(isWrong ? "Wrong: the code is 1234." : nil).validated()
                checkbox("validated_box").text("Remember it").validated()
                selector("validated_choice", options: ["a", "b"], initialString: "a").label("Choice").validated()
                navButton("Next") { push("/page2") }
            }
        }
        .clients("0.33").only(.objects)

        // Variables belong to the app, not to a page.
        DemoPage.refreshed("/variables", "Variables", "What is sent; two pages share one") { received in
            formPage("Variables") {
                textfield(sharedText).label("Also on the next page").initialString("set once, while unset")
                checkbox("shared_box").text("A boolean")
                navButton("The next page") { push("/shared_variable") }
                show(received)
            }
        }

        DemoPage("/shared_variable", "Shared Variable") {
            textfield(sharedText).label("The same variable").initialString("not shown, since it is set already")
        }
        .unlisted()

        // Variables whose names make an object (`name#key`) or an array (`name%item`) of them.
        DemoPage.refreshed("/nested_variables", "Nested Variables", "Objects by name#key, arrays by name%item") {
            received in
            formPage("Nested Variables") {
                textfield("address#street").label("Street").autoCapitalize(.names)
                textfield("address#city").label("City").autoCapitalize(.names)
                checkbox("toppings%cheese").text("Cheese")
                checkbox("toppings%olives").text("Olives")
                formButton("Order, by rpc") { rpc("/nested_variables/order") }
                show(received)
            }
        }
        .targets { app in
            app.rpc("/nested_variables/order", Order.self) { order, _ in
                guard order.address["city"]?.isBlank == false else { throw UserError("Please enter a city.") }
            }
        }

        // A text field goes on showing its text for as long as the page is on the stack.
        DemoPage("/reset_var", "Reset Variables", "Initial values are sent again") {
            textfield("reset_text").label("Text").initialString("initial text")
            checkbox("reset_box").text("Box").initialBool(true)
            selector("reset_choice", options: ["one", "two"], initialString: "two").label("Choice")
            formButton("Reset the text") { resetVar("reset_text") }
            formButton("Reset all") {
                resetVar("reset_text")
                resetVar("reset_box")
                resetVar("reset_choice")
            }
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

    /// The end of a page that shows which variables the client has sent: a button that polls, and below it what came.
    @WidgetListBuilder private static func show(_ variables: Variables?) -> [any Widget] {
        let shown = variables.map { JSONValue.object($0.object).description }
        formButton("Send the variables") { poll() }
        text(shown.map { "The backend got: \($0)" } ?? "The backend got no variables: the page was loaded by GET.")
    }
}
