internal import Logging

/// Writes each event of a logger with another handler, and also sends it.
struct SendingLogHandler: LogHandler {
    var written: any LogHandler
    var sent: OTLPLogHandler
    /// The level that the logger has set; nil for the level of `written`, which may change.
    var ownLevel: Logger.Level?

    var logLevel: Logger.Level {
        get { ownLevel ?? written.logLevel }
        set { (ownLevel, written.logLevel) = (newValue, newValue) }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { written.metadataProvider }
        set { (written.metadataProvider, sent.metadataProvider) = (newValue, newValue) }
    }

    var metadata: Logger.Metadata {
        get { written.metadata }
        set { (written.metadata, sent.metadata) = (newValue, newValue) }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { written[metadataKey: key] }
        set { (written[metadataKey: key], sent[metadataKey: key]) = (newValue, newValue) }
    }

    func log(event: LogEvent) {
        // The level of some handlers can't be set, such as that of a handler without lines.
        if event.level >= written.logLevel { written.log(event: event) }
        sent.log(event: event)
    }
}
