import Applin
import Backlot

/// Columns: each alignment, and with space between.
struct ColumnPage: ReadyPage {
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

/// Widgets in a form.
struct FormPage: ReadyPage {
    let path = "/form"
    let title = "Form"
    let subText = "Widgets with lines between them"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("text")
                    checkbox("box1").text("Box 1")
                    formButton("Next") {
                        rpc("/next")
                        push("/page2")
                    }
                }
            }
        }
    }
}

/// Groups of widgets, each under a title.
struct FormSectionPage: ReadyPage {
    let path = "/form_section"
    let title = "Form Section"
    let subText = "Groups under a title"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                column {
                    formSection("Section 1") {
                        text("text")
                        text("text")
                    }
                    formSection("Section 2") {
                        text("text")
                        text("text")
                    }
                }
            }
        }
    }
}

/// Tables: of two groups with empty cells, and with long texts.
struct GroupedRowTablePage: ReadyPage {
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

/// A table of one group.
struct TablePage: ReadyPage {
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

/// A page that is taller than the screen.
struct ScrollPage: ReadyPage {
    let path = "/scroll"
    let title = "Scroll"
    let subText = "Taller than the screen"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    for number in 1...50 {
                        text("Line \(number)")
                    }
                }
            }
        }
    }
}

/// A page that can't be refreshed by pulling it down.
struct NoPullToRefreshPage: ReadyPage {
    let path = "/no_pull_to_refresh"
    let title = "No Pull to Refresh"
    let subText = "Pulling does nothing; a button polls"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text(ClockText.now)
                    formButton("Poll") { poll() }
                }
            }
            .pullToRefresh(false)
        }
    }
}

/// A page with nothing on it.
struct EmptyPage: ReadyPage {
    let path = "/empty"
    let title = "Empty Page"
    let subText = "Nothing at all"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            empty()
        }
    }
}
