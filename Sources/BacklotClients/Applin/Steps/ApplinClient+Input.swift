internal import Backlot
internal import BacklotJSON

/// Putting something in: texts, choices, photos.
extension ApplinClient {
    /// A photo of one pixel, as JPEG: for tests to which it doesn't matter what it shows.
    public static let samplePhoto: [UInt8] = [
        [0xFF, 0xD8],
        [0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0],
        // A quantization table of ones, a frame of one grey pixel, and two codes: no difference, no more coefficients.
        [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64),
        [0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0],
        [0xFF, 0xC4, 0, 20, 0x00, 1] + [UInt8](repeating: 0, count: 16),
        [0xFF, 0xC4, 0, 20, 0x10, 1] + [UInt8](repeating: 0, count: 16),
        [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x3F],
        [0xFF, 0xD9],
    ]
    .flatMap { $0 }

    /// Replaces the text of a text field. The keys about typing (`allow`, `auto_capitalize`, `max_chars`, `min_chars`,
    /// `max_lines`) only choose a keyboard and a size. Clients send any text, so a backend must check it.
    ///
    /// - Parameters:
    ///   - text: what the field is to hold; it counts as one change.
    ///   - field: the label of the field, or its variable's name.
    /// - Throws: `StepFailure` where there is no such field; `BackendFailure`.
    public func enter(
        _ text: String,
        into field: String,
        file: StaticString = #fileID,
        line: Int = #line
    ) async throws {
        try await step("enter(\(text.cut(to: 60).inQuotes), into: \(field.inQuotes))", file, line) {
            app throws(StepProblem) in
            let widget = try app.input("textfield", field)
            app.state.enter(text, into: widget)
            app.schedulePoll(for: widget)
        }
    }

    /// Chooses an option.
    ///
    /// - Parameters:
    ///   - option: the option, as the page names it.
    ///   - selector: the label of the selector, or the name of the variable that the choice sets. With the label, and several
    ///     choices side by side, the first is meant that has the option.
    /// - Throws: `StepFailure` where there is no such selector or option; `BackendFailure`.
    public func choose(
        _ option: String,
        from selector: String,
        file: StaticString = #fileID,
        line: Int = #line
    ) async throws {
        try await step("choose(\(option.inQuotes), from: \(selector.inQuotes))", file, line) {
            app throws(StepProblem) in
            let widget = try app.input("selector", selector)
            let columns = Array(zip(widget.inputs.map(\.name), widget.columns))
            let meant = columns.filter { widget.label == selector || $0.0 == selector }
            guard let column = meant.first(where: { $0.1.contains(option) }) else {
                throw app.missing("option", option, among: meant.flatMap(\.1))
            }
            app.state.variables[column.0] = .string(option)
            app.schedulePoll(for: widget)
        }
    }

    /// Takes or chooses a photo where the client asks for one, and sends it. Then the client goes on with the actions of what
    /// was tapped.
    ///
    /// - Parameter photo: the photo as JPEG.
    /// - Throws: `StepFailure` where the client doesn't ask for a photo; `BackendFailure`.
    public func uploadPhoto(
        _ photo: [UInt8] = samplePhoto,
        file: StaticString = #fileID,
        line: Int = #line
    ) async throws {
        try await step("uploadPhoto()", file, line) { app throws(StepProblem) in
            let picked = try app.closePhotoPicker()
            do throws(ShownError) {
                try await app.upload(photo, to: picked.url)
            } catch {
                return await app.fail(error, picked.list, nil)
            }
            await app.run(picked.list)
        }
    }

    /// Takes no photo where the client asks for one; the rest of the actions of what was tapped isn't done then.
    ///
    /// - Throws: `StepFailure` where the client doesn't ask for a photo.
    public func cancelPhoto(file: StaticString = #fileID, line: Int = #line) async throws {
        try await step("cancelPhoto()", file, line) { app throws(StepProblem) in
            app.undo(try app.closePhotoPicker().list)
        }
    }

    private func closePhotoPicker() throws(StepProblem) -> AppState.UploadInHand {
        guard case .photoPicker(let picked) = state.layer else {
            throw StepProblem("the client doesn't ask for a photo: tap what has a choose_photo or take_photo first")
        }
        state.layer = .none
        return picked
    }

    /// The input that has a label, or else sets a variable.
    private func input(_ typ: String, _ name: String) throws(StepProblem) -> PageWidget {
        let widgets = try touchablePage().widgets.filter { $0.typ == typ }
        let named = widgets.filter { $0.label == name }
        guard named.count < 2 else {
            let names = named.flatMap(\.inputs).map(\.name.inQuotes).joined(separator: ", ")
            throw StepProblem("\(named.count) inputs are called \(name.inQuotes): say their variable (\(names))")
        }
        if let widget = named.first ?? widgets.first(where: { $0.inputs.contains { $0.name == name } }) {
            return widget
        }
        throw missing(typ, name, among: widgets.flatMap { [$0.label ?? ""] + $0.inputs.map(\.name) })
    }

    /// Asks for a refresh of the page where an input wants one after a change.
    func schedulePoll(for widget: PageWidget) {
        guard let delay = widget.pollDelay else { return }
        state.polls.schedule(after: delay, now: state.now)
    }
}
