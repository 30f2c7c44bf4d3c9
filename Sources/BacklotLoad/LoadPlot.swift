internal import Backlot

/// A plot over time or over percentiles: SVG inside a page, without scripts or external files.
struct LoadPlot {
    /// A line of the plot.
    struct Line {
        let name: String
        /// The line's colour: `a` to `d`.
        let style: Character
        let points: [(x: Double, y: Double)]
    }

    private static let width = 760.0, height = 220.0
    private static let left = 64.0, top = 12.0, right = 12.0, bottom = 28.0
    /// The maximum number of points of a line: more wouldn't be visible.
    static let mostPoints = 600

    let title: String
    let lines: [Line]
    /// The marks on the x axis, with their positions.
    let marks: [(x: Double, text: String)]
    let isLogarithmic: Bool
    let label: (Double) -> String

    /// The plot as an HTML `figure`.
    var html: String {
        let points = lines.flatMap(\.points)
        let lowX = points.map(\.x).min() ?? 0
        let highX = max(points.map(\.x).max() ?? 1, lowX + 1e-9)
        let values = points.map(\.y).filter { $0 > 0 || !isLogarithmic }
        let scale = Scale(values, isLogarithmic: isLogarithmic)
        func x(_ value: Double) -> Double {
            Self.left + (value - lowX) / (highX - lowX) * (Self.width - Self.left - Self.right)
        }
        func y(_ value: Double) -> Double {
            Self.height - Self.bottom - scale.place(value) * (Self.height - Self.top - Self.bottom)
        }
        var svg = ""
        for tick in scale.ticks {
            let place = y(tick).rounded(to: 1)
            svg +=
                #"<path class="grid" d="M\#(Self.left.rounded(to: 0)) \#(place)H\#((Self.width - Self.right).rounded(to: 0))"/>"#
            svg +=
                #"<text class="y" x="\#((Self.left - 6).rounded(to: 0))" y="\#(place)">\#(label(tick).htmlEscaped)</text>"#
        }
        for mark in marks where mark.x >= lowX && mark.x <= highX {
            svg += #"<text class="x" x="\#(x(mark.x).rounded(to: 1))" y="\#((Self.height - 8).rounded(to: 0))">"#
            svg += "\(mark.text.htmlEscaped)</text>"
        }
        for line in lines where !line.points.isEmpty {
            let path = line.points.enumerated().map { index, point in
                "\(index == 0 ? "M" : "L")\(x(point.x).rounded(to: 1)) \(y(point.y).rounded(to: 1))"
            }
            svg += #"<path class="line \#(line.style)" d="\#(path.joined())"/>"#
            if line.points.count == 1, let point = line.points.first {
                svg +=
                    #"<circle class="dot \#(line.style)" cx="\#(x(point.x).rounded(to: 1))" cy="\#(y(point.y).rounded(to: 1))" r="3"/>"#
            }
        }
        svg += tips(x)
        let legend = lines.map { #"<span class="key \#($0.style)">\#($0.name.htmlEscaped)</span>"# }.joined()
        return """
            <figure><figcaption>\(title.htmlEscaped)\(lines.count > 1 ? legend : "")</figcaption>
            <svg viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" role="img" aria-label="\(title.htmlEscaped)">\(svg)</svg></figure>
            """
    }

    /// The tooltips: the values at each position.
    private func tips(_ x: (Double) -> Double) -> String {
        guard let first = lines.max(by: { $0.points.count < $1.points.count })?.points, first.count > 1 else {
            return ""
        }
        let step = max(1, first.count / 200)
        let wide = (Self.width - Self.left - Self.right) / Double(first.count) * Double(step)
        return stride(from: 0, to: first.count, by: step).map { index in
            let values = lines.compactMap { line in
                line.points.indices.contains(index) ? "\(line.name): \(label(line.points[index].y))" : nil
            }
            let place = marks.last { $0.x <= first[index].x }?.text ?? ""
            let at = marks.contains { $0.x == first[index].x } ? place : "\(first[index].x.rounded(to: 1)) s"
            return
                #"<rect class="tip" x="\#((x(first[index].x) - wide / 2).rounded(to: 1))" y="\#(Self.top.rounded(to: 0))" "#
                + #"width="\#(wide.rounded(to: 1))" height="\#((Self.height - Self.top - Self.bottom).rounded(to: 0))">"#
                + "<title>\(([at] + values).joined(separator: "\n").htmlEscaped)</title></rect>"
        }
        .joined()
    }

    /// The scale of the y axis, which maps values to 0 through 1.
    private struct Scale {
        let ticks: [Double]
        private let low: Double
        private let high: Double
        private let isLogarithmic: Bool

        init(_ values: [Double], isLogarithmic: Bool) {
            self.isLogarithmic = isLogarithmic
            let most = values.max() ?? 1
            if isLogarithmic {
                var low = 1e-3
                let least = values.min() ?? 1
                while low * 10 <= least { low *= 10 }
                var high = low * 10
                while high < most { high *= 10 }
                (self.low, self.high) = (low, high)
                var ticks: [Double] = []
                var tick = low
                while tick <= high * 1.001 {
                    ticks.append(tick)
                    tick *= 10
                }
                self.ticks = ticks
            } else {
                var step = 1e-6
                // 1, 2, 5, 10: at most five ticks.
                let factors = [2.0, 2.5, 2.0]
                var next = 0
                while step * 5 < most, step < 1e15 {
                    step *= factors[next % 3]
                    next += 1
                }
                let count = max(1, (most / step).rounded(.up))
                (low, high) = (0, step * count)
                ticks = (0...Int(min(count, 10))).map { Double($0) * step }
            }
        }

        func place(_ value: Double) -> Double {
            guard isLogarithmic else { return min(1, max(0, (value - low) / (high - low))) }
            guard value > low else { return 0 }
            return min(1, Self.log(value / low) / Self.log(high / low))
        }

        /// The logarithm to base 2, precise enough for a plot: the exponent plus a parabola for the significand.
        private static func log(_ value: Double) -> Double {
            let part = value.significand - 1
            return Double(value.exponent) + part + 0.346_6 * part * (1 - part)
        }
    }
}
