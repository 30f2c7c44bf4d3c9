import Applin
import Backlot

/// Buttons that lead to other pages: with sub-texts, badges and photos.
struct NavButtonPage: DemoPage {
    let path = "/nav_button"
    let title = "Nav Button"
    let subText = "Sub-texts, badges, photos"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    navButton("Page 1") { push("/p1") }
                    navButton("Page 2") { push("/p2") }.subText("A very nice page")
                    navButton("Page 3") { push("/p3") }.badgeText("5")
                    navButton("Page 4") { push("/p4") }.badgeText("123456789012345678901234567890")
                    navButton("Page 5") { push("/p5") }.photoUrl("/image.png")
                    navButton("Page 6") { push("/p6") }.photoUrl("/nonexistent.png")
                    navButton("Disabled") {}
                    navButton(SampleTexts.manyWords) { push("/mmmm_mmmm") }
                    navButton(SampleTexts.longWord) { push("/mmmmmmmm") }
                }
            }
        }
    }
}
