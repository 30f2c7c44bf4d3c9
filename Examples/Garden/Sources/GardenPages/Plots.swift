import Foundation

/// A plot of the community garden.
package nonisolated struct Plot: Codable, Equatable, Sendable {
    /// What grows well on it.
    package enum Soil: String, Codable, CaseIterable, Sendable { case sand, clay, loam }

    package var id: Int
    package var name: String
    package var size: Double
    package var soil: Soil
    package var gardener: String?
    package var since: Date?
}

/// What somebody enters to get a plot.
package nonisolated struct NewPlot: Codable, Sendable {
    package var name: String
    package var size: Double
    package var soil: Plot.Soil

    package init(name: String, size: Double, soil: Plot.Soil) {
        self.name = name
        self.size = size
        self.soil = soil
    }
}

/// The plots, in a file of JSON.
package actor Plots {
    private let file: URL?
    private var all: [Plot] = []
    private var listeners: [UUID: AsyncStream<Plot>.Continuation] = [:]

    /// - Parameter path: the file, which need not be there; nil for plots in memory.
    package init(path: String?) throws {
        file = path.map { URL(filePath: $0) }
        guard let file, FileManager.default.fileExists(atPath: file.path) else { return }
        all = try JSONDecoder().decode([Plot].self, from: Data(contentsOf: file))
    }

    package func list(soil: Plot.Soil? = nil) -> [Plot] { all.filter { soil == nil || $0.soil == soil } }

    package func plot(_ id: Int) -> Plot? { all.first { $0.id == id } }

    package func add(_ new: NewPlot) throws -> Plot {
        let id = (all.map(\.id).max() ?? 0) + 1
        let plot = Plot(id: id, name: new.name, size: new.size, soil: new.soil)
        all.append(plot)
        try saved(plot)
        return plot
    }

    /// Gives a free plot to a gardener; nil where it is taken, or isn't there.
    package func take(_ id: Int, by gardener: String) throws -> Plot? {
        guard let index = all.firstIndex(where: { $0.id == id && $0.gardener == nil }) else { return nil }
        all[index].gardener = gardener
        all[index].since = Date()
        try saved(all[index])
        return all[index]
    }

    package func remove(_ id: Int) throws {
        all.removeAll { $0.id == id }
        try write()
    }

    /// Every plot that changes from now on.
    package func changes() -> AsyncStream<Plot> {
        let id = UUID()
        let (changes, listener) = AsyncStream.makeStream(of: Plot.self, bufferingPolicy: .bufferingNewest(100))
        listeners[id] = listener
        listener.onTermination = { _ in Task { await self.forget(id) } }
        return changes
    }

    private func forget(_ id: UUID) { listeners[id] = nil }

    private func saved(_ plot: Plot) throws {
        try write()
        for listener in listeners.values { listener.yield(plot) }
    }

    private func write() throws {
        guard let file else { return }
        try JSONEncoder().encode(all).write(to: file, options: .atomic)
    }
}
