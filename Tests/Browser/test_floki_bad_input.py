"""Floki apps that no backend should have: the phone says so, and the view inside explains it."""

import json

from selenium.webdriver.common.by import By

from canned import canned
from phone import PhoneTestCase

MARKUP = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script><b>bold</b>"
INDICATOR, APP, NEWS = "/floki/v1-app", "/floki/v1-appdata", "/floki/news/en"
CURRENT = [{"v": 1, "url": APP, "ttl": 60}]
TEXTS = {str(number): f"Tab {number}" for number in range(1, 9)}


def tab(number=1, class_type="News_view_controller", **data):
    return {"long_title": number, "unique_id": number, "class_type": class_type, "data": data}


NEWS_TAB = tab(main_url="/floki/news/", ttl=300, allow_manual_reload=True)


def app(*tabs, langs=None):
    return {"tabs": list(tabs), "langs": langs or [{"en": TEXTS}]}


def items(*ids, **more):
    return {"items": [{"id": number, "title": f"Item {number}", "body": "", "url": f"/floki/items/{number}"} for number in ids], **more}


# What the phone says for an indicator and app data that it can't take.
UNUSABLE = {
    "indicator is no JSON": ([[]], None, "is no JSON object"),
    "indicator without v": ([{"url": APP, "ttl": 60}], None, "has no \"v\""),
    "indicator with v 0": ([{"v": 0, "url": APP, "ttl": 60}], None, "has no \"v\""),
    "indicator with a number as url": ([{"v": 1, "url": 7, "ttl": 60}], None, "no \"url\""),
    "app data on another host": ([{"v": 1, "url": "https://example.com/data", "ttl": 60}], None, "is on another host"),
    "indicator is missing": ([(404, "nothing here")], None, "answered 404"),
    "app data is cut off": (None, ['{"tabs":['], "can't be read as JSON"),
    "app data is empty": (None, [""], "can't be read as JSON"),
    "app data is HTML": (None, ["<!doctype html>"], "can't be read as JSON"),
    "no tabs": (None, [{"langs": []}], "no \"tabs\""),
    "tabs of a wrong type": (None, [{"tabs": {}, "langs": []}], "no \"tabs\""),
    "one id for two tabs": (None, [app(NEWS_TAB, NEWS_TAB)], "one \"unique_id\""),
}

# Tabs and feeds that are shown as far as they go: what the phone says.
ODD = {
    "no tab at all": (app(), items(), "The app has no tabs."),
    "tabs that are none": (app(None, 7, "x", NEWS_TAB), items(5), "Item 5"),
    "unknown class": (app(tab(class_type="Carousel_view_controller", main_url="/x/")), items(), "No client knows the class \"Carousel_view_controller\""),
    "no class": (app({"long_title": 1, "unique_id": 1, "data": {}}), items(), "that has none"),
    "class like a built-in": (app(tab(class_type="constructor")), items(), "No client knows the class"),
    "item as a tab": (app(tab(class_type="Item_view_controller", main_url=7)), items(), "Tab 1"),
    "photo as a tab": (app(tab(class_type="Photo_view_controller", main_url="/x.png")), items(), "This view can't be drawn."),
    "data is a text": (app({**NEWS_TAB, "data": "x"}), items(), "The view has no \"main_url\"."),
    "data of wrong types": (app(tab(main_url="/floki/news/", row_height="x", image_size=7, title_color=[1], cache_size=-1, ttl="x", search_bar=5, padding=None)), items(5), "Item 5"),
    "langs of wrong types": (app(NEWS_TAB, langs=[None, 7, {"en": None}, {"en": {"1": 5}}]), items(5), "Item 5"),
    "items of a wrong type": (app(NEWS_TAB), {"items": {}}, "There is nothing here."),
    "items that are none": (app(NEWS_TAB), {"items": [None, 7, [], {"id": "x"}, {"id": 0}, {"id": 5, "title": "Item 5"}]}, "Item 5"),
    "members of wrong types": (app(NEWS_TAB), {"items": [{"id": 5, "sort_id": "x", "title": {"a": 1}, "body": [1], "url": 7, "image": 7, "section_ids": 3, "footer": 1, "expiration_date": "x"}, {"id": 6, "title": "Item 6", "class_type": 7}]}, "Item 6"),
    "sections of wrong types": (app(NEWS_TAB), {**items(5), "sections": [None, 7, {"id": "x"}, {"id": 1, "name": "Only", "sort_id": "x", "show_count": 1}], "to_delete": 3, "has_older": "x"}, "Only"),
    "to_delete of a wrong type": (app(NEWS_TAB), {**items(5), "to_delete": "x"}, "Item 5"),
    "a feed that is no object": (app(NEWS_TAB), [1, 2], "is no JSON object"),
    "a feed that fails": (app(NEWS_TAB), (500, "boom"), "answered 500"),
    "a movie without anything": (app(tab(class_type="Movie_view_controller", autoload=False, preview_width="x", preview_url=7)), items(), "Play back video"),
    "a web page on another host": (app(tab(class_type="Web_view_controller", main_url="https://example.com/")), items(), "preview asks no other host"),
    "a gallery of wrong types": (app(tab(class_type="Gallery_view_controller", main_url="/floki/news/", cells_per_row=0, padding=500, row_height=1)), {"thumbs": [None, {"id": 5, "image": 7, "url": None}]}, "Tab 1"),
}


