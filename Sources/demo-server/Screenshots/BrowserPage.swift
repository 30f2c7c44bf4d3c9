import BacklotJSON

/// A page in Chromium.
struct BrowserPage {
    private let chromium: Chromium
    private let session: String

    /// An empty page in a profile that knows nothing of others.
    init(_ chromium: Chromium) throws {
        self.chromium = chromium
        let context = try chromium.call("Target.createBrowserContext")["browserContextId"] ?? .null
        let target = try chromium.call("Target.createTarget", ["url": "about:blank", "browserContextId": context])
        let attached = try chromium.call(
            "Target.attachToTarget",
            ["targetId": target["targetId"] ?? .null, "flatten": true]
        )
        guard let session = attached["sessionId"]?.string else {
            throw Chromium.Problem(description: "Chromium gives no session for a page")
        }
        self.session = session
        try call("Page.enable")
        let calm: JSONValue = ["name": "prefers-reduced-motion", "value": "reduce"]
        let light: JSONValue = ["name": "prefers-color-scheme", "value": "light"]
        try call("Emulation.setEmulatedMedia", ["features": [calm, light]])
    }

    @discardableResult
    private func call(_ method: String, _ parameters: JSONValue = [:]) throws -> JSONValue {
        try chromium.call(method, parameters, session: session)
    }

    /// Makes the window so large, in pixels.
    func resize(width: Int64, height: Int64) throws {
        try call(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .number(JSONNumber(width)), "height": .number(JSONNumber(height)), "deviceScaleFactor": 1,
                "mobile": false,
            ]
        )
    }

    /// Opens an address. An address that differs in its fragment alone is loaded anew too.
    func open(_ url: String) throws {
        for address in ["about:blank", url] {
            chromium.forget("Page.loadEventFired")
            let answer = try call("Page.navigate", ["url": .string(address)])
            if let problem = answer["errorText"]?.string {
                throw Chromium.Problem(description: "\(url) can't be opened: \(problem)")
            }
            try chromium.wait(for: "Page.loadEventFired")
        }
    }

    /// What a script gives, once its promise is kept.
    func evaluate(_ script: String) throws -> JSONValue {
        let answer = try call(
            "Runtime.evaluate",
            ["expression": .string(script), "awaitPromise": true, "returnByValue": true]
        )
        if let details = answer["exceptionDetails"] {
            let text = details["exception"]?["description"]?.string ?? details["text"]?.string ?? "unknown"
            throw Chromium.Problem(description: "a script failed in Chromium: \(text)")
        }
        return answer["result"]?["value"] ?? .null
    }

    /// A picture of the window: a PNG, in Base64.
    func picture() throws -> String {
        guard let data = try call("Page.captureScreenshot", ["format": "png"])["data"]?.string else {
            throw Chromium.Problem(description: "Chromium gives no picture")
        }
        return data
    }
}
