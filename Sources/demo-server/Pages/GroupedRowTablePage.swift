import Applin
import Backlot

/// Tables: of two groups with empty cells, and with long texts.
enum GroupedRowTablePage: DemoPage {
    static let path = "/grouped_row_table"
    static let title = "Grouped Row Table"

    static func page(_ request: Request) -> any Page {
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
