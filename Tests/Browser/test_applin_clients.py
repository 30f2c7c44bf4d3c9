"""What the released Applin clients do, oddities included: text fields that keep their text, variables by the client's release, and
pages that a release rejects."""

import json
import unittest

from selenium.webdriver.common.by import By

from canned import canned
from held import Held
from phone import Phone, open_browser
from server import ROOT, MockFolder, Server

RECORDER = """
(() => {
  const real = window.fetch;
  window.sent = [];
  window.fetch = (url, options) => {
    if (["POST", "PUT"].includes(options?.method) && !String(url).includes("/__preview/")) window.sent.push({url, body: options.body});
    return real(url, options);
  };
})();
"""

# Keeps the streams of the camera, which the browser allows as soon as `permission` is there.
CAMERA = """
const media = navigator.mediaDevices;
const ask = media.getUserMedia.bind(media);
window.streams = [];
media.getUserMedia = async (wanted) => {
  await window.permission;
  const stream = await ask(wanted);
  window.streams.push(stream);
  return stream;
};
"""


def page(*widgets):
    return json.dumps({"page": {"typ": "nav_page", "title": "Page", "widget": {"typ": "form", "widgets": list(widgets)}}})


def button(text, *actions):
    return {"typ": "form_button", "text": text, "actions": list(actions)}


def field(name, initial="", **more):
    return {"typ": "textfield", "var_name": name, "label": name, "initial_string": initial, **more}


class ApplinClientsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        mocks = MockFolder()
        cls.addClassCleanup(mocks.close)
        poll = button("Poll", "poll")
        mocks.raw("/start", page(button("Renamed", "push:/renamed"), button("Inserted", "push:/inserted")))
        mocks.raw("/inserted", page(field("a"), field("b"), poll), method="GET")
        mocks.raw("/inserted", page(field("new"), field("a"), field("b"), poll), method="POST")
        mocks.raw("/renamed", page(field("a", "first"), field("other", "stays"), poll), method="GET")
        mocks.raw("/renamed", page(field("b", "second"), field("other", "is new"), field("third", "comes later"), poll), method="POST")
        names = {"contradicting": [field("a", "x"), field("a#b", "y")], "deep": [field("x#a#b"), field("x#a#c"), field("y%c%d"), field("#t##u")], "nothing_before": [field("#a")]}
        for name, fields in names.items():
            mocks.raw(f"/{name}", page(*fields, poll))
            mocks.raw(f"/{name}_in_objects", page(*fields, button("Poll", {"typ": "poll"})))
        mocks.raw("/colon", page(button("Push", "push:/a:b"), button("Push it encoded", "push:/a%3Ab")))
        mocks.raw("/a%3Ab", page({"typ": "text", "text": "encoded"}))
        mocks.raw("/colon_in_rpc", page(button("Call", "rpc:/a:b")))
        mocks.raw("/colon_in_object", page(button("Call", {"typ": "rpc", "url": "/a:b"})))
        mocks.raw("/photo", page(button("Wide", "choose_photo:/upload?aspect_ratio=2"), button("As it is", "choose_photo:/upload?aspect_ratio=wide")))
        mocks.raw("/upload", "")
        mocks.raw("/refuses", page(button("Call", "on_user_error_poll", "rpc:/refused")))
        mocks.raw("/refused", "", status=422)
        mocks.raw("/ordered", page(poll))
        mocks.raw("/", page(button("Go", "push:/refuses")))
        mocks.raw("/slow", page(button("Call", "rpc:/called", "push:/text")))
        mocks.raw("/called", "")
        mocks.raw("/text", page({"typ": "text", "text": "A text"}))
        cls.mocks = Server("mock", "--routes", str(mocks.path))
        cls.addClassCleanup(cls.mocks.stop)
        cls.demo = Server()
        cls.addClassCleanup(cls.demo.stop)
        cls.driver = open_browser()
        cls.addClassCleanup(cls.driver.quit)
        cls.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": RECORDER})

    def tearDown(self):
        self.assertEqual(Phone(self.driver, "").complaints(), [])

    def open(self, server, path, client=None):
        phone = Phone(self.driver, server.url)
        phone.open(path)
        if client:
            phone.choose("client", client)
            phone.wait(lambda: phone.is_calm)
        return phone

    def sent(self, phone):
        """The variables that were sent last."""
        return json.loads(phone.script("return window.sent.at(-1).body"))

    def shown(self, phone):
        return phone.script("return [...document.querySelectorAll('.app textarea')].map((field) => field.value)")

    def test_a_shown_text_field_keeps_its_text(self):
        phone = self.open(self.mocks, "/start")
        phone.tap("Renamed")
        phone.enter("typed", "a")
        phone.tap("Poll")
        phone.wait(lambda: phone.field("b"), "the new variable")
        # The keyboard's place is the same field.
        self.assertEqual(self.shown(phone), ["typed", "stays", "comes later"])
        self.assertIn("'b' goes on showing \"typed\", but \"second\" is sent for it", phone.problem)
        phone.tap("Poll")
        phone.wait(lambda: phone.script("return window.sent.length") == 2, "what is sent")
        self.assertEqual(self.sent(phone), {"b": "second", "other": "is new", "third": "comes later"})
        self.assertEqual(self.shown(phone), ["typed", "stays", "comes later"])
        # Pushed anew, it shows its variable.
        phone.tap("Back")
        phone.tap("Renamed")
        phone.wait_for_title("Page")
        phone.wait(lambda: self.shown(phone) == ["typed", "stays"], "the page pushed anew")

    def test_a_text_field_belongs_to_its_variable(self):
        phone = self.open(self.mocks, "/start")
        phone.tap("Inserted")
        phone.enter("mine", "a")
        phone.enter("yours", "b")
        phone.tap("Poll")
        phone.wait(lambda: phone.field("new"), "the new field")
        self.assertEqual(self.shown(phone), ["", "mine", "yours"])

    def test_a_field_keeps_the_keyboard_when_its_variable_is_renamed(self):
        phone = self.open(self.mocks, "/renamed")
        phone.field("a").send_keys("more")
        phone.script("[...document.querySelectorAll('.app button')].find((one) => one.textContent === 'Poll').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
        phone.wait(lambda: phone.field("b"), "the new variable")
        self.assertEqual(self.driver.switch_to.active_element.get_attribute("aria-label"), "b")

    def test_reset_var_clears_the_variable_and_not_the_field(self):
        phone = self.open(self.demo, "/objects/")
        phone.tap("Reset Variables")
        phone.enter("typed", "Text")
        phone.tap("Reset the text")
        self.assertEqual(phone.field("Text").get_property("value"), "typed")
        self.assertNotIn("reset_text", phone.script("return sessionStorage.getItem('backlot:applin:/objects/:variables')"))
        self.assertIn("goes on showing", phone.problem)
        phone.tap("Back")
        phone.tap("Reset Variables")
        phone.wait_for_title("Reset Variables")
        self.assertEqual(phone.field("Text").get_property("value"), "initial text")

    def test_names_go_out_flat_before_0_34_and_nested_since(self):
        flat = {"address#street": "", "address#city": "Łódź", "toppings%cheese": False, "toppings%olives": False}
        nested = {"address": {"street": "", "city": "Łódź"}, "toppings": ["cheese", "olives"]}
        table = [
            ("/nested_variables", None, flat),
            ("/objects/nested_variables", None, nested),
            ("/objects/nested_variables", "Client 0.34", nested),
            ("/objects/nested_variables", "Client 0.33", flat),
        ]
        for path, client, expected in table:
            with self.subTest(f"{path} {client}"):
                phone = self.open(self.demo, path, client)
                phone.enter("Łódź", "City")
                phone.tap("Send the variables")
                phone.wait(lambda: phone.script("return window.sent.length") > 0, "what is sent")
                self.assertEqual(self.sent(phone), expected)
        # Empty parts are dropped, and so is a third.
        phone = self.open(self.mocks, "/deep_in_objects")
        phone.tap("Poll")
        phone.wait(lambda: phone.script("return window.sent.length") > 0, "what is sent")
        self.assertEqual(self.sent(phone), {"x": {"a": ""}, "y": ["c"], "t": {"u": ""}})

    def test_names_that_contradict_each_other(self):
        for path, flat in [("/contradicting", {"a": "x", "a#b": "y"}), ("/nothing_before", {"#a": ""})]:
            with self.subTest(path):
                phone = self.open(self.mocks, path)
                phone.tap("Poll")
                phone.wait(lambda: phone.script("return window.sent.length") > 0, "what is sent")
                self.assertEqual(self.sent(phone), flat)
                # Clients since 0.34 can't send them.
                phone = self.open(self.mocks, path, "Client 0.34")
                phone.wait_for("The server could not answer.")
                phone = self.open(self.mocks, path + "_in_objects")
                phone.tap("Poll")
                phone.wait_for("There is an error in this app.")
                self.assertIn("can't send the variable", phone.problem)
                self.assertEqual(phone.script("return window.sent"), [])

    def test_colons_are_refused(self):
        for path, name in [("/colon", "Push"), ("/colon_in_rpc", "Call")]:
            with self.subTest(path):
                phone = self.open(self.mocks, path)
                phone.tap(name)
                phone.wait_for("There is an error in this app.")
                self.assertIn("/a:b has a colon, so clients read a scheme before it", phone.problem)
        self.open(self.mocks, "/colon_in_object").wait_for("The server could not answer.")
        phone = self.open(self.mocks, "/colon")
        phone.tap("Push it encoded")
        phone.wait_for("encoded")

    def test_photos_are_cut_by_the_ratio_in_the_url(self):
        # The picture is four times as wide as high.
        for name, url, ratio in [("Wide", "/upload", 2), ("As it is", "/upload?aspect_ratio=wide", 4)]:
            with self.subTest(name):
                phone = self.open(self.mocks, "/photo")
                phone.tap(name)
                self.driver.find_element(By.CSS_SELECTOR, ".sheet input[type=file]").send_keys(str(ROOT / "Public/image.png"))
                phone.wait(lambda: phone.script("return window.sent.length") == 1, "the upload")
                picture = self.driver.execute_async_script(
                    "createImageBitmap(window.sent[0].body).then(({width, height}) => arguments[0]([window.sent[0].url, width / height]))")
                self.assertEqual(picture, [url, ratio])

    def test_the_picture_of_a_button_is_below_the_base_path(self):
        go = {"typ": "nav_button", "text": "Go", "photo_url": "pictures/go.png", "actions": [{"typ": "push", "page": "/text"}]}
        with canned(self.driver, {"/objects/text": [(200, page(go), "application/vnd.applin_response")]}):
            phone = self.open(self.demo, "/objects/text")
            asked = lambda: phone.script("return performance.getEntriesByType('resource').map(({name}) => new URL(name).pathname)")
            phone.wait(lambda: "/objects/pictures/go.png" in asked(), "the request for the picture")

    def open_picker(self):
        phone = self.open(self.mocks, "/photo")
        phone.script(CAMERA)
        phone.tap("Wide")
        return phone

    def open_camera(self):
        phone = self.open_picker()
        phone.tap("Use the Camera")
        phone.wait(lambda: phone.script("return document.querySelector('video')?.videoWidth > 0"), "the camera")
        return phone

    def wait_for_camera_off(self, phone):
        off = "return window.streams.length > 0 && window.streams.every((one) => one.getTracks().every(({readyState}) => readyState === 'ended'))"
        phone.wait(lambda: phone.script(off), "the end of the camera")

    def test_a_camera_that_is_allowed_after_cancel_is_turned_off(self):
        phone = self.open_picker()
        phone.script("window.permission = new Promise((resume) => { window.allow = resume; })")
        phone.tap("Use the Camera")
        phone.tap("Cancel")
        phone.script("window.allow()")
        self.wait_for_camera_off(phone)

    def test_a_restart_turns_the_camera_off(self):
        phone = self.open_camera()
        self.driver.find_element(By.XPATH, "//button[normalize-space(.)='Restart']").click()
        self.wait_for_camera_off(phone)

    def test_a_restart_ends_the_actions_that_are_under_way(self):
        phone = self.open(self.mocks, "/slow")
        held = Held(phone, "/called")
        phone.button("Call").click()
        held.wait()
        self.driver.find_element(By.XPATH, "//button[normalize-space(.)='Restart']").click()
        phone.wait(lambda: phone.stack == ["/"] and phone.is_calm, "the app anew")
        phone.tap("Go")
        self.assertEqual(phone.stack, ["/", "/refuses"])
        held.let_go()
        phone.tap("Back")
        phone.tap("Go")
        self.assertEqual(phone.stack, ["/", "/refuses"])

    def test_of_two_quick_clicks_one_takes_a_photo(self):
        phone = self.open_camera()
        phone.script("const real = HTMLCanvasElement.prototype.toBlob; window.photos = 0; HTMLCanvasElement.prototype.toBlob = function (...all) { window.photos++; real.apply(this, all); };")
        phone.script("const shutter = document.querySelector('.shutter'); shutter.click(); shutter.click();")
        phone.wait(lambda: phone.script("return window.sent.length") > 0, "the upload")
        self.assertEqual(phone.script("return window.photos"), 1)

    def test_a_late_response_does_not_replace_that_to_a_later_request(self):
        versions = [(200, page({"typ": "text", "text": f"Version {number}"}, button("Poll", "poll")), "application/vnd.applin_response") for number in [1, 2, 3]]
        with canned(self.driver, {"/ordered": versions}):
            phone = self.open(self.mocks, "/ordered")
            phone.wait_for("Version 1")
            held = Held(phone, "/ordered")
            self.driver.find_element(By.XPATH, "//button[normalize-space(.)='Refresh']").click()
            held.wait()
            phone.tap("Poll")
            phone.wait_for("Version 3")
            held.let_go()
            phone.wait(lambda: "Refreshed by hand" in phone.problem, "the end of the refresh")
            self.assertIn("Version 3", phone.text)

    def test_a_release_rejects_what_it_does_not_know(self):
        table = [
            ("/objects/checkbox_button", "Client 0.36 to 0.37", "knows no checkbox_button"),
            ("/objects/reset_var", "Client 0.35", "knows no action reset_var"),
            ("/objects/stop_actions", "Client 0.34", "knows no action stop_actions"),
            ("/objects/modal", "Client 0.28 to 0.30", "reads actions that are strings"),
            ("/button", "Client 0.31", "reads actions that are objects"),
            ("/selector", "Client 0.25 to 0.27", "knows no selector"),
        ]
        for path, client, reason in table:
            with self.subTest(f"{path} {client}"):
                phone = self.open(self.demo, path)
                title = phone.title
                self.assertNotIn("Error", title)
                phone.choose("client", client)
                phone.wait_for("The server could not answer.")
                self.assertIn(reason, phone.problem)
                # It lasts through a reload, and the newest one reads the page again.
                self.driver.refresh()
                phone.wait_for("The server could not answer.")
                phone.choose("client", "Newest client")
                phone.wait_for_title(title)

    def test_a_release_passes_over_keys_that_it_does_not_know(self):
        phone = self.open(self.demo, "/objects/textfield", "Client 0.32")
        phone.tab("Test")
        self.assertIn('over: reach, client: "0.32") { app in', phone.inside)
        phone.tab("Tree")
        phone = self.open(self.mocks, "/start", "Client 0.25 to 0.27")
        phone.tap("Renamed")
        self.assertEqual(self.shown(phone), ["first", "stays"])

    def test_an_empty_refusal_shows_its_status(self):
        phone = self.open(self.mocks, "/refuses")
        phone.tap("Call")
        phone.wait_for("server returned: 422 Unprocessable Entity")


if __name__ == "__main__":
    unittest.main()
