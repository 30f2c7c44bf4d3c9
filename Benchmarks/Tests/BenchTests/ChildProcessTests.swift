import Foundation
import Testing

@testable import bench

@Suite(.timeLimit(.minutes(5))) struct ChildProcessTests {
    private func shell(_ script: String, in workspace: Workspace) throws -> ChildProcess {
        try ChildProcess("sh", executable: Executable.find("sh"), arguments: ["-c", script], in: workspace)
    }

    @Test func `The output holds both streams`() throws {
        let workspace = try Workspace()
        defer { workspace.remove() }
        #expect(try shell("echo one; echo two >&2", in: workspace).finish() == "one\ntwo\n")
    }

    @Test func `A failure has the status and the output`() throws {
        let workspace = try Workspace()
        defer { workspace.remove() }
        let failure = #expect(throws: CheckFailure.self) { try shell("echo broken; exit 3", in: workspace).finish() }
        #expect(failure?.description.contains("status 3") == true)
        #expect(failure?.description.contains("broken") == true)
    }

    @Test func `Waiting for a process that has ended fails`() throws {
        let workspace = try Workspace()
        defer { workspace.remove() }
        let child = try shell("echo early", in: workspace)
        #expect(throws: CheckFailure.self) { try child.wait(atMost: 10) { Int?.none } }
    }

    @Test func `A stop ends the whole tree of processes`() throws {
        let workspace = try Workspace()
        defer { workspace.remove() }
        let child = try shell("trap '' TERM; sleep 100 & wait; sleep 100", in: workspace)
        // The shell ignores SIGTERM, so it has to be forced.
        let tree = try child.wait(atMost: 10) {
            let processes = child.tree.processes()
            return processes.count == 2 ? processes : nil
        }
        child.stop()
        for process in tree {
            #expect(!ProcessTree(root: process.pid).processes().contains { $0.parent == process.parent })
        }
    }
}
