import Applin
import Backlot

/// A picture in each disposition, and one that is not there.
enum ImagePage: DemoPage {
    static let path = "/image"
    static let title = "Image"

    static func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("Fit")
                    image("/image.png", aspectRatio: 4, disposition: .fit)
                    text("Cover")
                    image("/image.png", aspectRatio: 4, disposition: .cover)
                    text("Stretch")
                    image("/image.png", aspectRatio: 4, disposition: .stretch)
                    text("Not found")
                    image("/nonexistent", aspectRatio: 4, disposition: .fit)
                }
            }
        }
    }
}
