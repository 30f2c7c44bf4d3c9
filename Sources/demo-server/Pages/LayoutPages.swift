import Applin
import Backlot

extension DemoSection {
    /// Texts, pictures, and what arranges them.
    static let layout = DemoSection("Texts and layout") {
        DemoPage("/text", "Text", "Short, many words, one long word") {
            for content in ["Hello world!", SampleTexts.manyWords, SampleTexts.longWord] { text(content) }
        }

        DemoPage("/error_text", "Error Text", "Messages with a warning sign") {
            for content in ["Error Message", SampleTexts.manyWords, SampleTexts.longWord] { errorText(content) }
        }

        DemoPage("/last_error_text", "Last Error Text", "What went wrong last") {
            text("The last error was:")
            lastErrorText()
        }

        // On demand with one that is not there. The places have half the picture's ratio of width to height, so that the
        // dispositions differ.
        DemoPage.ofSession("/image", "Image", "Fit, cover, stretch, not found") { session in
            let isShown = Misbehaviour.isShown(session)
            return formPage("Image") {
                text("Fit")
                image("/image.png", aspectRatio: 2, disposition: .fit)
                text("Cover")
                image("/image.png", aspectRatio: 2, disposition: .cover)
                text("Stretch")
                image("/image.png", aspectRatio: 2, disposition: .stretch)
                if isShown {
                    text("Not found")
                    image("/nonexistent", aspectRatio: 2, disposition: .fit)
                }
                Misbehaviour.toggle(isShown)
            }
        }

        DemoPage("/column", "Column", "Alignments and spacing", in: .column) {
            formSection("Default") { twoTexts }
            formSection("Start") { twoTexts.align(.start) }
            formSection("Center") { twoTexts.align(.center) }
            formSection("End") { twoTexts.align(.end) }
            formSection("Spacing") { twoTexts.spacing(16) }
        }

        DemoPage("/form", "Form", "Widgets with lines between them") {
            text("text")
            checkbox("Box 1", varName: "box1")
            formButton("Next", rpc("/next"), push("/page2"))
        }

        DemoPage("/form_section", "Form Section", "Groups under a title", in: .column) {
            for title in ["Section 1", "Section 2"] {
                formSection(title) {
                    text("text")
                    text("text")
                }
            }
        }

        DemoPage("/grouped_row_table", "Grouped Row Table", "Two groups, empty cells, long texts") {
            formSection("Two Groups") {
                groupedRowTable {
                    rowGroup {
                        row(text("A1"), text("B1"), text("C1"))
                        row(text("A2"), text("B2"), nil)
                    }
                    rowGroup { row(text("One"), nil, text("Three")) }
                }
                .spacing(8)
            }
            formSection("Long text") {
                groupedRowTable {
                    row(text(SampleTexts.longWord), text(SampleTexts.manyWords))
                    row(text("A2"), text("B2"))
                }
                .spacing(8)
            }
        }

        DemoPage("/table", "Table", "A grouped row table of one group") {
            groupedRowTable {
                row(text("Day"), text("Opens"), text("Closes"))
                row(text("Monday"), text("9:00"), text("17:00"))
                row(text("Sunday"), text("closed"), nil)
            }
            .spacing(8)
        }

        DemoPage("/scroll", "Scroll", "Taller than the screen") {
            for number in 1...50 { text("Line \(number)") }
        }

        DemoPage.made("/no_pull_to_refresh", "No Pull to Refresh", "Pulling does nothing; a button polls") { _ in
            navPage("No Pull to Refresh") {
                scroll {
                    form {
                        text(ClockText.now)
                        formButton("Poll", poll())
                    }
                }
                .pullToRefresh(false)
            }
        }

        DemoPage.made("/empty", "Empty Page", "Nothing at all") { _ in navPage("Empty Page") { empty() } }
    }

    private static var twoTexts: Column {
        column {
            text("text")
            text("text")
        }
    }
}
