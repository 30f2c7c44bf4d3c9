extension Schema {
    /// What a stop_actions accepts.
    ///
    /// It has no string form.
    static let stopActions = Schema("stop_actions", dialects: [.objects])
}
