import Applin
import Backlot

/// A page that is made of nothing that has to be waited for.
protocol ReadyPage: DemoPage {
    /// Makes the page.
    func page(_ request: Request) throws -> any Page
}

extension ReadyPage {
    func add(to app: ApplinApp) {
        app.pageAtOnce(path, samples: samples, unchecked: misbehaviour) { try page($0) }
    }
}

/// A page that shows something of the session.
protocol SessionPage: DemoPage {
    /// Makes the page.
    func page(_ request: Request, _ session: Session) throws -> any Page
}

extension SessionPage {
    func add(to app: ApplinApp) {
        app.pageAtOnce(path, samples: samples, unchecked: misbehaviour) { try page($0, $1) }
    }
}

/// A page that shows something of what clients send when they refresh it.
protocol RefreshedPage: DemoPage {
    /// What the page takes of that.
    associatedtype Sent: Sendable

    /// Reads it.
    func read(_ request: Request) async throws -> Sent

    /// Makes the page; of nothing when a client loads it.
    func page(_ sent: Sent?) throws -> any Page
}

extension RefreshedPage {
    func add(to app: ApplinApp) {
        app.page(path, samples: samples, unchecked: misbehaviour, reading: { try await read($0) }) { sent, _ in
            try page(sent)
        }
    }
}

extension RefreshedPage where Sent == Variables {
    func read(_ request: Request) async throws -> Variables { try await request.variables() }
}

/// A page that waits for others: for the demo's stores, which all requests share.
protocol WaitingPage: DemoPage {
    /// Makes the page.
    func page(_ request: Request) async throws -> any Page
}

extension WaitingPage {
    func add(to app: ApplinApp) {
        app.page(path, samples: samples, unchecked: misbehaviour) { try await page($0) }
    }
}
