import Applin
import Backlot

/// The pages of notes: to write, to read and change, and to delete one.
extension NotesApp {
    @DemoPageBuilder var notePages: [DemoPage] {
        DemoPage.waiting("/notes/new", "New Note") { request in
            let edit = NoteEdit(try await newNote(of: request))
            return formPage("New Note") {
                edit.field
                formButton("Add") {
                    edit.save
                    pop()
                    poll()
                }
            }
        }
        .misbehaves("Without an account, the response is 403.").unlisted()

        // Leaving the page saves the note.
        DemoPage.waiting("/notes/{id}", "Note") { request in
            let note = try await savedNote(of: request)
            let edit = try await NoteEdit(note, request)
            return formPage("Note") {
                edit.field
                if edit.isOutdated {
                    conflict(edit)
                } else {
                    text("Going back saves the note. Saved last: \(note.changed)")
                }
                leaving(edit)
                deletion(of: note)
            }
            .start {
                backButton {
                    edit.save
                    if mount.dialect == .objects { resetVar(edit.variable.name) }
                    pop()
                    poll()
                }
            }
        }
        .unlisted()
        .targets { app in
            for path in ["/notes/{id}/save/{version}", "/notes/{id}/save/{version}/over/{other}"] {
                app.rpc(path) { try await NoteEdit.save($0, self) }
            }
            app.rpc("/notes/{id}/remove") { request in
                await notes.remove(try await savedNote(of: request).id)
            }
        }

        // Asks before a note is deleted, on a page instead of in a modal.
        DemoPage.waiting("/notes/{id}/delete", "Delete Note") { request in
            let note = try await savedNote(of: request)
            return formPage("Delete Note") {
                text("Delete this note?")
                text(note.title)
                formButton("Delete") {
                    rpc("/notes/\(note.id)/remove")
                    // The page below this one shows the note, which no longer exists.
                    replaceAll("/notes")
                }
                formButton("Keep", pop())
            }
        }
        .only(.documented).unlisted()
    }

    /// The new note that belongs to the client's text, even if another device has saved its draft. Without a text, the user's next
    /// note.
    private func newNote(of request: Request) async throws -> Note {
        let user = try await user(of: request)
        for member in try await request.variables().object.members where member.value != "" {
            let parts = member.key.split(separator: "_")
            if parts.count == 3, let note = await notes.note(String(parts[1])), note.owner == user {
                return Note(id: note.id, owner: user)
            }
        }
        return await notes.draft(of: user)
    }

    /// If another device has saved a text in the meantime: both texts, and the choice between them.
    @WidgetListBuilder private func conflict(_ edit: NoteEdit) -> [any Widget] {
        errorText("This note was changed on another device meanwhile. It says there:")
        text(edit.note.text)
        if edit.isChanged {
            formButton("Keep my text") {
                edit.overwrite
                if mount.dialect == .objects { resetVar(edit.variable.name) }
                pop()
                poll()
            }
        }
    }

    /// A way out when the note can't be saved: a failing rpc keeps the back button from leaving.
    private func leaving(_ edit: NoteEdit) -> any Widget {
        formButton(leaveTitle) {
            if mount.dialect == .objects { resetVar(edit.variable.name) }
            pop()
            poll()
        }
    }

    private func deletion(of note: Note) -> any Widget {
        guard mount.dialect == .objects else {
            return formButton("Delete…", push("/notes/\(note.id)/delete"))
        }
        return formButton("Delete…") {
            modal("Delete this note?") {
                modalButton("Delete", rpc("/notes/\(note.id)/remove"), pop(), poll()).destructive()
                modalButton("Cancel") {}
            }
            .message(note.title)
        }
    }
}

/// One version of a note while somebody edits it.
///
/// Clients keep a variable until it is reset, and show an input's initial value only while its variable is unset. So each version of
/// each note has a separate variable: when a user opens a note, its field shows the backend's text, and never the text of another
/// note.
///
/// A visible field keeps its text, even if a refreshed page has another. So the page keeps naming the version that the user began
/// with: the backend gets the text that the user sees, even after another device has saved the note.
struct NoteEdit {
    /// The current note.
    let note: Note
    /// The version that the user began with.
    let version: Int
    /// The text in the field, if the client has sent it.
    private let text: String?

    /// Creates an edit at its beginning.
    init(_ note: Note) {
        self.note = note
        version = note.version
        text = nil
    }

    /// Creates an edit that continues, if the client sends one.
    init(_ note: Note, _ request: Request) async throws {
        let variables = try await request.variables()
        let prefix = "note_\(note.id)_"
        let version = variables.object.keys.compactMap { name in
            name.hasPrefix(prefix) ? Int(name.dropFirst(prefix.count)) : nil
        }
        .max()
        self.note = note
        self.version = min(version ?? note.version, note.version)
        text = try version.map { try variables.value("\(prefix)\($0)") }
    }

    /// Whether another device has saved another text since the user began.
    var isOutdated: Bool { version < note.version && text != note.text }

    /// Whether the user has changed the text since the edit began.
    var isChanged: Bool { text != note.earlier[version] }

    /// The variable of the text.
    var variable: Variable<String> { Variable("note_\(note.id)_\(version)") }

    /// The field for the text.
    var field: TextField {
        textfield("Text", variable).initialValue(note.text).autoCapitalize(.sentences)
            .maxChars(Note.maximumLength)
    }

    /// Saves the text. If the backend refuses it, the client polls the page, which shows the text that another device has saved.
    var save: RPC { rpc("/notes/\(note.id)/save/\(version)", onUserErrorPoll: true) }

    /// Replaces the text that another device has saved, in the version that the user has seen.
    var overwrite: RPC { rpc("/notes/\(note.id)/save/\(version)/over/\(note.version)", onUserErrorPoll: true) }

    /// Carries out the rpcs `save` and `overwrite`.
    static func save(_ request: Request, _ notesApp: NotesApp) async throws {
        let note = try await notesApp.note(of: request)
        guard let version = request.parameters["version"].flatMap(Int.init) else { throw notesApp.isGone }
        let variable = Variable<String>("note_\(note.id)_\(version)")
        let text = try await request.variables()[variable]
        guard !text.isBlank else { throw UserError("An empty note can't be saved.") }
        // A character may have any number of bytes.
        let (count, bytes, most) = (text.count, text.utf8.count, Note.maximumLength)
        guard count <= most, bytes <= 8 * most else {
            let size = count > most ? "\(count)" : "\(bytes) bytes, and \(8 * most) fit"
            throw UserError("A note has at most \(most) characters; this one has \(size).")
        }
        do throws(NoteError) {
            let other = request.parameters["other"].flatMap(Int.init)
            try await notesApp.notes.save(text, in: note.id, version: other ?? version)
        } catch {
            switch error {
            case .notFound: throw notesApp.isGone
            case .changedMeanwhile:
                throw UserError(
                    """
                    This note was changed on another device meanwhile, so that your text was not saved. \
                    Go back: both texts are there, and you can choose.
                    """
                )
            case .tooMany(let limit): throw UserError("You have \(limit) notes, and no more fit. Delete one first.")
            }
        }
    }
}
