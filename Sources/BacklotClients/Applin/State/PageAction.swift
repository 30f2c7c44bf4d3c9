package import BacklotJSON

/// An action of a page, in whichever dialect it was written.
package enum PageAction: Equatable, Sendable {
    case choosePhoto(String)
    case copyToClipboard(String)
    case launchURL(String)
    case logout
    case modal(Modal)
    /// In the documented dialect it is about its whole list.
    case onUserErrorPoll
    case poll
    case pop
    case push(String)
    case replaceAll(String)
    case resetVar(String)
    case rpc(String, pollsOnUserError: Bool)
    case stopActions
    case takePhoto(String)

    /// A question in front of the page.
    package struct Modal: Equatable, Sendable {
        struct Button: Equatable, Sendable {
            let text: String
            let isDestructive: Bool
            let actions: [PageAction]
        }

        let title: String
        let message: String?
        let buttons: [Button]
    }

    /// Reads an action; nil for what is none.
    package init?(_ value: JSONValue) {
        if let text = value.string {
            self.init(text: text)
        } else {
            self.init(object: value)
        }
    }

    /// `push:/terms`
    private init?(text: String) {
        let colon = text.firstIndex(of: ":")
        let argument = colon.map { String(text[text.index(after: $0)...]) }
        self.init(typ: String(text[..<(colon ?? text.endIndex)]), argument: argument, object: .null)
    }

    /// `{"typ":"push","page":"/terms"}`
    private init?(object: JSONValue) {
        guard let typ = object["typ"]?.string else { return nil }
        let argument = ["page", "url", "string_value", "var_name"].lazy.compactMap { object[$0]?.string }.first
        self.init(typ: typ, argument: argument, object: object)
    }

    private init?(typ: String, argument: String?, object: JSONValue) {
        switch (typ, argument) {
        case ("choose_photo", let url?): self = .choosePhoto(url)
        case ("copy_to_clipboard", let text?): self = .copyToClipboard(text)
        case ("launch_url", let url?): self = .launchURL(url)
        case ("logout", _): self = .logout
        case ("modal", _): self = .modal(Modal(object))
        case ("on_user_error_poll", _): self = .onUserErrorPoll
        case ("poll", _): self = .poll
        case ("pop", _): self = .pop
        case ("push", let page?): self = .push(page)
        case ("replace_all", let page?): self = .replaceAll(page)
        case ("reset_var", let name?): self = .resetVar(name)
        case ("rpc", let url?): self = .rpc(url, pollsOnUserError: object["on_user_error_poll"]?.bool ?? false)
        case ("stop_actions", _): self = .stopActions
        case ("take_photo", let url?): self = .takePhoto(url)
        default: return nil
        }
    }

    /// The actions in a list.
    package static func list(_ value: JSONValue?) -> [PageAction] {
        (value?.array ?? []).compactMap { PageAction($0) }
    }
}

extension PageAction.Modal {
    package init(_ object: JSONValue) {
        title = object["title"]?.string ?? ""
        message = object["message"]?.string
        buttons = (object["buttons"]?.array ?? []).map { button in
            let text = button["text"]?.string ?? ""
            let isDestructive = text.hasPrefix("!")
            return Button(
                text: isDestructive ? String(text.dropFirst()) : text,
                isDestructive: isDestructive,
                actions: PageAction.list(button["actions"])
            )
        }
    }
}

extension PageAction: CustomStringConvertible {
    /// The action as the page's drawing shows it: `push /terms`.
    package var description: String {
        switch self {
        case .choosePhoto(let url): "choose_photo \(url)"
        case .copyToClipboard(let text): "copy_to_clipboard \(text.inQuotes)"
        case .launchURL(let url): "launch_url \(url)"
        case .logout: "logout"
        case .modal(let modal): "modal \(modal.title.inQuotes)"
        case .onUserErrorPoll: "on_user_error_poll"
        case .poll: "poll"
        case .pop: "pop"
        case .push(let page): "push \(page)"
        case .replaceAll(let page): "replace_all \(page)"
        case .resetVar(let name): "reset_var \(name)"
        case .rpc(let url, let polls): "rpc \(url)\(polls ? " (on_user_error_poll)" : "")"
        case .stopActions: "stop_actions"
        case .takePhoto(let url): "take_photo \(url)"
        }
    }
}
