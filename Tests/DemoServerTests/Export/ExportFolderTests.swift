import BacklotJSON
import Foundation
import TestSupport
import Testing

@testable import demo_server

/// What may go wrong while an edition is written.
@Suite(.timeLimit(.minutes(5))) struct ExportFolderTests {
    private static func edition(_ version: Int, more: [String: [UInt8]] = [:]) -> [String: [UInt8]] {
        let files = ["v1-app": Array("{\"v\":\(version)}".utf8), "v1-appdata": Array(#"{"tabs":[]}"#.utf8)]
        return files.merging(more) { $1 }
    }

    @Test func `A folder is replaced as a whole, and only if it is an edition`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/a/edition"
            #expect(try ExportFolder(path).earlierEdition() == nil)
            let files = "\(folder.path)/files"
            _ = try folder.write("1", to: "files/pictures/a.png")
            #expect(try ExportFolder(path).write(Self.edition(3, more: ["old/en": [1]]), besides: files) == 4)
            let earlier = try #require(try ExportFolder(path).earlierEdition())
            #expect(earlier == (3, ["tabs": []]))
            #expect(try ExportFolder("\(path)/").write(Self.edition(4), besides: nil) == 2)
            let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            #expect(names == ["v1-app", "v1-appdata"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/a") == ["edition"])
        }
    }

    @Test func `Other files, and what is no folder, stay as they are`() async throws {
        try await withTemporaryFolder { folder in
            let files = "\(folder.path)/files"
            _ = try folder.write("mine", to: "files/notes.txt")
            for (path, text) in [
                (files, "'\(files)' has files that aren't an edition of the app: name another folder, or empty it"),
                ("\(files)/notes.txt", "'\(files)/notes.txt' isn't a readable folder: name another"),
            ] {
                let problem = #expect(throws: ExportError.self) { try ExportFolder(path).earlierEdition() }
                #expect(problem?.description == text)
            }
            #expect(throws: ExportError.self) {
                try ExportFolder("\(files)/notes.txt/a").write(Self.edition(1), besides: nil)
            }
        }
    }

    @Test(arguments: [Int.min, -1, 0, Int(Int32.max) + 1, Int.max])
    func `A version that clients can't read is refused`(version: Int) async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/edition"
            _ = try ExportFolder(path).write(Self.edition(version), besides: nil)
            let problem = #expect(throws: ExportError.self) { try ExportFolder(path).earlierEdition() }
            let text = problem?.description ?? ""
            #expect(text.contains("has files that aren't an edition of the app: name another folder"), "\(text)")
        }
    }

    @Test func `The files may be behind a link, and stay as they are`() async throws {
        try await withTemporaryFolder { folder in
            let manager = FileManager.default
            try manager.createDirectory(atPath: "\(folder.path)/files", withIntermediateDirectories: true)
            _ = try folder.write("picture", to: "files/a.png")
            try manager.createSymbolicLink(atPath: "\(folder.path)/link", withDestinationPath: "files")
            let path = "\(folder.path)/edition"
            #expect(try ExportFolder(path).write(Self.edition(1), besides: "\(folder.path)/link") == 3)
            #expect(try manager.contentsOfDirectory(atPath: "\(folder.path)/files") == ["a.png"])
            try manager.removeItem(atPath: "\(folder.path)/files")
            #expect(try String(contentsOfFile: "\(path)/a.png", encoding: .utf8) == "picture")
        }
    }

    @Test func `Nothing is written after the end of the task`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/edition"
            await withTaskGroup(of: Void.self) { group in
                group.cancelAll()
                group.addTask {
                    #expect(throws: CancellationError.self) {
                        try ExportFolder(path).write(Self.edition(1), besides: nil)
                    }
                }
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names == [])
        }
    }

    @Test func `The earlier edition stays where the new one can't be moved to its place`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/edition"
            let slow = ExportFolder(path) { _, _ in false }
            _ = try slow.write(Self.edition(1, more: ["old": [1]]), besides: nil)
            #expect(throws: (any Error).self) { try slow.exchange("\(folder.path)/missing") }
            #expect(try slow.earlierEdition()?.version == 1)
            #expect(try slow.write(Self.edition(2), besides: nil) == 2)
            #expect(try slow.earlierEdition()?.version == 2)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["edition"])
        }
    }
}
