internal import Backlot
internal import BacklotClients
internal import BacklotMocks

/// Writes reconstructed steps as a Swift test.
struct TestSource {
    let traffic: RecordedTraffic
    let options: RecordedTests.Options
    let app: RecordedApp
    private(set) var stable: StableText
    private let secretNames = SecretNames()
    /// The clients in the order of their first steps.
    private(set) var players: [Int] = []
    /// The last expected screen of each client.
    private var screens: [Int: RecordedScreen] = [:]
    /// The texts of each page when a client last showed it.
    private var seenTexts: [String: [String]] = [:]
    /// The constants for pseudonyms, by value.
    private(set) var secrets: [(value: String, name: String)] = []
    private(set) var brokenRules: [String] = []
    var lines: [String] = []
    private(set) var report: [String] = []

    /// The maximum number of a screen's texts that the test expects.
    private static let mostTexts = 2

    init(_ traffic: RecordedTraffic, _ options: RecordedTests.Options, _ app: RecordedApp) {
        self.traffic = traffic
        self.options = options
        self.app = app
        stable = StableText(pseudonyms: options.pseudonyms)
    }

    // MARK: Scenes

    mutating func write(_ rehearsal: FlowReconstruction) {
        brokenRules = rehearsal.brokenRules.sorted()
        let scenes = Self.merged(rehearsal.scenes)
        var steps = 0
        for scene in scenes {
            switch scene {
            case .step(let player, _, _, _, _), .request(let player, _, _):
                if !players.contains(player) { players.append(player) }
            }
        }
        for scene in scenes {
            switch scene {
            case .step(let player, let step, let remark, let screen, let buttons):
                steps += 1
                write(step, of: player, remark, buttons)
                if !step.isEntry { expect(screen, of: player) }
            case .request(let player, let exchange, let remark):
                send(exchange, as: player, remark)
            }
        }
        report.append(
            "\(traffic.exchanges.count.counting("request")) of \(max(1, players.count).counting("client")) became \(steps.counting("step"))"
        )
        let rest = [
            (rehearsal.unexplained, "request", "sent as recorded, since no tap explains it"),
            (rehearsal.leaps, "page", "opened by its path, since nothing led there"),
            (
                rehearsal.decorations, "request",
                "left out, since the test's client shows no pictures, scripts and the like"
            ),
            (rehearsal.foreign, "request", "left out, since it is outside the app's base path \(app.base)"),
        ]
        report += rest.filter { $0.0 > 0 }.map { "\($0.2): \($0.0.counting($0.1))" }
    }

    /// Joins consecutive waits of one client.
    private static func merged(_ scenes: [RecordedAction]) -> [RecordedAction] {
        scenes.reduce(into: []) { merged, scene in
            if case .step(let player, .wait(let more), let remark, let screen, let buttons) = scene,
                case .step(player, .wait(let earlier), remark, _, _)? = merged.last
            {
                merged[merged.count - 1] = .step(
                    player: player,
                    .wait(earlier + more),
                    remark: remark,
                    screen,
                    buttons: buttons
                )
            } else {
                merged.append(scene)
            }
        }
    }

    func name(_ player: Int) -> String {
        players.count > 1 ? "app\((players.firstIndex(of: player) ?? 0) + 1)" : "app"
    }

    private mutating func write(_ step: ClientStep, of player: Int, _ remark: String?, _ buttons: [String]) {
        if !lines.isEmpty, !lastIsEntry { lines.append("") }
        lastIsEntry = step.isEntry
        if let remark { lines.append("// \(remark)") }
        lines.append("try await \(name(player)).\(call(step, of: player, buttons))")
    }

    var lastIsEntry = false

    private mutating func call(_ step: ClientStep, of player: Int, _ buttons: [String]) -> String {
        switch step {
        case .launch(let path?): return "launch(at: \(literal(path)))"
        case .open(let path): return "open(at: \(literal(path)))"
        case .enter(let text, let field, let variable):
            guard !isSecret(text, variable) else {
                return "enter(\(constant(for: text, variable)), into: \(field.swiftLiteral))"
            }
            stable.type(text)
            return step.call
        case .tap(let label, nil):
            guard !stable.isStableLabel(label), let index = buttons.firstIndex(of: label) else { return step.call }
            // The button's text may differ in the next run, but its position doesn't.
            return "tap(\(name(player)).buttons[\(index)])  // in the recording: \(label.swiftLiteral)"
        default: return step.call
        }
    }

