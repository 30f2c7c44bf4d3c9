internal import Backlot
internal import BacklotClients

extension LoadReport {
    /// The report as a page of tables and plots. It needs no network and contains no script.
    public var html: String {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Load: \("\(url)".htmlEscaped)</title>
        <style>\(Self.style)</style></head><body><main>
        <h1>\("\(url)".htmlEscaped)</h1>
        <p>\(summary.htmlEscaped)</p>
        \(unreachable == nil ? figuresHTML : "")
        \(findingsHTML)
        \(unreachable == nil ? (plots.map(\.html) + [stepsHTML]).joined(separator: "\n") : "")
        </main></body></html>

        """
    }

    private var summary: String {
        if let unreachable { return "The server can't be reached: \(unreachable)." }
        let flows = flows.joined(separator: ", ").cut(to: 200)
        let ending =
            switch end {
            case .time: ""
            case .abort: " Ended early: \(options.abort?.description ?? "")."
            case .interrupted: " Interrupted."
            }
        return "\(phones.grouped) phones for \(duration.inSeconds.rounded(to: 1)) s: \(flows).\(ending) "
            + (unlaunched.map { "\($0) " } ?? "")
            + "A request's latency counts from the time at which it was to begin."
    }

    private var figuresHTML: String {
        var cards = [
            ("Requests a second", requestsPerSecond.rounded(to: requestsPerSecond < 100 ? 1 : 0)),
            ("Requests", requests.grouped), ("Errors", errors.grouped),
            ("p50", "\(latency.percentile(50).milliseconds) ms"), ("p99", "\(latency.percentile(99).milliseconds) ms"),
            ("p99.9", "\(latency.percentile(99.9).milliseconds) ms"), ("Longest", "\(latency.max.milliseconds) ms"),
            ("Received", bytesReceived.bytes),
        ]
        if let serverSeconds { cards.append(("Server's processor", "\(serverSeconds.rounded(to: 1)) s")) }
        if let serverMemory { cards.append(("Server's memory", serverMemory.bytes)) }
        cards.append(("Sent late (p99)", "\(lateness.percentile(99).milliseconds) ms"))
        return "<dl>" + cards.map { "<div><dt>\($0.htmlEscaped)</dt><dd>\($1.htmlEscaped)</dd></div>" }.joined()
            + "</dl>"
    }

    private var findingsHTML: String {
        guard !findings.isEmpty else { return "" }
        let rows = findings.prefix(100).map { finding in
            [finding.severity.rawValue, "\(finding.path)", "\(finding.message) \(finding.fix)", finding.rule]
        }
        return "<h2>Findings</h2>" + Self.table(["", "Where", "What", "Rule"], rows, textColumns: 4)
    }

    private var stepsHTML: String {
        func row(_ name: String, _ errors: Int, _ latency: Latency) -> [String] {
            [name, latency.count.grouped, errors.grouped] + Self.percentiles.map { latency.percentile($0).milliseconds }
                + [latency.max.milliseconds]
        }
        let rows = [row("all requests", errors, latency)] + steps.map { row($0.name, $0.errors, $0.latency) }
        let head = ["Latency in ms", "Count", "Errors"] + Self.percentiles.map { "p\($0.short)" } + ["max"]
        return "<h2>Steps</h2>" + Self.table(head, rows, textColumns: 1)
    }

    private static func table(_ head: [String], _ rows: [[String]], textColumns: Int) -> String {
        func cells(_ row: [String], _ tag: String) -> String {
            row.enumerated().map { column, text in
                "<\(tag)\(column < textColumns ? " class=\"t\"" : "")>\(text.htmlEscaped)</\(tag)>"
            }
            .joined()
        }
        let body = rows.map { "<tr>\(cells($0, "td"))</tr>" }.joined(separator: "\n")
        return
            "<div class=\"wide\"><table><thead><tr>\(cells(head, "th"))</tr></thead><tbody>\n\(body)\n</tbody></table></div>"
    }

    // MARK: Plots

    private var plots: [LoadPlot] {
        let marks = timeMarks
        func line(_ name: String, _ style: Character, _ value: (LoadProgress) -> Double?) -> LoadPlot.Line {
            let step = max(1, (seconds.count + LoadPlot.mostPoints - 1) / LoadPlot.mostPoints)
            let points = stride(from: 0, to: seconds.count, by: step).compactMap { start -> (x: Double, y: Double)? in
                // The largest value of each group, so that every peak stays visible.
                let group = seconds[start..<min(start + step, seconds.count)]
                guard let most = group.compactMap(value).max() else { return nil }
                return (group[group.startIndex].elapsed.inSeconds, most)
            }
            return LoadPlot.Line(name: name, style: style, points: points)
        }
        func plot(
            _ title: String,
            _ lines: [LoadPlot.Line],
            log: Bool = false,
            _ label: @escaping (Double) -> String
        ) -> LoadPlot {
            LoadPlot(title: title, lines: lines, marks: marks, isLogarithmic: log, label: label)
        }
        let number = { (value: Double) in value < 10 ? value.short : Int(min(value, 1e15)).grouped }
        var plots = [
            plot(
                "Latency, ms",
                [
                    line("longest", "d") { $0.max > 0 ? $0.max : nil },
                    line("p99", "b") { $0.max > 0 ? $0.p99 : nil },
                    line("p50", "a") { $0.max > 0 ? $0.p50 : nil },
                ],
                log: true
            ) { $0.short },
            plot(
                "Requests a second",
                [
                    line("answered", "a") { $0.requestsPerSecond },
                    line("errors", "d") { Double($0.errors) / max($0.length, 0.001) },
                ],
                number
            ),
            plot(
                "Phones",
                [
                    line("launched", "a") { Double($0.phones) }, line("requests under way", "b") { Double($0.running) },
                    line("waiting for a connection", "d") { Double($0.waiting) },
                ],
                number
            ),
            percentilePlot,
        ]
        if seconds.contains(where: { $0.serverProcessors != nil }) {
            plots.append(
                plot("The server's processors in use", [line("processors", "c") { $0.serverProcessors }]) { $0.short }
            )
        }
        if seconds.contains(where: { $0.serverMemory != nil }) {
            plots.append(
                plot(
                    "The server's memory, MB",
                    [line("memory", "c") { $0.serverMemory.map { Double($0) / 1e6 } }],
                    number
                )
            )
        }
        return plots
    }

    private var timeMarks: [(x: Double, text: String)] {
        let last = seconds.last?.elapsed.inSeconds ?? 1
        let step =
            [1.0, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14_400].first { last / $0 <= 8 } ?? 28_800
        return (0...8).map { Double($0) * step }.map { time in
            (time, step < 60 ? "\(Int(time)) s" : "\((time / 60).short) min")
        }
    }

    /// The latencies by percentile: along the axis, each step leaves fewer of the slowest requests.
    private var percentilePlot: LoadPlot {
        let percents = [10.0, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99, 100]
        let points = percents.enumerated().map { (x: Double($0.offset), y: latency.percentile($0.element)) }
        return LoadPlot(
            title: "Latency by percentile, ms",
            lines: [LoadPlot.Line(name: "all requests", style: "a", points: latency.count > 0 ? points : [])],
            marks: percents.enumerated().map {
                (Double($0.offset), $0.element == 100 ? "max" : "p\($0.element.short)")
            },
            isLogarithmic: true
        ) { $0.short }
    }

    private static let style = """
        :root{color-scheme:light dark;--ink:#1b1f24;--soft:#57606a;--grid:#d8dee4;--page:#fff;--card:#f6f8fa;--a:#0969da;--b:#bc4c00;--c:#1a7f37;--d:#cf222e}
        @media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9aa4ae;--grid:#30363d;--page:#0d1117;--card:#161b22;--a:#58a6ff;--b:#f0883e;--c:#56d364;--d:#ff7b72}}
        body{margin:0;background:var(--page);color:var(--ink);font:15px/1.45 system-ui,sans-serif}
        main{max-width:820px;margin:0 auto;padding:24px 16px}
        h1{font-size:22px;margin:0 0 4px;overflow-wrap:anywhere}h2{font-size:17px;margin:28px 0 8px}p{margin:0 0 16px;color:var(--soft)}
        dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(140px,1fr));gap:8px;margin:0 0 16px}
        dl div{background:var(--card);border-radius:8px;padding:8px 12px}dt{color:var(--soft);font-size:13px}dd{margin:0;font-size:19px;font-variant-numeric:tabular-nums}
        figure{margin:20px 0}figcaption{font-weight:600;margin-bottom:4px}svg{width:100%;height:auto;display:block}
        .grid{stroke:var(--grid);stroke-width:1}text{fill:var(--soft);font-size:11px}.y{text-anchor:end;dominant-baseline:middle}.x{text-anchor:middle}
        .line{fill:none;stroke-width:1.75;stroke-linejoin:round}.tip{fill:transparent}.tip:hover{fill:var(--grid);fill-opacity:.4}
        .line.a{stroke:var(--a)}.line.b{stroke:var(--b)}.line.c{stroke:var(--c)}.line.d{stroke:var(--d)}
        .dot.a{fill:var(--a)}.dot.b{fill:var(--b)}.dot.c{fill:var(--c)}.dot.d{fill:var(--d)}
        .key{font-weight:400;color:var(--soft);font-size:13px;margin-left:14px}.key:before{content:"";display:inline-block;width:14px;height:3px;margin-right:5px;vertical-align:middle}
        .key.a:before{background:var(--a)}.key.b:before{background:var(--b)}.key.c:before{background:var(--c)}.key.d:before{background:var(--d)}
        .wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:13px;font-variant-numeric:tabular-nums}
        th,td{padding:5px 8px;text-align:right;border-bottom:1px solid var(--grid);white-space:nowrap}th{color:var(--soft);font-weight:600}
        td.t:last-child:not(:first-child){white-space:nowrap}.t{text-align:left;white-space:normal;overflow-wrap:anywhere;min-width:60px}
        """
}
