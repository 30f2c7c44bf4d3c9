import Floki
import Mustache

/// The pages of stories, by a template of swift-mustache.
struct GazetteTemplate: ItemTemplate {
    private static let text = """
        <!DOCTYPE html>
        <html lang="{{language}}">
        <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{{title}}</title>
        <style>body { font-family: sans-serif; margin: 1em } img { max-width: 100% } .tags { color: gray }</style></head>
        <body><h1>{{title}}</h1>
        {{#image}}<img src="{{image}}" alt="" width="320" height="320">{{/image}}
        {{{content}}}
        {{#share}}<p><a href="{{share}}">{{share}}</a></p>{{/share}}
        </body>
        </html>

        """

    func html(_ page: ItemPage) throws -> String {
        let template = try Self.template.get()
        var values = ["language": page.language, "title": page.title, "content": page.content]
        values["image"] = page.image
        values["share"] = page.shareURL
        return template.render(values)
    }

    private static let template = Result { try MustacheTemplate(string: text) }
}
