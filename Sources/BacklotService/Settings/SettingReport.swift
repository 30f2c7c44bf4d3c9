/// Every setting with its value and its source, and what is wrong with the values.
public struct SettingReport: Sendable {
    /// A setting, its value as it may be shown, and where that is from.
    public struct Line: Sendable, Equatable {
        /// The setting's name.
        public let name: String
        /// The value as it may be shown.
        public let value: String
        /// Where the value is from.
        public let origin: String
    }

    /// A line for each setting, in their order.
    public private(set) var lines: [Line] = []
    /// What is wrong with single values.
    public private(set) var problems: [SettingError] = []

    /// The report about some settings.
    public init(_ settings: [any ListedSetting], _ sources: SettingSources) {
        for setting in settings {
            guard let found = sources.text(setting) else {
                lines.append(Line(name: setting.name, value: "-", origin: "not set"))
                continue
            }
            let origin = found.origin.description(of: setting)
            lines.append(Line(name: setting.name, value: setting.display(found.text), origin: origin))
            if !setting.accepts(found.text) { problems.append(SettingError(setting, found)) }
        }
    }
}
