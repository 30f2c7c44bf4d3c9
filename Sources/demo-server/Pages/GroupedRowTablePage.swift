import Applin
import Backlot

/// Tables: of two groups with empty cells, and with long texts.
struct GroupedRowTablePage: DemoPage {
    let path = "/grouped_row_table"
    let title = "Grouped Row Table"
    let subText = "Two groups, empty cells, long texts"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    formSection("Two Groups") {
                        groupedRowTable([
                            [
                                [text("A1"), text("B1"), text("C1")],
                                [text("A2"), text("B2"), nil],
                            ],
                            [
                                [text("One"), nil, text("Three")]
                            ],
                        ])
                        .spacing(8)
                    }
                    formSection("Long text") {
                        groupedRowTable([
                            [
                                [text(SampleTexts.longWord), text(SampleTexts.manyWords)],
                                [text("A2"), text("B2")],
                            ]
                        ])
                        .spacing(8)
                    }
                }
            }
        }
    }
}
