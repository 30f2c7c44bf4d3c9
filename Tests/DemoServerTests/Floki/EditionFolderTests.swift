import Foundation
import TestSupport
import Testing

@testable import demo_server

/// What may go wrong while an edition is written.
@Suite(.timeLimit(.minutes(5))) struct EditionFolderTests {
    private static func edition(_ version: Int, more: [String: [UInt8]] = [:]) -> Edition {
        let files = ["v1-app": Array("{\"v\":\(version)}".utf8), "v1-appdata": Array(#"{"tabs":[]}"#.utf8)]
        return Edition(indicatorPath: "v1-app", version: version, files: files.merging(more) { $1 }, notes: [])
    }

    @Test(arguments: [Int.min, -1, 0, Int(Int32.max) + 1, Int.max])
    func `A version that clients can't read is refused`(version: Int) async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder.path)/edition"
            _ = try EditionFolder(path).write(Self.edition(version), files: nil)
            let problem = #expect(throws: EditionProblem.self) { try EditionFolder(path).earlier() }
            let text = problem?.description ?? ""
            #expect(text.contains("has version \(version), which clients can't read: name another folder"), "\(text)")
        }
    }

    @Test func `The files may be behind a link, and stay as they are`() async throws {
        try await withTemporaryFolder { folder in
            let manager = FileManager.default
            try manager.createDirectory(atPath: "\(folder.path)/files", withIntermediateDirectories: true)
            _ = try folder.write("picture", to: "files/a.png")
            try manager.createSymbolicLink(atPath: "\(folder.path)/link", withDestinationPath: "files")
            let path = "\(folder.path)/edition"
            #expect(try EditionFolder(path).write(Self.edition(1), files: "\(folder.path)/link") == 3)
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
                        try EditionFolder(path).write(Self.edition(1), files: nil)
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
            let slow = EditionFolder(path) { _, _ in false }
            _ = try slow.write(Self.edition(1, more: ["old": [1]]), files: nil)
            #expect(throws: (any Error).self) { try slow.exchange("\(folder.path)/missing") }
            #expect(try slow.earlier()?.version == 1)
            #expect(try slow.write(Self.edition(2), files: nil) == 2)
            #expect(try slow.earlier()?.version == 2)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["edition"])
        }
    }
}
