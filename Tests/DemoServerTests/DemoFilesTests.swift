import Foundation
import TestSupport
import Testing

@testable import demo_server

@Suite(.timeLimit(.minutes(5))) struct DemoFilesTests {
    @Test func `Each file of the folder is compiled in, byte by byte`() throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../Sources/demo-server/Files").standardizedFileURL
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
            URL(filePath: "\(folder.path)/\($0)").pathExtension != "" && $0 != "embed.inc"
        }
        #expect(names.sorted() == DemoFiles.all.keys.sorted(), "write them into Sources/CDemoFiles/files.c")
        for name in names {
            #expect(DemoFiles.all[name] == Array(try Data(contentsOf: folder.appending(path: name))), "\(name)")
        }
    }
}
