/// The same two pages as a user of JSONEncoder would write them: structs with synthesized conformances, in an enum where
/// any widget can stand.

struct PeerResponse: Encodable {
    var page: PeerNavPage
}

struct PeerNavPage: Encodable {
    var typ = "nav_page"
    var title: String
    var widget: PeerWidget
}

indirect enum PeerWidget: Encodable {
    case scroll(PeerScroll)
    case form(PeerForm)
    case formSection(PeerFormSection)
    case text(PeerText)
    case textfield(PeerTextfield)
    case checkbox(PeerCheckbox)
    case navButton(PeerNavButton)
    case formButton(PeerFormButton)
    case image(PeerImage)

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .scroll(let widget): try widget.encode(to: encoder)
        case .form(let widget): try widget.encode(to: encoder)
        case .formSection(let widget): try widget.encode(to: encoder)
        case .text(let widget): try widget.encode(to: encoder)
        case .textfield(let widget): try widget.encode(to: encoder)
        case .checkbox(let widget): try widget.encode(to: encoder)
        case .navButton(let widget): try widget.encode(to: encoder)
        case .formButton(let widget): try widget.encode(to: encoder)
        case .image(let widget): try widget.encode(to: encoder)
        }
    }
}

struct PeerScroll: Encodable {
    var typ = "scroll"
    var widget: PeerWidget
}

struct PeerForm: Encodable {
    var typ = "form"
    var widgets: [PeerWidget]
}

struct PeerFormSection: Encodable {
    var typ = "form_section"
    var title: String?
    var widgets: [PeerWidget]
}

struct PeerText: Encodable {
    var typ = "text"
    var text: String
}

struct PeerTextfield: Encodable {
    var typ = "textfield"
    var var_name: String
    var label: String?
    var initial_string: String?
    var max_lines: UInt32?
}

struct PeerCheckbox: Encodable {
    var typ = "checkbox"
    var var_name: String
    var text: String?
    var initial_bool: Bool?
}

struct PeerNavButton: Encodable {
    var typ = "nav_button"
    var text: String
    var sub_text: String?
    var badge_text: String?
    var actions: [String]
}

struct PeerFormButton: Encodable {
    var typ = "form_button"
    var text: String
    var actions: [String]
}

struct PeerImage: Encodable {
    var typ = "image"
    var url: String
    var aspect_ratio: Double
    var disposition: String
}

func smallPeer() -> PeerResponse {
    PeerResponse(
        page: PeerNavPage(
            title: "New Account",
            widget: .scroll(
                PeerScroll(
                    widget: .form(
                        PeerForm(widgets: [
                            .textfield(PeerTextfield(var_name: "username", label: "Username")),
                            .navButton(PeerNavButton(text: "Terms", actions: ["push:/terms"])),
                            .navButton(PeerNavButton(text: "Privacy", actions: ["push:/privacy"])),
                            .checkbox(PeerCheckbox(var_name: "agree", text: "I agree")),
                            .formButton(
                                PeerFormButton(
                                    text: "Create Account",
                                    actions: ["rpc:/create_account", "replace_all:/"]
                                )
                            ),
                        ])
                    )
                )
            )
        )
    )
}

func largePeer() -> PeerResponse {
    var widgets = devices.map { device in
        PeerWidget.formSection(
            PeerFormSection(
                title: device.name,
                widgets: [
                    .text(PeerText(text: device.group)),
                    .textfield(
                        PeerTextfield(
                            var_name: device.variable,
                            label: "The name that others see",
                            initial_string: device.name,
                            max_lines: 1
                        )
                    ),
                    .checkbox(
                        PeerCheckbox(
                            var_name: device.notice,
                            text: "Notify me by email when somebody signs in",
                            initial_bool: true
                        )
                    ),
                    .navButton(
                        PeerNavButton(
                            text: "Storage and data",
                            sub_text: device.storage,
                            badge_text: device.messages,
                            actions: ["push:" + device.path]
                        )
                    ),
                    .image(PeerImage(url: device.image, aspect_ratio: 1.5, disposition: "fit")),
                    .formButton(PeerFormButton(text: "Save these settings", actions: ["rpc:" + device.path, "pop"])),
                ]
            )
        )
    }
    widgets.append(.text(PeerText(text: "Changes take effect at once.")))
    return PeerResponse(
        page: PeerNavPage(
            title: "Settings",
            widget: .scroll(PeerScroll(widget: .form(PeerForm(widgets: widgets))))
        )
    )
}
