import Applin
import Backlot

/// Choices: one, two and three side by side, and what the backend gets.
struct SelectorPage: DemoPage {
    let path = "/selector"
    let title = "Selector"
    let subText = "One, two or three choices side by side"

    func page(_ request: Request) async throws -> any Page {
        let received = request.method == .post ? try await request.variables() : nil
        return navPage(title) {
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
                        .pollDelayMs(0)
                    ReceivedVariables.widgets(received)
                }
            }
        }
    }

    private static func numbers(_ range: Range<Int>) -> [String] {
        range.map { $0 < 10 ? "0\($0)" : "\($0)" }
    }
}
