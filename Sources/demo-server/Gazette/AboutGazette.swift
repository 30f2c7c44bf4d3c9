/// The web page about the newspaper.
struct AboutGazette {
    let language: String

    var html: String {
        let isSpanish = language == "es"
        let title = isSpanish ? "Acerca de la Gaceta" : "About the Gazette"
        let text =
            isSpanish
            ? "La Gaceta es un periódico de prueba, servido por Backlot."
            : "The Gazette is a sample newspaper, served by Backlot."
        let link = isSpanish ? "Vea el puerto" : "See the harbour"
        return """
            <!DOCTYPE html>
            <html lang="\(language)">
            <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>\(title)</title></head>
            <body><h1>\(title)</h1>
            <p>\(text)</p>
            <p><a href="\(GazetteApp.path)/videos/harbour">\(link)</a></p>
            </body>
            </html>

            """
    }
}
