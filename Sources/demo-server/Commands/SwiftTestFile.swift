import ArgumentParser
import BacklotChecks
import BacklotRecording

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The Swift file that `--swift-tests` names: a test that is made of a recording.
struct SwiftTestFile {
    private let folder: String
    private let file: String

    /// - Parameter update: whether it may be there already.
    /// - Throws: `ValidationError` where it can't be written.
    init(_ path: String, update: Bool) throws(ValidationError) {
        let url = URL(filePath: path)
        file = url.lastPathComponent
        folder = url.deletingLastPathComponent().path
        guard file.hasSuffix(".swift"), !file.hasPrefix(".") else {
            throw ValidationError(
                "--swift-tests '\(path)': name a Swift file, such as Tests/ShopTests/RecordedTests.swift."
            )
        }
        guard FolderLookup.exists(folder) else {
            throw ValidationError("--swift-tests '\(path)': there is no folder '\(folder)'. Make it first.")
        }
        guard !FolderLookup.exists("\(folder)/\(file)") else {
            throw ValidationError("--swift-tests '\(path)': this is a folder. Name a file in it.")
        }
        guard update || !FileManager.default.fileExists(atPath: "\(folder)/\(file)") else {
            throw ValidationError("--swift-tests '\(path)': the file is there already. --update replaces it.")
        }
    }

    /// A test, which isn't written yet.
    struct Contents {
        fileprivate let file: RecordedFile
        fileprivate let writer: RecordingWriter
        /// What it does and leaves out: a line for each.
        let report: [String]
    }

    /// Makes the test.
    ///
    /// - Parameters:
    ///   - exchanges: without secrets.
    ///   - pseudonyms: what stands for the secrets.
    ///   - routes: the folder of the mock routes that it asks; nil for the usual one.
    ///   - secrets: texts that must not be in it.
    /// - Throws: `RecordingWriter.Mistake` where one of the secrets would be in it.
    func contents(
        of exchanges: [RecordedExchange],
        pseudonyms: Set<String>,
        routes: String?,
        secrets: [String]
    ) async throws -> Contents {
        var options = RecordedTests.Options()
        options.name = String(file.dropLast(".swift".count))
        options.routes = routes ?? MockOptions.usualFolder
        options.pseudonyms = pseudonyms
        let tests = await RecordedTests(exchanges, options: options)
        let written = RecordedFile(path: file, bytes: Array(tests.source.utf8))
        let writer = RecordingWriter(folder, secrets: secrets)
        try writer.check([written])
        return Contents(file: written, writer: writer, report: tests.report)
    }

    /// Writes the test, at once.
    ///
    /// - Throws: `RecordingWriter.Mistake`.
    func write(_ contents: Contents, update: Bool) throws(RecordingWriter.Mistake) {
        try contents.writer.write([contents.file], update: update)
    }
}
