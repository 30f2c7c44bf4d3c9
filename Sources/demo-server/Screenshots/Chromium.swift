import Backlot
import BacklotJSON

/// Chromium without a window and with one page. The DevTools protocol controls it through a pair of pipes, so no port is opened.
final class Chromium {
    /// The longest wait for a response, in milliseconds.
    private static let patience: Int32 = 60_000
    /// The arguments that make pictures reproducible.
    private static let arguments = [
        "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--mute-audio",
        "--font-render-hinting=none", "--disable-lcd-text", "--force-color-profile=srgb",
        "--force-device-scale-factor=1", "about:blank",
    ]
    private static let programs = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    /// The folder of the browser's profile, the browser's process, and the pipes to it.
    private let folder = FileManager.default.temporaryDirectory.appending(path: "backlot-chromium-\(UUID().uuidString)")
    private let process: pid_t
    private let input: Int32
    private let output: Int32
    private var received: [UInt8] = []
    private var lastID: Int64 = 0
    /// The events that have arrived but weren't awaited yet.
    private var events: Set<String> = []
    /// The page's session; nil before the page exists.
    private var session: String?

    /// Starts a program; without a name, the first of the usual ones that is installed.
    init(program: String?) throws {
        guard (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil else {
            throw DriverError("\(folder.path) can't be made: set TMPDIR to a folder that this program may write")
        }
        let pipes = ["\(folder.path)/requests", "\(folder.path)/answers"]
        for pipe in pipes { unsafe mkfifo(pipe, 0o600) }
        func words(_ words: [String]) -> String {
            words.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
        }
        // Chromium's sandbox doesn't work for root, as in most containers.
        let arguments = Self.arguments + ["--user-data-dir=\(folder.path)"] + (getuid() == 0 ? ["--no-sandbox"] : [])
        // Chromium reads the descriptor 3 and writes 4. The shell prints its process id.
        let script = """
            for name in \(words(program.map { [$0] } ?? Self.programs)); do p=$(command -v "$name") && break; done
            test -x "$p" || exit
            "$p" \(words(arguments)) 3<\(words([pipes[0]])) 4>\(words([pipes[1]])) >/dev/null 2>&1 </dev/null & echo $!
            """
        guard let process = Self.number(from: script) else {
            try? FileManager.default.removeItem(at: folder)
            let name = program ?? "Chromium"
            let fix = "install Debian's package chromium, or name the program with --browser"
            throw DriverError("\(name) \(name.contains("/") ? "can't be run" : "isn't installed"): \(fix)")
        }
        self.process = process
        input = unsafe open(pipes[0], O_WRONLY | O_CLOEXEC)
        output = unsafe open(pipes[1], O_RDONLY | O_CLOEXEC)
        // If the browser ends, a write should fail with an error, not end this process with a signal.
        signal(SIGPIPE, SIG_IGN)
    }

    /// The number that a shell script prints.
    private static func number(from script: String) -> pid_t? {
        guard let shell = unsafe popen(script, "r") else { return nil }
        defer { unsafe pclose(shell) }
        var line = [CChar](repeating: 0, count: 32)
        return unsafe fgets(&line, 32, shell) == nil ? nil : unsafe atoi(line)
    }

    /// Ends the browser, and removes its files.
    func stop() {
        // Chromium ends when its requests end, as does a script that has started it. Then its responses end, too.
        close(input)
        // Of the signals, only a further one ends this wait.
        StopSignals.takeAll()
        while (try? message("its end", within: 10_000)) != nil {}
        kill(process, SIGKILL)
        close(output)
        for _ in 0..<20 {
            if (try? FileManager.default.removeItem(at: folder)) != nil { return }
            usleep(100_000)  // the browser's other processes still write
        }
    }

    // MARK: The page

    /// Opens an empty page in a new profile.
    func openPage() throws {
        let context = try call("Target.createBrowserContext")["browserContextId"] ?? .null
        let target = try call("Target.createTarget", ["url": "about:blank", "browserContextId": context])
        let id = target["targetId"] ?? .null
        session = try call("Target.attachToTarget", ["targetId": id, "flatten": true])["sessionId"]?.string
        try call("Page.enable")
        let calm: JSONValue = ["name": "prefers-reduced-motion", "value": "reduce"]
        let light: JSONValue = ["name": "prefers-color-scheme", "value": "light"]
        try call("Emulation.setEmulatedMedia", ["features": [calm, light]])
    }

    /// Sets the size of the window, in pixels.
    func resize(width: JSONNumber, height: JSONNumber) throws {
        try call(
            "Emulation.setDeviceMetricsOverride",
            ["width": .number(width), "height": .number(height), "deviceScaleFactor": 1, "mobile": false]
        )
    }

    /// Opens an address. It is reloaded even if only its fragment differs.
    func load(_ url: String) throws {
        for address in ["about:blank", url] {
            events.remove("Page.loadEventFired")
            if let problem = try call("Page.navigate", ["url": .string(address)])["errorText"]?.string {
                throw DriverError("\(url) can't be opened: \(problem)")
            }
            while events.remove("Page.loadEventFired") == nil { _ = try message("Page.loadEventFired") }
        }
    }

    /// The result of a function in `pictures.js`, after its promise is fulfilled.
    func evaluate(_ call: String) throws -> JSONValue {
        let script = "(() => { \(DemoFiles.text("pictures.js"))\nreturn \(call); })()"
        let response = try self.call(
            "Runtime.evaluate",
            ["expression": .string(script), "awaitPromise": true, "returnByValue": true]
        )
        if let details = response["exceptionDetails"] {
            let text = details["exception"]?["description"]?.string
            throw DriverError("a script failed in Chromium: \(text ?? "\(details)")")
        }
        return response["result"]?["value"] ?? .null
    }

    /// A picture of the window: a PNG, in Base64.
    func picture() throws -> String { try call("Page.captureScreenshot", ["format": "png"])["data"]?.string ?? "" }

    // MARK: Messages

    /// Calls a method.
    @discardableResult
    private func call(_ method: String, _ parameters: JSONValue = [:]) throws -> JSONValue {
        lastID += 1
        var message: JSONObject = ["id": .number(JSONNumber(lastID)), "method": .string(method), "params": parameters]
        if let session { message["sessionId"] = .string(session) }
        var bytes = (JSONValue.object(message).bytes + [0])[...]
        while !bytes.isEmpty {
            let sent = unsafe bytes.withUnsafeBytes { unsafe write(input, $0.baseAddress, $0.count) }
            guard sent > 0 else {
                throw DriverError("Chromium has ended: \(unsafe String(cString: strerror(errno)))")
            }
            bytes = bytes.dropFirst(sent)
        }
        while true {
            let response = try self.message(method)
            guard response["id"]?.number?.int64 == lastID else { continue }
            if let problem = response["error"]?["message"]?.string { throw DriverError("\(method): \(problem)") }
            return response["result"] ?? [:]
        }
    }

    /// The next message; a zero byte ends it. An event is remembered by its name.
    private func message(_ purpose: String, within patience: Int32 = Chromium.patience) throws -> JSONValue {
        var searched = 0
        while true {
            if let end = received[searched...].firstIndex(of: 0) {
                let message = try JSONValue(parsing: Array(received[..<end]))
                received.removeSubrange(...end)
                if let event = message["method"]?.string { events.insert(event) }
                return message
            }
            searched = received.count
            // A signal ends the wait, too.
            var waiting = [output, StopSignals.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard unsafe poll(&waiting, 2, patience) > 0, waiting[1].revents == 0 else {
                throw DriverError("Chromium hasn't come to \(purpose) within \(patience / 1000) seconds")
            }
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(output, $0.baseAddress, $0.count) }
            guard count > 0 else { throw DriverError("Chromium has ended before it came to \(purpose)") }
            received += chunk[..<count]
        }
    }
}

/// The error for a failure of Chromium.
struct DriverError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
