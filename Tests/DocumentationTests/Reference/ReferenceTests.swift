import Backlot
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The reference articles are what the vocabularies say.
@Suite(.timeLimit(.minutes(5))) struct ReferenceTests {
    private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Backlot/Backlot.docc")

    @Test(arguments: ReferenceArticle.all)
    func `A reference article has all kinds and keys`(article: ReferenceArticle) throws {
        let file = Self.folder.appending(path: "\(article.name).md")
        // What `make reference` sets.
        if ProcessInfo.processInfo.environment["BACKLOT_WRITE_REFERENCE"] != nil {
            try Data(article.text.utf8).write(to: file)
        }
        let written = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        #expect(written == article.text, "\(article.name).md is out of date: run 'make reference', and commit it")
    }

    @Test func `Preview's releases are the vocabulary's`() throws {
        let package = Self.folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = package.appending(path: PreviewReleases.file)
        if ProcessInfo.processInfo.environment["BACKLOT_WRITE_REFERENCE"] != nil {
            try Data(PreviewReleases.text.utf8).write(to: file)
        }
        let written = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        #expect(written == PreviewReleases.text, "\(PreviewReleases.file) is out of date: run 'make reference'")
    }

    @Test(arguments: ReferenceArticle.all)
    func `Every picture of a reference article is there`(article: ReferenceArticle) {
        for (kind, picture) in article.pictures {
            #expect(article.kinds.contains { $0.name == kind }, "\(kind)")
            let file = Self.folder.appending(path: "Pictures/\(picture).png")
            #expect(FileManager.default.fileExists(atPath: file.path), "\(picture).png")
        }
    }
}

extension ReferenceArticle: CustomTestStringConvertible {
    var testDescription: String { name }
}
