import Applin
import Backlot

/// Columns: each alignment, and with space between.
enum ColumnPage: DemoPage {
    static let path = "/column"
    static let title = "Column"

    static func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                column {
                    formSection("Default") {
                        column {
                            text("text")
                            text("text")
                        }
                    }
                    formSection("Start") {
                        column {
                            text("text")
                            text("text")
                        }
                        .align(.start)
                    }
                    formSection("Center") {
                        column {
                            text("text")
                            text("text")
                        }
                        .align(.center)
                    }
                    formSection("End") {
                        column {
                            text("text")
                            text("text")
                        }
                        .align(.end)
                    }
                    formSection("Spacing") {
                        column {
                            text("text")
                            text("text")
                        }
                        .spacing(16)
                    }
                }
            }
        }
    }
}
