import Applin
import Backlot

/// A picture in each disposition, and one that is not there.
struct ImagePage: DemoPage {
    let path = "/image"
    let title = "Image"
    let subText = "Fit, cover, stretch, not found"

    func page(_ request: Request) -> any Page {
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
