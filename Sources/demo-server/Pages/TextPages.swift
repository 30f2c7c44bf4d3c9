import Applin
import Backlot

/// Texts of each length.
struct TextPage: ReadyPage {
    let path = "/text"
    let title = "Text"
    let subText = "Short, many words, one long word"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("Hello world!")
                    text(SampleTexts.manyWords)
                    text(SampleTexts.longWord)
                }
            }
        }
    }
}

/// Messages with a warning sign.
struct ErrorTextPage: ReadyPage {
    let path = "/error_text"
    let title = "Error Text"
    let subText = "Messages with a warning sign"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    errorText("Error Message")
                    errorText(SampleTexts.manyWords)
                    errorText(SampleTexts.longWord)
                }
            }
        }
    }
}

/// The last error, in the client's words.
struct LastErrorTextPage: ReadyPage {
    let path = "/last_error_text"
    let title = "Last Error Text"
    let subText = "What went wrong last"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("The last error was:")
                    lastErrorText()
                }
            }
        }
    }
}

/// A picture in each disposition, and on demand one that is not there. The places have half the picture's ratio of width to
/// height, so that the dispositions differ.
struct ImagePage: SessionPage {
    let path = "/image"
    let title = "Image"
    let subText = "Fit, cover, stretch, not found"

    func page(_ request: Request, _ session: Session) throws -> any Page {
        let isShown = Misbehaviour.isShown(session)
        return navPage(title) {
            scroll {
                form {
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
        }
    }
}
