import Floki

/// The texts of the newspaper app.
enum GazetteTexts {
    static let english: KeyValuePairs<TextName, String> = [
        "news": "News", "photos": "Photos", "movie": "Movie of the week", "movieShort": "Movie", "about": "About",
        "town": "Town", "sports": "Sports", "culture": "Culture", "movieText": "The harbour in the morning.",
        .shareNews: "Share this story", .sectionsButton: "",
    ]

    static let spanish: KeyValuePairs<TextName, String> = [
        "news": "Noticias", "photos": "Fotos", "movie": "Película de la semana", "movieShort": "Película",
        "about": "Acerca de", "town": "Ciudad", "sports": "Deportes", "culture": "Cultura",
        "movieText": "El puerto por la mañana.", .shareNews: "Compartir esta noticia", .copyAddress: "Copiar dirección",
        .sendEmail: "Enviar correo", .cancel: "Cancelar",
    ]
}