    // MARK: Secrets

    private func isSecret(_ text: String, _ variable: String) -> Bool {
        !text.isEmpty && (stable.holdsPseudonym(text) || secretNames.kind(of: variable) != nil)
    }

    /// The other members of the test's type, and its other environment variables.
    private static let takenNames: Set<String> = ["environment", "makeClient", "replay", "routes", "url"]

    /// The name of the constant for a secret.
    mutating func constant(for value: String, _ variable: String) -> String {
        if let known = secrets.first(where: { $0.value == value }) { return "Self.\(known.name.lowerCamelCase)" }
        var base = variable.identifierWords.map { $0.uppercased() }.joined(separator: "_")
        if base.isEmpty || base.first?.isNumber == true { base = "SECRET_\(base)" }
        let taken = Self.takenNames.union(secrets.map { $0.name.lowerCamelCase })
        var (name, number) = (base, 1)
        while taken.contains(name.lowerCamelCase) || name.lowerCamelCase.isSwiftKeyword {
            number += 1
            name = "\(base)_\(number)"
        }
        secrets.append((value, name))
        return "Self.\(name.lowerCamelCase)"
    }

    // MARK: Expectations

    /// Expects the new parts of the screen that are the same in other runs.
    private mutating func expect(_ screen: RecordedScreen, of player: Int) {
        let app = name(player)
        let before = screens[player] ?? RecordedScreen()
        screens[player] = screen
        func expect(_ condition: String) { lines.append("#expect(\(condition))") }
        if let text = screen.clipboard, text != before.clipboard, stable.isStable(text) {
            expect("\(app).clipboard == \(text.swiftLiteral)")
        }
        if screen.launchedURLs.count > before.launchedURLs.count, let url = screen.launchedURLs.last {
            expect(
                stable.isStable(url)
                    ? "\(app).launchedURLs.last == \(url.swiftLiteral)" : "!\(app).launchedURLs.isEmpty"
            )
        }
        if let title = screen.modalTitle {
            if stable.isStable(title) {
                expect("\(app).modal?.title == \(title.swiftLiteral)")
            } else {
                expect("\(app).modal != nil")
            }
            return
        }
        if screen.asksForPhoto { return expect("\(app).asksForPhoto") }
        if let kind = screen.errorKind {
            if let text = screen.errorText, stable.isStable(text), kind == .user || kind == .app {
                expect("\(app).errorText == \(text.swiftLiteral)")
            } else {
                expect("\(app).errorKind == .\(kind.rawValue)")
            }
            // The error's own page doesn't show the app's errors.
            screens[player]?.errors = before.errors
            return
        }
        let hasMoved = screen.stack != before.stack
        if hasMoved || screen.title != before.title, let title = screen.title, stable.isStable(title) {
            expect("\(app).title == \(title.swiftLiteral)")
        }
        if hasMoved {
            if screen.stack.allSatisfy(stable.isStablePath) {
                expect("\(app).stack == [\(screen.stack.map(\.swiftLiteral).joined(separator: ", "))]")
            } else {
                expect("\(app).stack.count == \(screen.stack.count)")
            }
        }
        if screen.errors != before.errors {
            if screen.errors.allSatisfy(stable.isStable) {
                expect(
                    screen.errors.isEmpty
                        ? "\(app).errors.isEmpty"
                        : "\(app).errors == [\(screen.errors.map(\.swiftLiteral).joined(separator: ", "))]"
                )
            } else {
                expect("\(app).errors.count == \(screen.errors.count)")
            }
        }
        let place = "\(player) \(screen.stack.last ?? "")"
        for text in newTexts(screen, before.texts + (seenTexts[place] ?? [])) {
            expect("\(app).texts.contains(\(text.swiftLiteral))")
        }
        seenTexts[place] = screen.texts
    }

    /// The texts that distinguish this screen from the one before it, those with typed text first.
    private func newTexts(_ screen: RecordedScreen, _ known: [String]) -> [String] {
        var seen = Set(known + screen.errors)
        let fresh = screen.texts.filter { stable.isStable($0) && seen.insert($0).inserted }
        let typed = fresh.filter(stable.showsTyped)
        return Array((typed + fresh.filter { !typed.contains($0) }).prefix(Self.mostTexts))
    }
}
