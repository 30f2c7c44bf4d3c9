/// Something that was set wrongly.
struct SettingError: Error, CustomStringConvertible {
    /// What is wrong, where, and what to write.
    let description: String

    init(_ description: String) {
        self.description = description
    }

    init(_ setting: any ListedSetting, _ found: SettingSources.Found) {
        let place = found.origin.description(of: setting)
        let value = setting.isSecret ? "wrong" : "'\(setting.display(found.text))'"
        description = "\(place) is \(value): write \(setting.allowed)."
    }
}
