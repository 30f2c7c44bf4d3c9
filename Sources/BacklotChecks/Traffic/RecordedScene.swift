internal import BacklotClients

/// What a test sees of a client's screen.
struct RecordedScreen: Equatable {
    var title: String?
    var stack: [String] = []
    var texts: [String] = []
    var errors: [String] = []
    var errorKind: ShownErrorKind?
    var errorText: String?
    var modalTitle: String?
    var asksForPhoto = false
    var clipboard: String?
    var launchedURLs: [String] = []

    init() {}

    init(_ app: ApplinClient) {
        title = app.title
        stack = app.stack
        texts = app.texts
        errors = app.errors
        errorKind = app.errorKind
        errorText = app.errorText
        modalTitle = app.modal?.title
        asksForPhoto = app.asksForPhoto
        clipboard = app.clipboard
        launchedURLs = app.launchedURLs
    }
}

/// What a test does, in its order.
enum RecordedScene {
    /// A step, why the client is thought to have done it where no tap explains it, and the screen after it.
    case step(player: Int, ClientStep, remark: String?, RecordedScreen, buttons: [String])
    /// A request that nothing explains.
    case request(player: Int, exchange: Int, remark: String)
}
