import Applin
import Backlot

/// Columns: each alignment, and with space between.
struct ColumnPage: DemoPage {
    let path = "/column"
    let title = "Column"
    let subText = "Alignments and spacing"

    func page(_ request: Request) -> any Page {
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
