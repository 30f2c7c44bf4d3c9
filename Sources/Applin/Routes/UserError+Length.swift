import Backlot
import Logging

extension UserError {
    /// How many characters of a text clients show.
    static let shownCharacters = 1000

    /// Notes in the log that the user will not see all of the text.
    func warnIfCutOff(by request: Request) {
        guard reason.count > Self.shownCharacters else { return }
        Logger(label: "backlot.applin").warning(
            "\(request.method) \(request.path): clients show \(Self.shownCharacters) of this error's \(reason.count) characters"
        )
    }
}
