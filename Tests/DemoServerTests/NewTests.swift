import Applin
import ArgumentParser
import Backlot
import Foundation
import TestSupport
import Testing

@testable import demo_server

/// What `demo-server new` writes, and what it refuses. That the packages compile and pass their tests is tried by `.ci/try-new`.
@Suite(.timeLimit(.minutes(5))) struct NewTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL.path

    private func template(
        _ appProtocol: AppProtocol,
        _ backlot: BacklotPlace = .folder("/src/backlot")
    ) throws -> AppTemplate {
        AppTemplate(name: try AppName("WaitingRoom"), backlot: backlot, appProtocol: appProtocol)
    }

    @Test(arguments: AppProtocol.all)
    func `A package of each protocol has all files, and they name what is there`(spoken: AppProtocol) throws {
        let files = Dictionary(uniqueKeysWithValues: try template(spoken).files.map { ($0.path, $0.text) })
        #expect(
            files.keys.sorted() == [
                ".dockerignore", ".github/workflows/tests.yml", ".gitignore", "AGENTS.md", "Dockerfile",
                "Package.swift",
                "README.md",
                "Sources/WaitingRoom/WaitingRoom.swift", "Tests/WaitingRoomTests/WaitingRoomTests.swift",
            ]
        )
        let program = try #require(files["Sources/WaitingRoom/WaitingRoom.swift"])
        #expect(program.contains("\nimport \(spoken.module)\n") || program.hasPrefix("import \(spoken.module)\n"))
        #expect(program.contains("@main\nstruct WaitingRoom: ServerApp {"))
        #expect(
            files["Tests/WaitingRoomTests/WaitingRoomTests.swift"]?.contains("@testable import waiting_room\n") == true
        )
        #expect(files["AGENTS.md"]?.contains("`swift run waiting-room check`") == true)
        #expect(files["Package.swift"]?.contains("name: \"waiting-room\"") == true)
        #expect(files["Package.swift"]?.contains(".package(name: \"backlot\", path: \"/src/backlot\")") == true)
        #expect(files["Dockerfile"]?.contains("COPY --from=backlot . /src/backlot\n") == true)
        for file in ["Dockerfile", "README.md", ".github/workflows/tests.yml"] {
            for package in AppTemplate.buildPackages { #expect(files[file]?.contains(package) == true, "\(file)") }
            #expect(files[file]?.contains(AppTemplate.swift) == true, "\(file)")
        }
        for (path, text) in files {
            #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"), "\(path)")
            #expect(!text.split(separator: "\n").contains { $0.last == " " || $0.count > 130 }, "\(path)")
            #expect(!text.contains("\\#("), "\(path)")
        }
    }

    @Test func `A repository is named with its identity and version, and needs no copy`() throws {
        for (url, identity) in [
            ("https://host/a/backlot.git", "backlot"), ("https://host/a/Fork", "Fork"),
            ("git@host:backlot.git", "backlot"),
        ] {
            let place = try BacklotPlace(url)
            #expect(place.identity == identity)
            let files = Dictionary(uniqueKeysWithValues: try template(.applin, place).files.map { ($0.path, $0.text) })
            #expect(files["Package.swift"]?.contains(".package(url: \"\(url)\", from: \"") == true)
            #expect(files["Package.swift"]?.contains("package: \"\(identity)\"") == true)
            #expect(files["Dockerfile"]?.contains("--from=backlot") == false)
        }
    }

    @Test func `Without a place, it is the checkout that the program was built from`() throws {
        #expect(try BacklotPlace(nil) == .folder(Self.root))
        #expect(try BacklotPlace(Self.root + "/") == .folder(Self.root))
    }

    @Test(
        arguments: [
            ("Clinic", "Clinic", "clinic", "clinic"), ("clinic", "Clinic", "clinic", "clinic"),
            ("WaitingRoom", "WaitingRoom", "waiting-room", "waiting_room"), ("A2", "A2", "a2", "a2"),
        ]
    )
    func `A name is a type, a program and a module`(text: String, type: String, command: String, module: String) throws
    {
        let name = try AppName(text)
        #expect([name.type, name.command, name.module] == [type, command, module])
    }

    @Test(
        arguments: [
            ("", "'' can't be the name of a Swift type"), ("2Fast", "'2Fast' can't be the name"),
            ("waiting-room", "can't be the name"),
            ("Klinik für alle", "can't be the name"), ("../x", "can't be the name"), ("Ärzte", "can't be the name"),
            (String(repeating: "a", count: 51), "can't be the name"), ("class", "'class' is a word of Swift"),
            ("Class", "is a word of Swift"),
            ("TaskStore", "is the name of a type that the app uses"),
            ("Self", "'Self' is a word of Swift"), ("self", "is a word of Swift"), ("Any", "is a word of Swift"),
            ("Testing", "is the name of the module Testing"), ("applin", "is the name of the module Applin"),
            ("BACKLOT", "is the name of the module Backlot"), ("Swift", "is the name of the module Swift"),
            ("Router", "is the name of a type that the app uses"), ("String", "is the name of a type"),
        ]
    )
    func `A bad name is refused`(text: String, message: String) throws {
        let mistake = try #require(throws: AppNameError.self) { _ = try AppName(text) }
        #expect(mistake.description.contains(message), "\(mistake)")
        #expect(mistake.description.hasSuffix("."))
    }

    @Test(
        arguments: [
            ("/nowhere", "--backlot is '/nowhere', which has no Package.swift of Backlot"), ("", "--backlot is ''"),
            ("https://a b", "--backlot is 'https://a b': write the URL of a repository"),
            ("ftp://host/b", "write the URL"),
            ("https://host/\"", "write the URL"),
        ]
    )
    func `A place where Backlot isn't is refused`(text: String, message: String) throws {
        let mistake = try #require(throws: AppNameError.self) { _ = try BacklotPlace(text) }
        #expect(mistake.description.contains(message), "\(mistake)")
    }

    @Test func `A folder that isn't empty is refused and left alone`() async throws {
        try await withTemporaryFolder { folder in
            try folder.write("mine", to: "Clinic/README.md")
            for arguments in [["Clinic"], ["Desk", "--folder", "Clinic"], ["Desk", "--folder", "Clinic/README.md"]] {
                let outcome = try ServerProcess("demo-server", ["new"] + arguments, in: folder.path).outcome()
                #expect(outcome.status == 64)
                #expect(outcome.errors.hasPrefix("Error: "))
                #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
            }
            #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/Clinic") == ["README.md"])
            let made = try ServerProcess("demo-server", ["new", "Desk"], in: folder.path).outcome().withStatus(0)
            #expect(made.output.hasPrefix("Desk has a package now. Next:\n\n    cd Desk\n    swift run desk\n"))
            #expect(FileManager.default.fileExists(atPath: folder.path + "/Desk/Sources/Desk/Desk.swift"))
        }
    }

    @Test(arguments: [["new-routes", ""], ["new", "Clinic", "--folder", ""]])
    func `An empty name of a folder is refused, and the current folder is left alone`(arguments: [String]) async throws
    {
        try await withTemporaryFolder { folder in
            try folder.write("mine", to: "README.md")
            let outcome = try ServerProcess("demo-server", arguments, in: folder.path).outcome().withStatus(64)
            #expect(outcome.errors == "Error: The folder is '': write the name of a new folder.\n")
            #expect(try folder.names() == ["README.md"])
        }
    }

    @Test(arguments: [["new-routes", "Clinic"], ["new", "Clinic"]])
    func `A folder that can't be read is refused, and its files stay`(arguments: [String]) async throws {
        try await withTemporaryFolder { folder in
            for file in ["README.md", "AGENTS.md"] { try folder.write("mine", to: "Clinic/\(file)") }
            let manager = FileManager.default
            try manager.setAttributes([.posixPermissions: 0o300], ofItemAtPath: "\(folder.path)/Clinic")
            // Root may read everything, and finds that the folder isn't empty.
            let advice =
                folder.canRead("Clinic")
                ? "isn't empty: it has AGENTS.md." : "can't be read: name one that this user may read and write."
            let outcome = try ServerProcess("demo-server", arguments, in: folder.path).outcome().withStatus(64)
            #expect(outcome.errors.hasPrefix("Error: The folder 'Clinic' \(advice)"), "\(outcome)")
            try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: "\(folder.path)/Clinic")
            #expect(try folder.names() == ["Clinic"])
            for file in ["README.md", "AGENTS.md"] {
                #expect(try String(contentsOfFile: "\(folder.path)/Clinic/\(file)", encoding: .utf8) == "mine")
            }
        }
    }

    @Test func `The packages to install are those of the repository's own image and make file`() throws {
        for file in ["Dockerfile", "Makefile"] {
            let text = try String(contentsOfFile: "\(Self.root)/\(file)", encoding: .utf8)
            for package in AppTemplate.buildPackages { #expect(text.contains(package), "\(file): \(package)") }
        }
        for file in ["Dockerfile", "Examples/Clinic/Dockerfile"] {
            let text = try String(contentsOfFile: "\(Self.root)/\(file)", encoding: .utf8)
            for package in AppTemplate.runPackages { #expect(text.contains(package), "\(file): \(package)") }
            #expect(text.contains("swift:\(AppTemplate.swift)-"))
        }
    }
}
