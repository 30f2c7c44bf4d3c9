import Backlot
import Testing

@testable import Floki

/// Each thing that is refused or warned of, and beside it what is fine.
@Suite(.timeLimit(.minutes(5))) struct RuleTests {
    struct Case: Sendable, CustomStringConvertible {
        let json: String
        /// The rules that complain, in their order.
        let rules: [String]
        /// The JSON pointer of the first finding; nil to accept any.
        var pointer: String?

        var description: String { "\(rules) \(json)" }
    }

    private static func tab(_ members: String, _ rules: [String] = [], _ pointer: String? = nil) -> Case {
        let usual = #"{"long_title":1,"unique_id":1,"class_type":"Web_view_controller","data":{"main_url":"u"}}"#
        // Members that are given replace the usual ones.
        guard var object = try? JSONValue(parsing: usual).object, let own = try? JSONValue(parsing: members).object
        else {
            return Case(json: members, rules: ["this is not JSON"])
        }
        for member in own.members { object[member.key] = member.value.isNull ? nil : member.value }
        return app(JSONValue.object(object).description, rules, pointer)
    }

    private static func app(_ tabs: String, _ rules: [String] = [], _ pointer: String? = nil) -> Case {
        Case(json: #"{"tabs":[\#(tabs)],"langs":[{"en":{"1":"a"}}]}"#, rules: rules, pointer: pointer)
    }

    /// A tab with a text that every app has.
    private static let aTab =
        #"{"long_title":10004,"unique_id":1,"class_type":"Web_view_controller","data":{"main_url":"u"}}"#

    private static func misc(_ json: String, _ rules: [String] = [], _ pointer: String? = nil) -> Case {
        Case(json: #"{"tabs":[\#(aTab)],"langs":[{"en":{}}],"misc":\#(json)}"#, rules: rules, pointer: pointer)
    }

    private static func langs(_ langs: String, _ rules: [String] = [], _ pointer: String? = nil) -> Case {
        Case(json: #"{"tabs":[\#(aTab)],"langs":[\#(langs)]}"#, rules: rules, pointer: pointer)
    }

    private static func data(_ kind: String, _ members: String, _ rules: [String] = [], _ key: String? = nil) -> Case {
        let data = #"{"main_url":"u"\#(members.isEmpty ? "" : ",\(members)")}"#
        let json = #"{"class_type":"\#(kind)_view_controller","data":\#(data)}"#
        return tab(json, rules, key.map { "/tabs/0/data/\($0)" })
    }

    private static func item(_ members: String, _ rules: [String] = [], _ key: String? = nil) -> Case {
        let usual = #"{"id":1,"title":"","body":""}"#
        guard var object = try? JSONValue(parsing: usual).object, let own = try? JSONValue(parsing: members).object
        else {
            return Case(json: members, rules: ["this is not JSON"])
        }
        for member in own.members { object[member.key] = member.value.isNull ? nil : member.value }
        return Case(
            json: #"{"items":[\#(JSONValue.object(object))]}"#,
            rules: rules,
            pointer: key.map { $0.isEmpty ? "/items/0" : "/items/0/\($0)" }
        )
    }

    private static func thumb(_ members: String, _ rules: [String] = [], _ key: String? = nil) -> Case {
        let usual = #"{"id":1,"title":"","url":"u","image":"i","width":1,"height":1}"#
        guard var object = try? JSONValue(parsing: usual).object, let own = try? JSONValue(parsing: members).object
        else {
            return Case(json: members, rules: ["this is not JSON"])
        }
        for member in own.members { object[member.key] = member.value.isNull ? nil : member.value }
        return Case(
            json: #"{"thumbs":[\#(JSONValue.object(object))]}"#,
            rules: rules,
            pointer: key.map { $0.isEmpty ? "/thumbs/0" : "/thumbs/0/\($0)" }
        )
    }

    static let indicators: [Case] = [
        Case(json: #"{"v":1,"url":"http://a.b/c","ttl":1}"#, rules: []),
        Case(json: #"{"v":2147483647,"url":"https://a.b/c","ttl":2147483647}"#, rules: []),
        Case(json: #"{"v":0,"url":"http://a.b/c","ttl":1}"#, rules: ["number-out-of-range"], pointer: "/v"),
        Case(json: #"{"v":1.5,"url":"http://a.b/c","ttl":1}"#, rules: ["number-out-of-range"], pointer: "/v"),
        Case(json: #"{"v":1,"url":"http://a.b/c","ttl":0}"#, rules: ["ttl-out-of-range"], pointer: "/ttl"),
        Case(json: #"{"v":1,"url":"http://a.b/c","ttl":2147483648}"#, rules: ["ttl-overflow"], pointer: "/ttl"),
        Case(json: #"{"v":1,"url":"http://a.b/c","ttl":2147483649}"#, rules: ["ttl-out-of-range"], pointer: "/ttl"),
        Case(json: #"{"v":1,"url":"http://a-b.c/d-e","ttl":1}"#, rules: ["hyphen-in-host"], pointer: "/url"),
        Case(json: #"{"v":1,"url":"http://a.b/d-e","ttl":1}"#, rules: []),
        Case(json: #"{"v":1,"url":"/c","ttl":1}"#, rules: ["relative-url"], pointer: "/url"),
        Case(json: #"{"v":1}"#, rules: ["missing-key", "ttl-out-of-range"], pointer: ""),
        Case(json: #"{"ttl":"1","url":1}"#, rules: ["missing-key", "ttl-out-of-range", "wrong-type"], pointer: ""),
        Case(json: "[]", rules: ["unknown-document"], pointer: ""),
        Case(json: "{}", rules: ["unknown-document"], pointer: ""),
    ]

    static let apps: [Case] = [
        tab("{}"),
        tab(#"{"long_title":null}"#, ["missing-key"], "/tabs/0"),
        tab(#"{"long_title":2}"#, ["unknown-text"], "/tabs/0/long_title"),
        tab(#"{"long_title":10004}"#),
        tab(#"{"long_title":"1"}"#, ["wrong-type"], "/tabs/0/long_title"),
        tab(#"{"short_title":7}"#, ["unknown-text"], "/tabs/0/short_title"),
        tab(#"{"unique_id":0}"#, ["malformed-unique-id"], "/tabs/0/unique_id"),
        tab(#"{"unique_id":-1}"#, ["malformed-unique-id"]),
        tab(#"{"unique_id":null}"#, ["malformed-unique-id"], "/tabs/0"),
        tab(#"{"unique_id":2147483648}"#, ["malformed-unique-id"]),
        tab(#"{"tab_image":"iVBORw0KGgo="}"#),
        tab(#"{"tab_image":"iVBORw0K\nGgo="}"#, ["malformed-base64"], "/tabs/0/tab_image"),
        tab(#"{"tab_image":"iVBORw0KGgo"}"#, ["malformed-base64"]),
        tab(#"{"tab_image":"ab-_"}"#, ["malformed-base64"]),
        tab(#"{"class_type":"Item_view_controller"}"#, ["unknown-class-type"], "/tabs/0/class_type"),
        tab(#"{"class_type":"Photo_view_controller"}"#, ["unknown-class-type"]),
        tab(#"{"class_type":"Nothing"}"#, ["unknown-class-type"]),
        tab(#"{"class_type":null}"#, ["unknown-class-type"], "/tabs/0"),
        tab(#"{"class_type":"Preferences_view_controller","data":{}}"#, ["preferences-tab"], "/tabs/0/class_type"),
        tab(#"{"data":null}"#, ["missing-key"], "/tabs/0"),
        tab(#"{"data":{}}"#, ["missing-key"], "/tabs/0/data"),
        tab(#"{"data":{"main_url":"http://a.b/ü/"}}"#, ["raw-character-in-url"], "/tabs/0/data/main_url"),
        app("1", ["wrong-type"], "/tabs/0"),
        app("", ["wrong-count"], "/tabs"),
        langs(#"{"en":{"1":"a","10000":"b"}},{"es":{"1":"b","10000":"c"}}"#),
        langs("", ["wrong-count"], "/langs"),
        langs(#"{"en":{"1":"a"}},{"es":{}}"#, ["incomplete-language"], "/langs/1/es"),
        langs(#"{"en":{"1":"a"}},{"es":{"1":"a","2":"b"}}"#, ["text-not-in-master"], "/langs/1/es/2"),
        langs(#"{"en":{"01":"a"}}"#, ["malformed-text-number"], "/langs/0/en/01"),
        langs(#"{"en":{"0":"a"}}"#, ["malformed-text-number"]),
        langs(#"{"en":{"x":"a"}}"#, ["malformed-text-number"]),
        langs(#"{"en":{"10016":"a"}}"#),
        langs(#"{"en":{"10017":"a"}}"#, ["reserved-text-number"], "/langs/0/en/10017"),
        langs(#"{"en":{"1":5}}"#, ["wrong-type"], "/langs/0/en/1"),
        langs(#"{"eng":{"1":"a"}}"#, ["three-letter-language"], "/langs/0"),
        langs(#"{"engl":{"1":"a"}}"#, ["malformed-language-code"], "/langs/0"),
        langs(#"{"EN":{"1":"a"}}"#, ["malformed-language-code"], "/langs/0"),
        langs(#"{"en":{},"es":{}}"#, ["malformed-language"], "/langs/0"),
        langs(#""en""#, ["wrong-type"], "/langs/0"),
        langs(#"{"en":{}},{"en":{}}"#, ["duplicate-language"], "/langs/1"),
        misc(#"{"delete_disk_cache":["a"]}"#),
        misc(#"{"slash_scaled_images":["a",1]}"#, ["wrong-type"], "/misc/slash_scaled_images/1"),
        misc("[]", ["wrong-type"], "/misc"),
        Case(json: #"{"tabs":[\#(aTab)]}"#, rules: ["missing-key"], pointer: ""),
        Case(json: #"{"langs":[{"en":{}}]}"#, rules: ["missing-key"], pointer: ""),
    ]

    static let controllers: [Case] = [
        data("News", ""),
        data("News", #""padding":1,"row_height":1,"title_size":1,"cache_size":1,"ttl":1,"section_title_padding":0"#),
        data("News", #""padding":0"#, ["number-out-of-range"], "padding"),
        data("News", #""row_height":0"#, ["number-out-of-range"], "row_height"),
        data("News", #""title_lines":0"#, ["number-out-of-range"], "title_lines"),
        data("News", #""text_size":-1"#, ["number-out-of-range"], "text_size"),
        data("News", #""cache_size":0"#, ["number-out-of-range"], "cache_size"),
        data("News", #""ttl":0"#, ["ttl-out-of-range"], "ttl"),
        data("News", #""ttl":2147483648"#, ["ttl-out-of-range"], "ttl"),
        data("News", #""section_title_padding":320"#, ["number-out-of-range"], "section_title_padding"),
        data("News", #""section_title_padding":-1"#, ["number-out-of-range"], "section_title_padding"),
        data("News", #""image_size":[30,40]"#),
        data("News", #""image_size":[30]"#, ["wrong-count"], "image_size"),
        data("News", #""image_size":[30,0]"#, ["number-out-of-range"], "image_size/1"),
        data("News", #""image_size":30"#, ["wrong-type"], "image_size"),
        data("News", #""title_color":[0,255,0]"#),
        data("News", #""title_color":[0,255]"#, ["malformed-color"], "title_color"),
        data("News", #""title_color":[0,255,0,0]"#, ["malformed-color"], "title_color"),
        data("News", #""text_color":[0,256,0]"#, ["malformed-color"], "text_color/1"),
        data("News", #""text_color":[0,-1,0]"#, ["malformed-color"], "text_color/1"),
        data("News", #""footer_color":[0,1.5,0]"#, ["malformed-color"], "footer_color/1"),
        data("News", #""section_expanded_back_color":"red""#, ["malformed-color"], "section_expanded_back_color"),
        data("News", #""allow_manual_reload":1"#, ["wrong-type"], "allow_manual_reload"),
        data("News", #""item_disclosure":"*""#, ["malformed-base64"], "item_disclosure"),
        data("News", #""search_bar":"http://a.b/_LNG_/s?q=_WORDS_&p=_PAGE_""#),
        data("News", #""search_bar":"http://a.b/s?p=_PAGE_""#, ["missing-placeholder"], "search_bar"),
        data("News", #""search_bar":"http://a.b/s?q=_WORDS_""#, ["missing-placeholder"], "search_bar"),
        data("News", #""search_bar":["a"]"#, ["wrong-type"], "search_bar"),
        data("News", #""tags_url":["http://a.b/_WORDS_/_PAGE_"]"#, ["wrong-type"], "tags_url"),
        data("News", #""tags_url":"http://a.b/_WORDS_""#, ["missing-placeholder"], "tags_url"),
        data("News", #""videos_url":"http://a.b/_WORDS_""#),
        data("News", #""videos_url":"http://a.b/""#, ["missing-placeholder"], "videos_url"),
        data("News", #""tags_regex":["a/(b)","(?:x)(y)"]"#),
        data("News", #""tags_regex":"a/(b)""#, ["wrong-type"], "tags_regex"),
        data("News", #""tags_regex":["a/(b)",1]"#, ["wrong-type"], "tags_regex/1"),
        data("News", #""tags_regex":["a"]"#, ["regex-without-group"], "tags_regex/0"),
        data("News", #""tags_regex":["(a)","("]"#, ["malformed-regex"], "tags_regex/1"),
        data("News", #""tags_regex":["([a-z&&[^b]]+)","(?<=/)([a-z]+)"]"#),
        data("News", #""videos_regex":["(a)(b)"]"#, ["many-regex-groups"], "videos_regex/0"),
        data("Gallery", ""),
        data("Gallery", #""padding":39,"row_height":79,"cells_per_row":1"#),
        data("Gallery", #""padding":40,"row_height":80"#, ["gallery-padding"], "padding"),
        data("Gallery", #""padding":40"#, ["gallery-padding"], "padding"),
        data("Gallery", #""row_height":4"#, ["gallery-padding"], "row_height"),
        data("Gallery", #""padding":0"#, ["gallery-padding"], "padding"),
        data("Gallery", #""cells_per_row":80"#, ["gallery-width"], "cells_per_row"),
        data("Gallery", #""padding":36,"row_height":80"#, ["gallery-width"], "padding"),
        data("Gallery", #""cells_per_row":0"#, ["number-out-of-range"], "cells_per_row"),
        data("Gallery", #""cell_highlight_color":[1]"#, ["malformed-color"], "cell_highlight_color"),
        data("Gallery", #""gallery_url":"http://a.b""#, ["missing-placeholder"], "gallery_url"),
        data("Gallery", #""gallery_regex":["a"]"#, ["regex-without-group"], "gallery_regex/0"),
        data("Web", #""scales_page_to_fit":true"#),
        data("Web", #""scales_page_to_fit":1"#, ["wrong-type"], "scales_page_to_fit"),
        data("Movie", #""title_id":1,"preview_width":450,"preview_height":30"#),
        data("Movie", #""title_id":2"#, ["unknown-text"], "title_id"),
        data("Movie", #""text_id":2"#, ["unknown-text"], "text_id"),
        data("Movie", #""preview_width":29"#, ["number-out-of-range"], "preview_width"),
        data("Movie", #""preview_height":401"#, ["number-out-of-range"], "preview_height"),
        data("Movie", #""playback_color":[1,2]"#, ["malformed-color"], "playback_color"),
    ]

    static let entries: [Case] = [
        item("{}"),
        item(#"{"id":0}"#, ["malformed-id"], "id"),
        item(#"{"id":2147483648}"#, ["malformed-id"], "id"),
        item(#"{"id":null}"#, ["malformed-id"], ""),
        item(#"{"sort_id":9007199254740991}"#),
        item(#"{"sort_id":9007199254740992}"#, ["number-out-of-range"], "sort_id"),
        item(#"{"sort_id":0}"#, ["number-out-of-range"], "sort_id"),
        item(#"{"title":null}"#, ["missing-key"], ""),
        item(#"{"body":null}"#, ["missing-key"], ""),
        item(#"{"share_url":"http://a.b"}"#),
        item(#"{"share_url":"/a"}"#, ["relative-share-url"], "share_url"),
        item(#"{"share_url":"http://a-b.c"}"#, ["hyphen-in-host"], "share_url"),
        item(#"{"image":"http://a-b.c:80/d"}"#, ["hyphen-in-host"], "image"),
        item(#"{"url":"a-b/c"}"#),
        item(#"{"share_url":"a"}"#, ["relative-share-url"], "share_url"),
        item(#"{"image":"a/b.png"}"#),
        item(#"{"image":"http://a/b.png"}"#),
        item(#"{"image":"/a/b.png"}"#, ["rooted-image"], "image"),
        item(#"{"section_ids":[1]}"#),
        item(#"{"section_ids":1}"#, ["wrong-type"], "section_ids"),
        item(#"{"online":1}"#, ["wrong-type"], "online"),
        item(#"{"expiration_date":-1}"#, ["number-out-of-range"], "expiration_date"),
        item(#"{"parent_id":1}"#, ["not-implemented"], "parent_id"),
        item(#"{"class_type":"Item_view_controller"}"#),
        item(#"{"class_type":"Photo_view_controller"}"#, ["unknown-class-type"], "class_type"),
        item(#"{"class_type":"Web_view_controller","url":"u","data":{}}"#),
        item(#"{"class_type":"Web_view_controller","data":{}}"#, ["class-type-without-url"], ""),
        item(#"{"class_type":"Web_view_controller","url":"u"}"#, ["class-type-without-data"], ""),
        item(#"{"class_type":"News_view_controller","url":"u","data":{"ttl":0}}"#, ["ttl-out-of-range"], "data/ttl"),
        item(#"{"class_type":"Movie_view_controller","url":"u","data":{"title_id":1}}"#),
        item(
            #"{"class_type":"Movie_view_controller","url":"u","data":{"title_id":9}}"#,
            ["unknown-text"],
            "data/title_id"
        ),
        thumb("{}"),
        thumb(#"{"url":null}"#, ["missing-key"], ""),
        thumb(#"{"image":null}"#, ["missing-key"], ""),
        thumb(#"{"width":0}"#, ["number-out-of-range"], "width"),
        thumb(#"{"height":null}"#, ["missing-key"], ""),
        thumb(#"{"title":null}"#, ["missing-key"], ""),
        thumb(#"{"max_zoom":1}"#),
        thumb(#"{"width":1024,"height":1024}"#),
        thumb(#"{"width":1025,"height":1024}"#, ["large-picture"], "width"),
        thumb(#"{"width":1025,"height":9000}"#, ["large-picture", "large-picture"], "width"),
        thumb(#"{"image":"ü.png"}"#, ["raw-character-in-url"], "image"),
        thumb(
            #"{"url":"http://a.b/ü","share_url":"http://a.b/ü"}"#,
            ["raw-character-in-url", "raw-character-in-url"],
            "url"
        ),
        thumb(#"{"image":"%C3%BC.png"}"#),
        thumb(#"{"max_zoom":0.5}"#, ["number-out-of-range"], "max_zoom"),
        thumb(#"{"image":"/a"}"#, ["rooted-image"], "image"),
        thumb(#"{"class_type":"Photo_view_controller"}"#),
        thumb(#"{"class_type":"Item_view_controller"}"#, ["unknown-class-type"], "class_type"),
        thumb(#"{"class_type":"Gallery_view_controller","data":{"padding":40}}"#, ["gallery-padding"], "data/padding"),
    ]

    private static let one = #"{"id":1,"title":"","body":"","section_ids":[4]}"#

    static let feeds: [Case] = [
        Case(json: #"{"items":[]}"#, rules: []),
        Case(json: #"{"items":{}}"#, rules: ["wrong-type"], pointer: "/items"),
        Case(json: #"{"items":[1]}"#, rules: ["wrong-type"], pointer: "/items/0"),
        Case(json: #"{"items":[\#(one),\#(one)]}"#, rules: ["duplicate-id"], pointer: "/items/1/id"),
        Case(json: #"{"items":[\#(one)],"to_delete":[2]}"#, rules: []),
        Case(json: #"{"items":[\#(one)],"to_delete":[2,1]}"#, rules: ["deleted-entry"], pointer: "/to_delete"),
        Case(json: #"{"items":[],"to_delete":["1"]}"#, rules: ["wrong-type"], pointer: "/to_delete/0"),
        Case(json: #"{"items":[],"has_older":"yes"}"#, rules: ["wrong-type"], pointer: "/has_older"),
        Case(json: #"{"items":[],"has_older":true}"#, rules: []),
        Case(
            json: #"{"items":[],"has_older":true,"sections":[]}"#,
            rules: ["older-with-sections"],
            pointer: "/has_older"
        ),
        Case(json: #"{"items":[\#(one)],"sections":[{"id":4,"name":"a"}]}"#, rules: []),
        Case(
            json: #"{"items":[\#(one)],"sections":[{"id":5}]}"#,
            rules: ["outside-sections"],
            pointer: "/items/0/section_ids"
        ),
        Case(
            json: #"{"items":[{"id":1,"title":"","body":""}],"sections":[{"id":5}]}"#,
            rules: ["outside-sections"],
            pointer: "/items/0/section_ids"
        ),
        Case(
            json: #"{"items":[],"sections":[{"id":4},{"id":4}]}"#,
            rules: ["duplicate-section"],
            pointer: "/sections/1/id"
        ),
        Case(json: #"{"items":[],"sections":[{"id":0}]}"#, rules: ["malformed-id"], pointer: "/sections/0/id"),
        Case(json: #"{"items":[],"sections":[{"name":"a"}]}"#, rules: ["malformed-id"], pointer: "/sections/0"),
        Case(
            json: #"{"items":[],"sections":[{"id":1,"visible":1}]}"#,
            rules: ["wrong-type"],
            pointer: "/sections/0/visible"
        ),
        Case(
            json: #"{"items":[],"sections":[{"id":1,"hide_if_empty":true}]}"#,
            rules: ["not-implemented"],
            pointer: "/sections/0/hide_if_empty"
        ),
        Case(
            json: #"{"items":[],"sections":[{"id":1,"expanded_text_color":[1]}]}"#,
            rules: ["malformed-color"],
            pointer: "/sections/0/expanded_text_color"
        ),
        Case(json: #"{"thumbs":[],"sections":5}"#, rules: ["wrong-type"], pointer: "/sections"),
    ]

    /// Keys that no client reads, and values that the reference's types rule out.
    static let structures: [Case] = [
        Case(json: #"{"v":1,"url":"http://a.b/c","ttl":1,"TTL":1}"#, rules: ["unknown-key"], pointer: "/TTL"),
        tab(#"{"short_titel":1}"#, ["unknown-key"], "/tabs/0/short_titel"),
        tab(#"{"class_type":5}"#, ["unknown-class-type"], "/tabs/0/class_type"),
        tab(#"{"class_type":"News_view_controler"}"#, ["unknown-class-type"], "/tabs/0/class_type"),
        tab(#"{"data":5}"#, ["wrong-type"], "/tabs/0/data"),
        app("null", ["null-in-array"], "/tabs/0"),
        tab(
            #"{"class_type":"Preferences_view_controller","data":{"text_string":"a"}}"#,
            ["preferences-tab", "wrong-type"]
        ),
        langs(#"{"en":{"1":null}}"#, ["wrong-type"], "/langs/0/en/1"),
        langs(#"{"en":5}"#, ["wrong-type"], "/langs/0/en"),
        langs("null", ["null-in-array"], "/langs/0"),
        misc(#"{"delete_disc_cache":["a"]}"#, ["unknown-key"], "/misc/delete_disc_cache"),
        misc(#"{"delete_disk_cache":[null]}"#, ["null-in-array"], "/misc/delete_disk_cache/0"),
        misc(#"{"delete_disk_cache":"a"}"#, ["wrong-type"], "/misc/delete_disk_cache"),
        data("News", #""row_hieght":60"#, ["unknown-key"], "row_hieght"),
        data("News", #""title_colour":[0,0,0]"#, ["unknown-key"], "title_colour"),
        data("News", #""cells_per_row":3"#, ["unknown-key"], "cells_per_row"),
        data("News", #""row_height":"60px""#, ["wrong-type"], "row_height"),
        data("News", #""image_size":[30.5,40]"#, ["number-out-of-range"], "image_size/0"),
        data("News", #""tags_regex":[null]"#, ["null-in-array"], "tags_regex/0"),
        data("News", #""title_color":[0,null,0]"#, ["malformed-color"], "title_color/1"),
        data("Gallery", #""gallery_urls":"u""#, ["unknown-key"], "gallery_urls"),
        data("Web", #""scale_page_to_fit":true"#, ["unknown-key"], "scale_page_to_fit"),
        data("Movie", #""preview_with":100"#, ["unknown-key"], "preview_with"),
        item(#"{"titel":"a"}"#, ["unknown-key"], "titel"),
        item(#"{"width":1}"#, ["unknown-key"], "width"),
        item(#"{"parent_id":true}"#, ["wrong-type", "not-implemented"], "parent_id"),
        item(#"{"section_ids":[0]}"#, ["number-out-of-range"], "section_ids/0"),
        item(#"{"section_ids":[null]}"#, ["null-in-array"], "section_ids/0"),
        item(#"{"section_ids":["1"]}"#, ["wrong-type"], "section_ids/0"),
        item(#"{"class_type":"Web_view_controller","url":"u","data":5}"#, ["wrong-type"], "data"),
        item(
            #"{"class_type":"Web_view_controller","url":"u","data":{"main_ulr":"u"}}"#,
            ["unknown-key"],
            "data/main_ulr"
        ),
        thumb(#"{"body":"a"}"#, ["unknown-key"], "body"),
        thumb(#"{"max_zoom":"2"}"#, ["wrong-type"], "max_zoom"),
        Case(json: #"{"items":[null]}"#, rules: ["null-in-array"], pointer: "/items/0"),
        Case(json: #"{"items":[],"thumbs":[]}"#, rules: ["unknown-key"], pointer: "/thumbs"),
        Case(json: #"{"items":[],"to_deleted":[1]}"#, rules: ["unknown-key"], pointer: "/to_deleted"),
        Case(json: #"{"items":[],"to_delete":[0]}"#, rules: ["number-out-of-range"], pointer: "/to_delete/0"),
        Case(json: #"{"items":[],"sections":[5]}"#, rules: ["wrong-type"], pointer: "/sections/0"),
        Case(json: #"{"items":[],"sections":[{"id":1,"title":"a"}]}"#, rules: ["unknown-key"]),
        Case(
            json: #"{"items":[],"sections":[{"id":1,"hide_if_empty":5}]}"#,
            rules: ["wrong-type", "not-implemented"]
        ),
    ]

    @Test(arguments: indicators + apps + controllers + entries + feeds + structures)
    func `Each document has the findings of its rules`(_ example: Case) throws {
        let document = try JSONValue(parsing: example.json)
        let findings = FlokiRules.findings(in: document, name: "doc", facts: FlokiFacts(texts: [1]))
        #expect(findings.map(\.rule) == example.rules)
        if let pointer = example.pointer { #expect(findings.first?.path.pointer == pointer) }
        for finding in findings {
            #expect(!finding.message.isEmpty && !finding.fix.isEmpty)
            #expect(finding.path.page == "doc")
        }
    }

    @Test(arguments: [
        (#"{"items":[],"has_oldr":true}"#, #"Write "has_older", if that is what you mean, or remove it."#),
        (#"{"items":[],"sections":[{"id":1,"show_counts":true}]}"#, #"Write "show_count", if that is what you mean"#),
        (
            #"{"tabs":[{"long_title":1,"unique_id":1,"class_type":"New_view_controller","data":{}}],"langs":[{"en":{"1":""}}]}"#,
            #"Write "News_view_controller", if that is what you mean."#
        ),
    ])
    func `A misspelt word gets a suggestion`(json: String, fix: String) throws {
        let findings = FlokiRules.findings(in: try JSONValue(parsing: json), name: "doc")
        #expect(findings.count == 1)
        #expect(findings.first?.fix.hasPrefix(fix) == true, "\(findings)")
    }

    @Test func `No finding says that clients refuse the whole document`() throws {
        for example in Self.structures + Self.feeds + Self.apps {
            let findings = FlokiRules.findings(in: try JSONValue(parsing: example.json), name: "doc")
            #expect(findings.filter(\.isRejection).isEmpty)
        }
    }

    @Test(arguments: [("{", "not-json"), ("", "not-json"), ("null", "unknown-document"), (#"{"items":[]}"#, "")])
    func `A body that isn't a known document is a finding`(text: String, rule: String) {
        let findings = FlokiInspector().findings(inBody: Array(text.utf8), path: "/x", app: nil)
        #expect(findings.map(\.rule) == (rule.isEmpty ? [] : [rule]))
    }

    @Test func `More than five tabs are a finding, and so is the same id twice`() throws {
        let tabs = (1...6).map {
            #"{"long_title":1,"unique_id":\#($0 % 6 + 1),"class_type":"Web_view_controller","data":{"main_url":"u"}}"#
        }
        let six = try JSONValue(parsing: Self.app(tabs.joined(separator: ",")).json)
        #expect(FlokiRules.findings(in: six, name: "doc").map(\.rule) == ["many-tabs"])
        let twice = try JSONValue(parsing: Self.app([tabs[0], tabs[1], tabs[0]].joined(separator: ",")).json)
        let findings = FlokiRules.findings(in: twice, name: "doc")
        #expect(
            findings.map(\.description) == [
                """
                error: doc › tab 2 #2: Another tab has the "unique_id" 2 too, so iOS drops all tabs. Give this tab another \
                "unique_id". [duplicate-unique-id]
                """
            ]
        )
        #expect(findings.first?.path.pointer == "/tabs/2/unique_id")
    }

    @Test func `Warnings are the ones that the protocol names`() throws {
        let cases = Self.indicators + Self.apps + Self.controllers + Self.entries + Self.feeds
        let warnings = try cases.flatMap { example in
            FlokiRules.findings(in: try JSONValue(parsing: example.json), name: "doc", facts: FlokiFacts(texts: [1]))
                .filter { $0.severity == .warning }.map(\.rule)
        }
        #expect(
            Set(warnings) == [
                "preferences-tab", "many-regex-groups", "older-with-sections", "not-implemented",
                "large-picture", "hyphen-in-host", "three-letter-language", "ttl-overflow",
            ]
        )
    }

    @Test func `Readings can be turned off`() throws {
        var readings = FlokiRuleReadings()
        readings.requiresTwoLetterCodes = false
        readings.requiresCompleteLanguages = false
        let document = try JSONValue(parsing: Self.langs(#"{"eng":{"1":"a"}},{"spa":{}}"#).json)
        #expect(FlokiRules.findings(in: document, name: "doc", readings: readings).isEmpty)
    }
}
