import Applin
import Backlot

/// A table of one group.
struct TablePage: DemoPage {
    let path = "/table"
    let title = "Table"
    let subText = "A grouped row table of one group"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    table([
                        [text("Day"), text("Opens"), text("Closes")],
                        [text("Monday"), text("9:00"), text("17:00")],
                        [text("Sunday"), text("closed"), nil],
                    ])
                    .spacing(8)
                }
            }
        }
    }
}
