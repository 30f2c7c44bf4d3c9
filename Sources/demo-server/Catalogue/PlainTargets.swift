import Applin
import Backlot

/// The pages that the documentation's examples push and say nothing about.
enum PlainTargets {
    private static let pages = [
        ("/page2", "Page Two"),
        ("/p1", "Page 1"),
        ("/p2", "Page 2"),
        ("/p3", "Page 3"),
        ("/p4", "Page 4"),
        ("/p5", "Page 5"),
        ("/p6", "Page 6"),
        ("/mmmm_mmmm", "MMMM MMMM"),
        ("/mmmmmmmm", "MMMMMMMM"),
    ]

    static func register(on app: ApplinApp) {
        for (path, title) in pages {
            app.page(path) { _ in
                navPage(title) {
                    scroll {
                        form {
                            text("This is \(path).")
                        }
                    }
                }
            }
        }
    }
}
