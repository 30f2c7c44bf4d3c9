internal import Backlot
internal import BacklotHTTP
internal import Logging

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The difference between the settings of a running server and those that its sources have now.
struct SettingsReload: Equatable {
    /// The log level; nil if it hasn't changed.
    let level: Logger.Level?
    /// The changed settings that need a restart.
    let waiting: [String]

    /// Reads the sources of a running server's settings again.
    ///
    /// - Parameter settings: the settings, with the texts that the server uses.
    /// - Throws: `SettingError` if `.env` can't be read, or for an unknown log level.
    init(
        _ running: SettingSources,
        level: Logger.Level,
        settings: [(setting: any ListedSetting, text: String?)]
    ) throws(SettingError) {
        let sources = try running.readAgain()
        let wanted = try sources.required(ServiceSetting.logLevel)
        self.level = wanted == level ? nil : wanted
        waiting = settings.filter { setting, text in
            setting.name != ServiceSetting.logLevel.name && sources.text(setting)?.text != text
        }.map(\.setting.name)
    }

    /// The line for the log.
    var text: String {
        var parts = level.map { ["the log level is \($0) now"] } ?? []
        if !waiting.isEmpty { parts.append("a restart is needed for \(waiting.joined(separator: ", "))") }
        return parts.isEmpty ? "no setting that the server can change has changed" : parts.joined(separator: "; ")
    }
}

extension ServiceSettings {
    /// At each SIGHUP, changes the settings that may change while the server runs, until the task is cancelled. A server logs to
    /// standard error and has no log file to reopen, so a SIGUSR1 does nothing.
    func reload(at hangUps: HangUps, _ logger: Logger) async {
        var hangUps = hangUps
        while !Task.isCancelled {
            await hangUps.wait()
            guard !Task.isCancelled, hangUps.take() else { continue }
            do throws(SettingError) {
                let reload = try SettingsReload(sources, level: logLevel.level, settings: listed)
                if let level = reload.level { logLevel.level = level }
                logger.log(level: max(logLevel.level, .notice), "SIGHUP: \(reload.text)")
            } catch {
                logger.error("SIGHUP: \(error) The settings in use stay.")
            }
        }
    }

    /// Counts the SIGHUPs from now on. Neither they nor a SIGUSR1 end the process.
    static func hangUps() -> HangUps {
        signal(SIGUSR1, SIG_IGN)
        return HangUps()
    }
}
