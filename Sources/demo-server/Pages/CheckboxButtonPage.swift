import Applin
import Backlot

/// Checkboxes whose value the backend keeps: a tap calls an rpc.
struct CheckboxButtonPage: DemoPage {
    let path = "/checkbox_button"
    let title = "Checkbox Button"
    let subText = "The backend keeps the value"
    let dialects = [Dialect.objects]
    let switches: Switches

    func page(_ request: Request) async -> any Page {
        let isOn = await switches.isOn(path)
        return navPage(title) {
            scroll {
                form {
                    text("Everybody who uses this server sees the same value.")
                    checkboxButton("The light is on") {
                        rpc("/checkbox_button/toggle")
                        poll()
                    }
                    .initialBool(isOn)
                    checkboxButton("Goes back, because its rpc is refused") { rpc("/user_error") }
                    checkboxButton("Without actions") {}
                }
            }
        }
    }

    func addTargets(to app: ApplinApp) {
        app.rpc("/checkbox_button/toggle") { _ in await switches.toggle(path) }
    }
}
