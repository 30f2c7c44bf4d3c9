import Backlot
import Foundation
import TestSupport
import Testing

/// A library that is loaded before the program, as libfaketime is.
@Suite(.timeLimit(.minutes(5))) struct PreloadTests {
    /// It moves the environment before Swift looks for the command line beside it.
    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <stdio.h>
        #include <stdlib.h>

        FILE *fopen(const char *path, const char *mode) {
            setenv("MOVED", "1", 1);
            FILE *(*next)(const char *, const char *) = dlsym(RTLD_NEXT, "fopen");
            return next(path, mode);
        }
        """

    #if os(Linux)
    @Test func `Options count where a library has moved the environment`() async throws {
        try await withTemporaryFolder { folder in
            try folder.write(Self.source, to: "moves.c")
            try folder.write("1", to: "Routes/a.get.json")
            let library = "\(folder.path)/moves.so"
            let compiler = try Process.run(
                URL(filePath: "/usr/bin/env"),
                arguments: ["cc", "-shared", "-fPIC", "-o", library, "\(folder.path)/moves.c", "-ldl"]
            )
            compiler.waitUntilExit()
            #expect(compiler.terminationStatus == 0)
            // In a run under a sanitizer, the program needs the sanitizer's library too.
            let others = ProcessInfo.processInfo.environment["LD_PRELOAD"].map { ":\($0)" } ?? ""
            let environment = ["LD_PRELOAD": library + others]
            let arguments = ["mock", "--routes", "\(folder.path)/Routes", "--port", "0", "--log-level", "critical"]
            let server = try ServerProcess("demo-server", arguments, environment: environment)
            let address = try #require(server.address())
            #expect(address.port != 8080)
            #expect(try await address.exchange(.http1, "/a").text == "1")
            server.signal(SIGTERM)
            #expect(server.outcome().status == 0)
            // An empty argument is one.
            let wrong = try ServerProcess("demo-server", ["--port", ""], environment: environment).outcome()
            #expect(wrong.status != 0 && wrong.errors.contains("--port"), "\(wrong.errors)")
        }
    }
    #endif
}