class FlokiBadInputTest(PhoneTestCase):
    def test_an_app_that_cannot_be_taken(self):
        for name, (indicator, data, said) in UNUSABLE.items():
            with self.subTest(name), canned(self.driver, {INDICATOR: indicator or CURRENT, APP: data or [app(NEWS_TAB)], NEWS: [items(5)]}):
                self.phone.open(INDICATOR)
                self.phone.wait_for("The app can't be shown.")
                self.assertIn(said, self.phone.text)
                self.assertIn(said, self.phone.problem)

    def test_odd_tabs_and_feeds(self):
        for name, (data, feed, said) in ODD.items():
            with self.subTest(name), canned(self.driver, {INDICATOR: CURRENT, APP: [data], NEWS: [feed]}):
                self.phone.open(INDICATOR)
                self.phone.wait_for(said)
                self.assertNotEqual(self.phone.text.strip(), "")
                for panel in ["JSON", "Findings", "State", "Log", "Test", "Tree"]:
                    self.phone.tab(panel)

    def test_markup_is_text(self):
        texts = {str(number): MARKUP for number in range(1, 20)} | {str(number): MARKUP for number in range(10000, 10017)}
        feed = {"items": [{"id": 5, "title": MARKUP, "body": MARKUP, "footer": MARKUP, "section_ids": [1]}], "sections": [{"id": 1, "name": MARKUP, "starts_collapsed": False}]}
        with canned(self.driver, {INDICATOR: CURRENT, APP: [app(NEWS_TAB, langs=[{"en": texts}])], NEWS: [feed]}):
            self.phone.open(INDICATOR)
            self.phone.wait(lambda: self.phone.text.count("<b>bold</b>") == 6, "six texts: the title, the tab, the section and the three of the item")
            for panel in ["JSON", "Findings", "State", "Log", "Test", "Tree"]:
                self.phone.tab(panel)
            self.assertEqual(self.phone.script("return document.querySelectorAll('.shell img, .shell script, .shell b').length"), 0)
            self.assertFalse(self.phone.script("return document.title").startswith("run"))

    def test_what_comes_is_merged_or_replaced(self):
        for platform, shown in [("iOS", ["Item 7", "Item 6", "Item 5"]), ("Android", ["Item 7"])]:
            with self.subTest(platform), canned(self.driver, {INDICATOR: CURRENT, APP: [app(NEWS_TAB)], NEWS: [items(5, 6), items(7)]}):
                self.phone.open(INDICATOR)
                self.phone.wait_for("Item 6")
                self.phone.script("const select = document.querySelector(`[data-choice=platform]`); select.value = arguments[0]; select.dispatchEvent(new Event('change', {bubbles: true}))", platform)
                self.driver.find_element(By.CSS_SELECTOR, "[data-key=reload]").click()
                self.phone.wait_for("Item 7")
                titles = self.phone.script("return [...document.querySelectorAll('.app .entry .main')].map((one) => one.textContent)")
                self.assertEqual(titles, shown)
                self.assertIn(f"{NEWS}?d=2&l=5&h=6", self.phone.script("return window.asked"))

    def test_a_new_version_comes_when_the_indicator_has_grown_old(self):
        first, second = app(NEWS_TAB), app(NEWS_TAB, langs=[{"en": {"1": "Renamed"}}])
        with canned(self.driver, {INDICATOR: [{"v": 1, "url": APP, "ttl": 1}, {"v": 2, "url": APP, "ttl": 60}], APP: [first, second], NEWS: [items(5)]}):
            self.phone.open(INDICATOR)
            self.phone.wait_for("Item 5")
            self.phone.wait(lambda: self.phone.title == "Renamed" and "Item 5" in self.phone.text, "the new app data")

    def test_an_answer_that_fails_changes_nothing(self):
        with canned(self.driver, {INDICATOR: CURRENT, APP: [app(NEWS_TAB)], NEWS: [items(5), (503, "busy")]}):
            self.phone.open(INDICATOR)
            self.phone.wait_for("Item 5")
            self.driver.find_element(By.CSS_SELECTOR, "[data-key=reload]").click()
            self.phone.wait_for("answered 503")
            self.assertIn("Item 5", self.phone.text)

    def test_more_tabs_than_a_bar_holds(self):
        tabs = [tab(number, "Movie_view_controller", main_url="/m.m3u8", autoload=False, text=f"Movie {number}") for number in range(1, 8)]
        with canned(self.driver, {INDICATOR: CURRENT, APP: [app(*tabs)]}):
            self.phone.open(INDICATOR)
            self.phone.wait_for("Movie 1")
            self.assertEqual(len(self.driver.find_elements(By.CSS_SELECTOR, ".app [role=tab]")), 4)
            self.phone.script("const select = document.querySelector('.more-tabs select'); select.value = '6'; select.dispatchEvent(new Event('change'))")
            self.phone.wait_for("Movie 7")

    def test_findings_stand_on_their_item(self):
        feed = items(5, 6)
        feed["items"][1]["share_url"] = "not/absolute"
        with canned(self.driver, {INDICATOR: CURRENT, APP: [app(NEWS_TAB)], NEWS: [feed]}):
            self.phone.open(INDICATOR)
            self.phone.wait_for("Item 6")
            self.phone.wait(lambda: any("Item 6" in one.text for one in self.driver.find_elements(By.CSS_SELECTOR, ".app [data-finding]")), "the mark")
            self.phone.tab("Findings")
            self.assertIn("relative-share-url", self.phone.inside)

    def test_ten_thousand_items(self):
        data = json.loads(json.dumps(NEWS_TAB))
        data["data"]["cache_size"] = 20_000
        with canned(self.driver, {INDICATOR: CURRENT, APP: [app(data)], NEWS: [items(*range(1, 10_001))]}):
            self.phone.open(INDICATOR)
            self.phone.wait(lambda: len(self.driver.find_elements(By.CSS_SELECTOR, ".app .entry")) == 10_000, "all items", 60)
