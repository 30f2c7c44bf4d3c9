/// Where a value comes from. The first that has one counts.
enum SettingOrigin: Int, CaseIterable {
    case option
    case environment
    case file
    case standard

    /// The origin of one setting, for people.
    func description(of setting: any ListedSetting) -> String {
        switch self {
        case .option: setting.option
        case .environment: "\(setting.variable) in the environment"
        case .file: "\(setting.variable) in \(SettingSources.fileName)"
        case .standard: "default"
        }
    }
}
