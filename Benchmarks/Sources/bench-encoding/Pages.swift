import Applin

/// The documentation's Example Exchange: 8 widgets.
func smallPage() -> some Page {
    navPage("New Account") {
        scroll {
            form {
                textfield("Username", varName: "username")
                navButton("Terms") { push("/terms") }
                navButton("Privacy") { push("/privacy") }
                checkbox("I agree", varName: "agree")
                formButton("Create Account") {
                    rpc("/create_account")
                    replaceAll("/")
                }
            }
        }
    }
}

/// What a store would hand to the page: one row for each device of an account.
struct Device: Sendable {
    let name: String
    let path: String
    let image: String
    let group: String
    let notice: String
    let variable: String
    let storage: String
    let messages: String
}

/// 30 devices. They are made before the clock starts: what a page's author does to get at texts takes the same time whoever
/// encodes them.
let devices = (0..<30).map { number in
    Device(
        name: "Device number \(number)",
        path: "/settings/devices/\(number)",
        image: "/images/device_\(number).png",
        group: "These settings apply to all devices of group \(number) that are signed in to your account.",
        notice: "notify_\(number)",
        variable: "device_name_\(number)",
        storage: "\(number) GB in use. See what takes up room on this device, and remove what you don't need.",
        messages: "\(number)"
    )
}

/// A long settings page: 213 widgets, about 21 KB.
func largePage() -> some Page {
    navPage("Settings") {
        scroll {
            form {
                for device in devices {
                    formSection(device.name) {
                        text(device.group)
                        textfield("The name that others see", varName: device.variable).initialValue(device.name)
                            .maxLines(1)
                        checkbox("Notify me by email when somebody signs in", varName: device.notice).initialValue(true)
                        navButton("Storage and data") { push(device.path) }
                            .subText(device.storage).badgeText(device.messages)
                        image(device.image, aspectRatio: 1.5, disposition: .fit)
                        formButton("Save these settings") {
                            rpc(device.path)
                            pop()
                        }
                    }
                }
                text("Changes take effect at once.")
            }
        }
    }
}
