internal import Applin
package import Backlot

/// An action of a page, in any dialect.
package enum PageAction: Equatable, Sendable {
    case choosePhoto(String, aspectRatio: Double? = nil)
    case copyToClipboard(String)
    /// An action that only the app's own clients know.
    case extra(String)
    case launchURL(String)
    case logout
    case modal(Modal)
    /// In the documented dialect, it applies to its whole list.
    case onUserErrorPoll
    case poll
    case pop
    case push(String)
    case replaceAll(String)
    case resetVar(String)
    case rpc(String, pollsOnUserError: Bool)
    case stopActions
    case takePhoto(String, aspectRatio: Double? = nil)

    /// A question in front of the page.
    package struct Modal: Equatable, Sendable {
        struct Button: Equatable, Sendable {
            let text: String
            let id: String?
            let isDestructive: Bool
            let actions: [PageAction]
        }

        let title: String
        let message: String?
        let buttons: [Button]
    }

    /// Whether the actions only lead to another page.
    static func onlyLead(_ actions: [PageAction]) -> Bool {
        guard actions.count == 1 else { return false }
        return switch actions[0] {
        case .push, .replaceAll: true
        default: false
        }
    }

    /// Reads an action; nil if the value isn't one.
    package init?(_ value: JSONValue) {
        if let text = value.string {
            self.init(text: text)
        } else {
            self.init(object: value)
        }
    }

    /// Reads the form `push:/terms`.
    private init?(text: String) {
        let colon = text.firstIndex(of: ":")
        let argument = colon.map { String(text[text.index(after: $0)...]) }
        self.init(typ: String(text[..<(colon ?? text.endIndex)]), argument: argument, object: .null)
    }

    /// Reads the form `{"typ":"push","page":"/terms"}`.
    private init?(object: JSONValue) {
        guard let typ = object["typ"]?.string else { return nil }
        let argument = ["page", "url", "string_value", "var_name"].lazy.compactMap { object[$0]?.string }.first
        self.init(typ: typ, argument: argument, object: object)
    }

    private init?(typ: String, argument: String?, object: JSONValue) {
        switch (typ, argument) {
        case ("choose_photo", let url?):
            let photo = Self.photo(url, object)
            self = .choosePhoto(photo.url, aspectRatio: photo.ratio)
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
        case ("take_photo", let url?):
            let photo = Self.photo(url, object)
            self = .takePhoto(photo.url, aspectRatio: photo.ratio)
        default:
            guard !ApplinVocabulary.hasAction(typ) else { return nil }
            self = .extra(argument.map { "\(typ) \($0)" } ?? typ)
        }
    }

    /// The address of a photo, and the ratio of width to height for cropping it. In actions that are strings, the ratio is at
    /// the end of the address, and clients remove it.
    private static func photo(_ url: String, _ object: JSONValue) -> (url: String, ratio: Double?) {
        if object.object != nil { return (url, object["aspect_ratio"]?.number?.double) }
        let name = "?aspect_ratio="
        guard let start = url.ranges(of: name).last, let ratio = Double(url[start.upperBound...]) else {
            return (url, nil)
        }
        return (String(url[..<start.lowerBound]), ratio)
    }

    /// The actions in a list.
    ///
    /// - Parameter client: the version of the client, which skips keys that it doesn't know; nil for the newest.
    package static func list(_ value: JSONValue?, _ client: ClientVersion? = nil) -> [PageAction] {
        (value?.array ?? []).compactMap { value in
            guard let client, let object = value.object, let typ = object["typ"]?.string else {
                return PageAction(value)
            }
            return PageAction(.object(ApplinVocabulary.members(of: object, typ, readBy: client)))
        }
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
                id: button["id"]?.string,
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
        case .choosePhoto(let url, let ratio): "choose_photo \(url)\(ratio.map { ", cut to \($0)" } ?? "")"
        case .copyToClipboard(let text): "copy_to_clipboard \(text.inQuotes)"
        case .extra(let text): text
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
        case .takePhoto(let url, let ratio): "take_photo \(url)\(ratio.map { ", cut to \($0)" } ?? "")"
        }
    }
}
