/// Pages that clients make themselves, so that they never reach the server.
enum ClientPages {
    private static let paths: Set<String> = [
        "/applin_app_error", "/applin_page_not_loaded", "/applin_network_error", "/applin_server_error",
        "/applin_state_load_error", "/applin_user_error",
        // An app may be built without these; by default it has them.
        "/error_details", "/server_status", "/support",
    ]

    static func contains(_ path: String) -> Bool {
        paths.contains(path)
    }
}
