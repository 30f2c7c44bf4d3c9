#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where an app's ``AppRecord`` is kept: a small JSON file.
///
/// Commit it beside the code where every build is to give texts the same numbers and go on with the same version, or keep it with
/// the app's other data on a disk that outlives the container. A file that isn't there yet is made. Without one, versions begin
/// with 1 again, and clients that have seen a higher one never ask for the new data.
public struct RecordFile: Sendable {
    /// Where the file is.
    public let path: String

    /// A record that is kept in a file.
    public init(_ path: String) { self.path = path }

    /// - Returns: nil where there is no file yet.
    func read() throws(RecordError) -> AppRecord? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw RecordError(description: "the record '\(path)' can't be read")
        }
        do throws(RecordError) {
            return try AppRecord(parsing: Array(data))
        } catch {
            throw RecordError(
                description: "the record '\(path)' is damaged: \(error); mend it, or restore an earlier one"
            )
        }
    }

    /// Another file takes its place at once, so that it is never half written.
    func write(_ record: AppRecord) throws(RecordError) {
        do {
            try Data(record.bytes).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw RecordError(
                description: "the record '\(path)' can't be written: make the folder, and let this program write to it"
            )
        }
    }
}
