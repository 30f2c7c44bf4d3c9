import Backlot
import Foundation
import Testing

/// The reference articles are what the vocabularies say.
@Suite(.timeLimit(.minutes(5))) struct ReferenceTests {
    @Test(arguments: ReferenceArticle.all)
    func `A reference article has all kinds and keys`(article: ReferenceArticle) throws {
        let text = try article.text
        // `make reference` sets this variable.
        if ProcessInfo.processInfo.environment["BACKLOT_WRITE_REFERENCE"] != nil {
            try Data(text.utf8).write(to: article.file)
        }
        let written = try String(contentsOf: article.file, encoding: .utf8)
        #expect(written == text, "\(article.name).md is out of date: run 'make reference', and commit it")
    }

    @Test func `Preview's releases are the vocabulary's`() throws {
        let package = ReferenceArticle.folder.appending(path: "../../..").standardizedFileURL
        let file = package.appending(path: PreviewReleases.file)
        if ProcessInfo.processInfo.environment["BACKLOT_WRITE_REFERENCE"] != nil {
            try Data(PreviewReleases.text.utf8).write(to: file)
        }
        let written = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        #expect(written == PreviewReleases.text, "\(PreviewReleases.file) is out of date: run 'make reference'")
    }
}

extension ReferenceArticle: CustomTestStringConvertible {
    var testDescription: String { name }
}
