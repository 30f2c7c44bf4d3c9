"""Surfaces of A2UI: each component, what people do with them, the messages in both directions, and messages that no server should send."""

import contextlib
import json
import unittest
import urllib.request

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from axe import serious
from canned import canned
from phone import Phone, PhoneTestCase, not_in_webkit, open_browser, prefer
from server import MockFolder, Server

PAGE, ACTIONS = "/clinic/surfaces/booking", "/clinic/actions"
MARKUP = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"

BOOKING = {
    "model": {"name": "", "slots": [{"time": "09:30"}, {"time": "11:00"}], "note": ""},
    "components": [
        {"id": "root", "component": "Column", "children": ["title", "name", "slots", "note", "book"]},
        {"id": "title", "component": "Text", "text": "Book a visit", "variant": "h2"},
        {
            "id": "name",
            "component": "TextField",
            "label": "Name",
            "value": {"path": "/name"},
            "checks": [{"condition": {"call": "required", "args": {"value": {"path": "/name"}}}, "message": "Please give a name."}],
        },
        {"id": "slots", "component": "List", "children": {"componentId": "slot", "path": "/slots"}},
        {"id": "slot", "component": "Button", "child": "slot_text", "action": {"event": {"name": "take", "context": {"time": {"path": "time"}}}}},
        {"id": "slot_text", "component": "Text", "text": {"call": "formatString", "args": {"value": "Take ${time}"}}},
        {"id": "note", "component": "Text", "text": {"path": "/note"}},
        {
            "id": "book",
            "component": "Button",
            "child": "book_text",
            "variant": "primary",
            "action": {"event": {"name": "book", "context": {"name": {"path": "/name"}}}},
            "checks": [{"condition": {"call": "required", "args": {"value": {"path": "/name"}}}, "message": "Please give a name."}],
        },
        {"id": "book_text", "component": "Text", "text": "Book"},
    ],
    "actions": [
        {"name": "take", "set": {"/note": "{{variables.time}} is yours."}},
        {"name": "book", "when": {"name": "Eve"}, "status": 403, "message": "Not you."},
        {"name": "book", "close": True, "open": "thanks"},
    ],
}
THANKS = {"components": [{"id": "root", "component": "Text", "text": "# Thank you.\n\nSee you **soon**."}], "version": "1.0"}


def component(id, type, **properties):
    return {"id": id, "component": type, **properties}


def text(id, text="", **properties):
    return component(id, "Text", text=text, **properties)


def button(id, label, action, **properties):
    return [component(id, "Button", child=f"{id}_text", action=action, **properties), text(f"{id}_text", label)]


def update(*components, version="v0.9", id="s"):
    return {"version": version, "updateComponents": {"surfaceId": id, "components": list(components)}}


def write(path, value, version="v0.9", id="s"):
    return {"version": version, "updateDataModel": {"surfaceId": id, "path": path, "value": value}}


def surface(*components, model=None, version="v0.9", id="s", **creation):
    """The messages that make a surface."""
    create = {"version": version, "createSurface": {"surfaceId": id, "catalogId": "basic", "sendDataModel": True, **creation}}
    return [create, write("/", model or {}, version, id), update(*components, version=version, id=id)]


EVERY = surface(
    component("root", "Tabs", tabs=[{"title": "Shown", "child": "shown"}, {"title": {"path": "/second"}, "child": "given"}]),
    component("shown", "Column", children=["h1", "body", "caption", "row", "icon", "own_icon", "picture", "elsewhere", "film", "sound", "line", "card", "across", "modal"]),
    text("h1", "A heading", variant="h1"),
    text("body", "## Part\n\nSome **bold** and *slanted* `code`, snake_case and ~~old~~.\n\n1. one\n2. two\n\n> said\n\n- dot\n\n```\nlet x\n```\n---\n[no](https://example.com) <b>tags</b>"),
    text("caption", "Small", variant="caption"),
    component("row", "Row", children=["left", "right"], justify="spaceBetween", align="center"),
    text("left", "Left", weight=2),
    text("right", "Right", weight=1),
    component("icon", "Icon", name="shoppingCart"),
    component("own_icon", "Icon", name={"svgPath": "M2 2h20v20z"}, accessibility={"label": "A corner"}),
    component("picture", "Image", url="/__preview/web/icon.svg", description="The sign of preview", fit="cover", variant="avatar"),
    component("elsewhere", "Image", url="https://example.com/x.png"),
    component("film", "Video", url="https://example.com/x.mp4"),
    component("sound", "AudioPlayer", url="/x.mp3", description="A song"),
    component("line", "Divider"),
    component("card", "Card", child="left"),
    component("across", "List", direction="horizontal", children=["left", "right"]),
    component("modal", "Modal", trigger="open", content="inside"),
    *button("open", "More", {"functionCall": {"call": "openUrl", "args": {"url": "javascript:alert(1)"}}}, variant="borderless"),
    text("inside", "In front"),
    component("given", "Column", children=["line1", "lines", "number", "secret", "agree", "one", "many", "volume", "day", "time", "both"]),
    component("line1", "TextField", label="Line", value={"path": "/line"}),
    component("lines", "TextField", label="Lines", value={"path": "/lines"}, variant="longText"),
    component("number", "TextField", label="Number", value={"path": "/number"}, variant="number", validationRegexp="^\\d+$"),
    component("secret", "TextField", label="Secret", value="abc", variant="obscured"),
    component("agree", "CheckBox", label="Agree", value={"path": "/agree"}, checks=[{"condition": {"path": "/agree"}, "message": "It is needed."}]),
    component("one", "ChoicePicker", label="One", options=[{"label": "Red", "value": "r"}, {"label": "Blue", "value": "b"}], value={"path": "/one"}, filterable=True),
    component("many", "ChoicePicker", label="Many", options=[{"label": "Mon", "value": "1"}, {"label": "Tue", "value": "2"}], value={"path": "/many"}, variant="multipleSelection", displayStyle="chips"),
    component("volume", "Slider", label="Volume", value={"path": "/volume"}, min=0, max=10),
    component("day", "DateTimeInput", label="Day", value={"path": "/day"}, enableDate=True),
    component("time", "DateTimeInput", label="Time", value={"path": "/day"}, enableTime=True),
    component("both", "DateTimeInput", label="Both", value={"path": "/day"}),
    model={"second": "Given", "line": "x", "lines": "y", "number": "1x", "agree": False, "one": ["r"], "many": ["1"], "volume": 3, "day": "2026-12-31T18:30:00Z"},
    theme={"primaryColor": "#00695c"},
)

# Values of 0.9, and what they come to over the model {a: {b: 3}, list: [1, 2], "x/y": "slash", n: null} with formats of formats.
VALUES = [
    ({"path": "/a/b"}, 3),
    ({"path": "/x~1y"}, "slash"),
    ({"path": "/list/1"}, 2),
    ({"path": "/list/01"}, None),
    ({"path": "/list/length"}, None),
    ({"path": "/constructor"}, None),
    ({"x": [{"path": "/a/b"}]}, {"x": [3]}),
    ({"@path": "/a"}, {"@path": "/a"}),
    ("Hi ${/a/b}", "Hi ${/a/b}"),
    (("formatString", "Hi ${/a/b}, \\${x} ${ 'it''s' } $5"), "error"),
    (("formatString", "${/a/b}/${'it\\'s'} \\${x} $5 ${/n}${/none}${/list}${true}"), "3/it's ${x} $5 [1,2]true"),
    (("formatString", "${007} ${.5} ${-2} ${1e2} ${trueish}${formatNumber(value: /a/b, decimals: 1)}"), "7 0.5 -2 100 3.0"),
    (("formatString", "${formatString(value: 'n ${${/a/b}}')}"), "n 3"),
    (("formatString", "${nope(x: 1)}!"), "!"),
    # Formats that evaluate themselves or many others end at a limit, without the other parts.
    (("formatString", "!${formatString(value: /self)}"), "error"),
    (("formatString", "!${formatString(value: /wide/0)}"), "error"),
    (("formatString", "${/a"), "error"),
    (("formatString", "${add(a: 1"), "error"),
    (("formatString", "${add(a 1)}"), "error"),
    (("formatString", "${1.2.3}"), "error"),
    (("formatString", "${/a b}"), "error"),
    (("required", ""), False),
    (("required", []), False),
    (("required", {}), True),
    (("required", 0), True),
    (("regex", "ab1", {"pattern": "\\d"}), True),
    (("regex", "ab", {"pattern": "(["}), "error"),
    (("length", "äö😀", {"max": 3}), True),
    (("length", [1, 2], {"min": 3}), False),
    (("numeric", "12", {"min": 3}), True),
    (("numeric", "x", {"min": 3}), False),
    (("email", "a@b.example"), True),
    (("email", "a@b.e"), False),
    (("email", ""), False),
    (("formatNumber", 1234567.125, {"decimals": 2}), "1,234,567.13"),
    (("formatNumber", 1234, {"grouping": False}), "1234"),
    (("formatNumber", "x"), "error"),
    (("formatCurrency", -5.5, {"currency": "EUR"}), "-€5.50"),
    (("formatCurrency", 1, {"currency": "no code"}), "error"),
    (("formatDate", "2026-02-05T14:05:09Z", {"format": "EEEE, d MMM yyyy 'at' h:mm a ss"}), "Thursday, 5 Feb 2026 at 2:05 PM 09"),
    (("formatDate", "2026-02-05T14:05:09+02:00", {"format": "ISO"}), "2026-02-05T12:05:09.000Z"),
    (("formatDate", "2026-02-30", {"format": "d"}), ""),
    (("formatDate", 5, {"format": "d"}), ""),
    (("pluralize", 0, {"zero": "none", "other": "some"}), "none"),
    (("pluralize", 1, {"one": "", "other": "some"}), ""),
    (("pluralize", 2, {"other": "some"}), "some"),
    (("and", None, {"values": [1, "x"]}), True),
    (("or", None, {"values": [0, "", []]}), False),
    (("not", {"valid": False}), False),
]

# Values of 1.0 over the same model, in a template's third element.
VALUES_OF_ONE = [
    ({"@path": "/a/b"}, 3),
    ({"path": "/a/b", "call": "x"}, {"path": "/a/b", "call": "x"}),
    ({"@@path": "/a"}, {"@path": "/a"}),
    ({"@call": "@index", "args": {"offset": 1}}, 3),
    ({"@call": "required", "args": {"value": ""}}, {"valid": False}),
    ({"@call": "email", "args": {"value": "x"}}, {"valid": False, "code": "INVALID_EMAIL", "severity": "error", "message": "Give an e-mail address, with an @ and a host."}),
    ({"@call": "not", "args": {"value": {"@call": "required", "args": {"value": "x"}}}}, False),
]

# A model, a path, a value, and the model after the write.
WRITES = [
    ({}, "/a/b/0/c", 1, {"a": {"b": [{"c": 1}]}}),
    ({"a": 1}, "", {"b": 2}, {"b": 2}),
    ({"a": 1}, "/", None, {}),
    ({"a": {"b": 1, "c": 2}}, "/a/b", None, {"a": {"c": 2}}),
    ({"a": [1, 2, 3]}, "/a/1", None, {"a": [1, None, 3]}),
    ({"a": [1]}, "/a/9", None, {"a": [1]}),
    ({"a": [1]}, "/a/3", 4, {"a": [1, None, None, 4]}),
    ({}, "/x/y", None, {}),
    ({}, "/a~1b/~0", 1, {"a/b": {"~": 1}}),
    ({"a": 1}, "/a/b", 2, "before “b” stands a single value"),
    ({"a": []}, "/a/b", 2, "is a non-numeric segment in a list"),
    ({"a": []}, "/a/-", 2, "is a non-numeric segment in a list"),
    ({"a": []}, "/a/10001", 2, "the index 10001 is above 10000"),
    ({}, "/a" * 101, 2, "it has more than 100 segments"),
    ({}, "/__proto__/x", 1, {"__proto__": {"x": 1}}),
]

# A message to an open surface with a text, the path of the error that is sent, and a part of its words. Without a surface none is sent.
MISTAKES = [
    (7, None, "must be one of"),
    ({"version": "v2", "deleteSurface": {"surfaceId": "s"}}, "/version", "must be one of v0.9"),
    ({"version": "v0.9", "createSurface": {"surfaceId": "s"}}, "/createSurface/surfaceId", "is open; delete it first"),
    ({"version": "v0.9", "deleteSurface": {"surfaceId": "s"}, "x": {}}, "", "exactly one of"),
    ({"version": "v0.9", "callRendererFunction": {"surfaceId": "s"}}, "", "exactly one of"),
    ({"version": "v0.9", "updateComponents": {"surfaceId": "s", "components": []}}, "/updateComponents/components", "must be a list"),
    (update({"component": "Text"}), "/updateComponents/components/0/id", "needs an “id”"),
    (update({"id": "new"}), "/updateComponents/components/0/component", "has no “component”"),
    (update(text("a"), text("a")), "/updateComponents/components/1/id", "stands twice"),
    (update(text("root"), id="other"), "/updateComponents/surfaceId", "isn't open"),
    (update(text("root"), version="1.0"), "/version", "speaks v0.9, the message 1.0"),
    (write("/a/b", 1), "/updateDataModel/path", "a single value"),
    (write(7, 1), "/updateDataModel/path", "must be a text"),
    ({"version": "1.0", "createSurface": {"surfaceId": "t", "dataModel": []}}, "/createSurface/dataModel", "must be an object"),
]


class A2UITest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.mocks = MockFolder()
        cls.addClassCleanup(cls.mocks.close)
        folder = cls.mocks.path / "clinic"
        folder.mkdir()
        (folder / "booking.a2ui.json").write_text(json.dumps(BOOKING))
        (folder / "thanks.a2ui.json").write_text(json.dumps(THANKS))
        cls.server = Server("mock", "--routes", str(cls.mocks.path))
        cls.addClassCleanup(cls.server.stop)
        cls.driver = open_browser()
        cls.addClassCleanup(cls.driver.quit)
        cls.phone = Phone(cls.driver, cls.server.url)

    def tearDown(self):
        self.assertEqual(self.phone.complaints(), [])

    @contextlib.contextmanager
    def shown(self, messages, *replies):
        """Shows messages of the server; each of the client's gets the next reply, and the last one again and again."""
        with canned(self.driver, {PAGE: [messages], ACTIONS: list(replies) or [[]]}):
            self.phone.open(PAGE)
            yield

    @property
    def sent(self):
        """The bodies that were sent."""
        return [json.loads(body) for body in self.phone.script("return window.bodies") if body]

    def sent_messages(self, kind):
        return [message[kind] for body in self.sent for message in body["messages"] if kind in message]

    @property
    def lines(self):
        return [line for line in self.phone.text.split("\n") if line]

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def wait_inside(self, words):
        """Waits for words in the view inside: the browser lays out long panels only as far as they are seen, and a moment later."""
        self.phone.wait(lambda: words in " ".join(self.phone.inside.split()), words)

    def is_disabled(self, label):
        return self.phone.script("return arguments[0].disabled", self.phone.button(label))

    def count(self, selector):
        return len(self.driver.find_elements(By.CSS_SELECTOR, f".app {selector}"))

    def evaluate(self, script, *arguments):
        """What a script returns that uses the client's modules."""
        return self.driver.execute_async_script(
            """
            const [done, all] = [arguments[arguments.length - 1], [...arguments].slice(0, -1)];
            const names = ['model', 'evaluator'];
            Promise.all(names.map((name) => import(`/__preview/web/a2ui/${name}.js`))).then((modules) => {
              const attempt = (body) => { try { return body(); } catch ({message}) { return message; } };
              done((%s)(Object.assign({attempt}, ...modules), ...all));
            });
            """
            % script,
            *arguments,
        )

    def test_a_surface_of_mocks_is_used(self):
        phone = self.phone
        phone.open(PAGE)
        self.assertIn("Please give a name.", phone.text)
        self.assertTrue(self.is_disabled("Book"))
        phone.tap("Take 11:00")
        phone.wait_for("11:00 is yours.")
        phone.enter("Eve", "Name")
        phone.wait(lambda: "Please give a name." not in phone.text, "the check's end")
        phone.tap("Book")
        phone.wait(lambda: "Not you." in phone.problem, "the refusal")
        phone.tab("Data model")
        self.wait_inside('"name": "Eve"')
        phone.tab("State")
        self.wait_inside('"name":"Eve"')
        phone.enter("Ada", "Name")
        phone.tap("Book")
        phone.wait_for("See you soon.")
        self.assertEqual(phone.script("return [document.querySelector('.app h1').textContent, document.querySelector('.app strong').textContent]"), ["Thank you.", "soon"])
        phone.tab("Messages")
        for words in ["action booking take", "updateDataModel booking /note", "deleteSurface booking", "createSurface thanks"]:
            self.wait_inside(words)
        phone.tab("Test")
        for line in ['withA2UIClient(makeRouter(), at: "/clinic/", over: reach)', 'try await app.tap("Take 11:00")', 'try app.enter("Ada", into: "Name")']:
            self.wait_inside(line)
        phone.tab("Tree")
        self.wait_inside("Text")
        phone.tab("Findings")
        self.wait_inside("nothing to say")

    def test_every_component_is_drawn(self):
        phone = self.phone
        with self.shown(EVERY):
            for selector in [
                "h1.Text", ".Text h2", ".Text strong", ".Text em", ".Text code", ".Text s", ".Text ol li:nth-child(2)", ".Text blockquote p", ".Text ul li", ".Text pre code", ".Text hr", "p.Text.caption",
                ".Row[data-justify=spaceBetween][data-align=center]", ".Icon[aria-label='shopping cart'] use", ".Icon.filled[aria-label='A corner'] path", ".Image.avatar.cover[aria-label='The sign of preview'] img",
                ".Image .picture.missing", ".Video .elsewhere", "audio[aria-label='A song']", ".Divider[role=separator]", ".Card", "[role=list].across[tabindex='0'] [role=listitem]", ".Button.borderless",
            ]:
                self.assertGreater(self.count(selector), 0, selector)
            self.assertIn("[no](https://example.com) <b>tags</b>", phone.text)
            self.assertIn("snake_case", phone.text)
            left, right = phone.box(".Row > :first-child"), phone.box(".Row > :last-child")
            self.assertAlmostEqual(left["width"] / right["width"], 2, delta=0.1)
            phone.tap("Given")
            fields = {name: phone.field(name).get_attribute("value") for name in ["Line", "Lines", "Number", "Secret", "Volume", "Day", "Time", "Both"]}
            self.assertEqual(fields, {"Line": "x", "Lines": "y", "Number": "1x", "Secret": "abc", "Volume": "3", "Day": "2026-12-31", "Time": "18:30", "Both": "2026-12-31T18:30"})
            self.assertEqual([phone.field("Number").get_attribute("aria-invalid"), phone.field("Line").get_attribute("aria-invalid")], ["true", None])
            self.assertIn("It is needed.", phone.text)
            for name in ["Agree", "Blue", "Tue"]:
                phone.tap(name)
            phone.field("Volume").send_keys(Keys.ARROW_RIGHT)
            phone.script("const day = document.querySelector('[aria-label=Day]'); day.value = '2027-01-02'; day.dispatchEvent(new Event('input'))")
            phone.tab("Data model")
            for words in ['"agree": true', '"one": [ "b" ]', '"many": [ "1", "2" ]', '"volume": 4', '"day": "2027-01-02"']:
                self.wait_inside(words)
            self.assertNotIn("It is needed.", phone.text)
            phone.enter("re", "Filter One")
            phone.wait(lambda: "Blue" not in phone.text and "Red" in phone.text, "the filtered options")

    @not_in_webkit("its driver runs no foreign scripts where trusted types are required")
    def test_axe_finds_nothing_serious(self):
        with self.shown(EVERY):
            for theme in ["Light", "Dark"]:
                prefer(self.driver, theme.lower())
                self.phone.choose("theme", theme)
                for tab, inside in [("Shown", "Data model"), ("Given", "Messages")]:
                    self.phone.tap(tab)
                    self.phone.tab(inside)
                    with self.subTest(theme=theme, tab=tab):
                        self.assertEqual(serious(self.driver), [])
            self.phone.tap("Shown")
            self.phone.tap("More")
            self.assertEqual(serious(self.driver), [])
        prefer(self.driver, None)
        self.phone.choose("theme", "System")

    def test_values(self):
        self.phone.open(PAGE)
        model = {"a": {"b": 3}, "list": [1, 2], "x/y": "slash", "n": None, "self": "${formatString(value: /self)}" * 2}
        model["wide"] = [f"${{formatString(value: /wide/{level + 1})}}" * 20 for level in range(4)]
        script = """
            ({Evaluator}, all, model, isOne) => all.map((value) => {
              const evaluator = new Evaluator({id: 's', version: 'v', isOne, model, client: {callServer: (_, name) => { throw new Error(name); }}}, {path: ['list', '2'], index: 2});
              const result = evaluator.value(value);
              return evaluator.errors.length > 0 && (result ?? '') === '' ? 'error' : result ?? null;
            })
        """

        def call(value):
            if not isinstance(value, tuple):
                return value
            name, first, more = (*value, {})[:3]
            return {"call": name, "args": {"value": first, **more}}

        for values, is_one in [(VALUES, False), (VALUES_OF_ONE, True)]:
            found = self.evaluate(script, [call(value) for value, _ in values], model, is_one)
            for (value, expected), result in zip(values, found, strict=True):
                # A part with an error is empty; the error is noted.
                with self.subTest(value):
                    self.assertEqual(result, expected)

    def test_writes(self):
        self.phone.open(PAGE)
        script = """
            ({write, pathOf, attempt}, all) => all.map(([model, path, value]) => {
              const before = model;
              const after = attempt(() => write(JSON.parse(model), pathOf(path), value));
              return JSON.stringify(after);
            })
        """
        found = self.evaluate(script, [[json.dumps(model), path, value] for model, path, value, _ in WRITES])
        for (model, path, value, expected), result in zip(WRITES, found, strict=True):
            with self.subTest(model=model, path=path[:40]):
                if isinstance(expected, str):
                    self.assertIn(expected, json.loads(result))
                else:
                    self.assertEqual(json.loads(result), expected)

    def test_streams_in_pieces_and_again(self):
        self.phone.open(PAGE)
        found = self.driver.execute_async_script("""
            const done = arguments[arguments.length - 1];
            import('/__preview/web/core/events.js').then(async ({EventReader, follow}) => {
              const stream = 'id: 1\\r\\ndata: a\\r\\n\\r\\n: beat\\n\\nevent: error\\ndata: b\\ndata: c\\n\\ndata:d\\n\\n';
              const cut = [];
              for (let size = 1; size < 9; size += 1) {
                const reader = new EventReader();
                const events = [];
                for (let at = 0; at < stream.length; at += size) events.push(...reader.read(stream.slice(at, at + size)));
                cut.push(JSON.stringify(events));
              }
              const [asked, taken, stop] = [[], [], new AbortController()];
              await follow(async ({headers, take}) => {
                asked.push(headers['Last-Event-ID'] ?? null);
                if (asked.length > 2) return {type: 'application/json'};
                take([{id: String(asked.length), data: 'x'}]);
                return asked.length === 1 ? {failure: 'gone'} : {type: 'text/event-stream'};
              }, stop.signal, (events) => taken.push(...events));
              done([[...new Set(cut)], asked, taken.length]);
            });
        """)
        self.assertEqual(found[1:], [[None, "1", "2"], 2])
        self.assertEqual([json.loads(one) for one in found[0]], [[{"id": "1", "data": "a"}, {"event": "error", "data": "b\nc"}, {"data": "d"}]])

    def test_messages_that_can_not_be_applied(self):
        for message, path, words in MISTAKES:
            opening = surface(text("root", {"path": "/after"}), model={"a": 1})
            # What comes after it counts.
            with self.subTest(str(message)[:80]), self.shown([*opening, message, write("/after", "applied")]):
                self.assertIn("applied", self.phone.text)
                self.assertIn(words, self.phone.problem)
                named = isinstance(message, dict) and "surfaceId" in str(message)
                if named:
                    self.phone.wait(lambda: self.sent_messages("error"), "the report")
                reports = self.sent_messages("error")
                self.assertEqual([(report["code"], report["path"]) for report in reports], [("VALIDATION_FAILED", path)] if named else [])

    def test_responses_that_can_not_be_read(self):
        for body, words in [((500, "no"), "answered 500: no"), ("<!doctype html>", "JSON"), ([1, 2], "must be one of"), ("", ""), ({"messages": []}, "")]:
            with self.subTest(str(body)), self.shown(body):
                self.assertIn(words, self.phone.problem)
        with canned(self.driver, {PAGE: [(503, "away"), surface(text("root", "There"))]}):
            self.phone.open(PAGE)
            self.assertIn("answered 503", self.phone.text)
            self.phone.tap("Try again")
            self.phone.wait_for("There")

    def test_typing_goes_into_the_model_and_stays(self):
        phone = self.phone
        fields = [
            component("root", "Column", children=["bound", "echo", "own", "more"]),
            component("bound", "TextField", label="Bound", value={"path": "/name"}),
            text("echo", {"call": "formatString", "args": {"value": "Hello ${/name}!"}}),
            component("own", "TextField", label="Own", value="literal"),
            *button("more", "Send", {"event": {"name": "send", "context": {"path": "/kept", "name": {"path": "/name"}, "none": {"path": "/none"}, "failed": {"call": "nope"}}}}),
        ]
        with self.shown(surface(*fields, model={"name": "Ad"}), [write("/name", "from the server")]):
            field = phone.field("Bound")
            field.send_keys(Keys.END, "a")
            phone.wait_for("Hello Ada!")
            field.send_keys(Keys.HOME, "x", "y")
            phone.wait_for("Hello xyAda!")
            phone.field("Own").send_keys(Keys.END, "+")
            field.send_keys("z")
            self.assertEqual([phone.field("Own").get_attribute("value"), field.get_attribute("value")], ["literal+", "xyAdaz"])
            phone.tap("Send")
            phone.wait_for("Hello from the server!")
            self.assertEqual([phone.field("Bound").get_attribute("value"), phone.field("Own").get_attribute("value")], ["from the server", "literal+"])
            [action] = self.sent_messages("action")
            self.assertEqual(action["context"], {"path": "/kept", "name": "xyAdaz", "none": None, "failed": None})
            self.assertEqual([action["name"], action["surfaceId"], action["sourceComponentId"]], ["send", "s", "more"])
            self.assertEqual(self.sent[0]["metadata"], {"a2uiClientDataModel": {"version": "v0.9", "surfaces": {"s": {"name": "xyAdaz"}}}})
            phone.wait(lambda: [report["code"] for report in self.sent_messages("error")] == ["EXPRESSION_ERROR"], "the report of the failed call")

    def test_a_refresh_keeps_what_was_given_and_a_restart_does_not(self):
        phone = self.phone
        with self.shown(surface(component("root", "TextField", label="Name", value={"path": "/name"}), model={"name": "old"})):
            phone.enter("mine", "Name")
            for button, value in [("Refresh", "mine"), ("Restart", "old")]:
                before = len(phone.script("return window.asked"))
                self.driver.find_element(By.XPATH, f"//button[normalize-space(.)='{button}']").click()
                phone.wait(lambda: len(phone.script("return window.asked")) > before and phone.is_calm, "the surface")
                self.assertEqual(phone.field("Name").get_attribute("value"), value)

    def test_the_server_starts_something_by_itself(self):
        """Streams end, and the next one begins with the surfaces that the client has: what was typed stays."""
        phone = self.phone
        opening = surface(
            component("root", "Column", children=["name", "note"]),
            component("name", "TextField", label="Name", value={"path": "/name"}),
            text("note", {"path": "/note"}),
            model={"name": "", "note": "none"},
        )

        def stream(*messages):
            return 200, "".join(f"id: {number}\ndata: {json.dumps(message)}\n\n" for number, message in enumerate(messages)), "text/event-stream"

        again = [{"version": "v0.9", "deleteSurface": {"surfaceId": "s"}}, *opening, write("/note", "again")]
        failure = 200, 'event: error\ndata: {"detail": "It broke."}\n\n', "text/event-stream"
        with canned(self.driver, {PAGE: [opening], ACTIONS: [[]], "/clinic/": [stream(), stream(write("/note", "first")), failure, stream(*again)]}):
            phone.open(PAGE)
            phone.enter("Ada", "Name")
            phone.wait_for("first")
            phone.wait(lambda: "It broke." in phone.problem, "the error")
            phone.wait_for("again")
            self.assertEqual(phone.field("Name").get_attribute("value"), "Ada")

    def test_lists_by_templates(self):
        phone = self.phone
        rows = [
            component("root", "Column", children=["list", "bad"]),
            component("list", "List", children={"componentId": "row", "path": "/people"}),
            component("row", "Row", children=["name", "pets", "greet"]),
            component("name", "TextField", label="Name", value={"path": "name"}),
            component("pets", "List", children={"componentId": "pet", "path": "pets"}),
            text("pet", {"path": ""}),
            *button("greet", "Greet", {"event": {"name": "greet", "context": {"who": {"path": "name"}}}}),
            component("bad", "List", children={"componentId": "pet", "path": "/title"}),
        ]
        model = {"title": "no list", "people": [{"name": "Ada", "pets": ["Tom", "Kim"]}, {"name": "Lin"}]}
        # The first reply is that to the report of the list that is none.
        with self.shown(surface(*rows, model=model), [], [write("/people", [{"name": "New"}])], []):
            self.assertEqual(self.count(".List > [role=listitem] > .Row"), 2)
            self.assertIn("Tom Kim Greet", " ".join(self.lines))
            self.assertIn("is bound to /title, which isn't a list", phone.problem)
            self.driver.find_elements(By.CSS_SELECTOR, ".app input")[1].send_keys("da")
            self.driver.find_elements(By.CSS_SELECTOR, ".app .Button")[1].click()
            phone.wait(lambda: self.count("input") == 1, "the new list")
            self.assertEqual(self.sent_messages("action")[0]["context"], {"who": "Linda"})
            self.assertEqual(self.find(".app input").get_attribute("value"), "New")
            phone.tab("Test")
            self.wait_inside('try await app.tap("Greet", number: 2)')
            # The repeated tap is one in the same row.
            phone.tab("Time")
            self.driver.find_element(By.XPATH, "//button[contains(@class, 'moment') and contains(., 'Tap “Greet”')]").click()
            self.driver.find_element(By.XPATH, "//button[normalize-space(.)='Replay from here']").click()
            phone.wait(lambda: len(self.sent_messages("action")) == 2, "the repeated tap")
            self.assertEqual(self.sent_messages("action")[1]["context"], {"who": "Linda"})

    def test_checks(self):
        phone = self.phone
        checks = [
            {"condition": {"@call": "email", "args": {"value": {"@path": "/mail"}}}},
            {"condition": {"@call": "length", "args": {"value": {"@path": "/mail"}, "max": 12}}, "message": "Too long."},
        ]
        fields = [
            component("root", "Column", children=["mail", "go"]),
            component("mail", "TextField", label="Mail", value={"@path": "/mail"}, placeholder="name@example.com", **{"@checks": checks}),
            *button("go", "Go", {"event": {"name": "go"}}, **{"@checks": checks}),
        ]
        with self.shown(surface(*fields, model={"mail": ""}, version="1.0")):
            for value, message in [("x", "Give an e-mail address"), ("a@b.example", None), ("abcdef@b.example", "Too long.")]:
                phone.enter(value, "Mail")
                phone.wait(lambda: (message or "Mail") in phone.text, message)
                self.assertEqual(self.is_disabled("Go"), message is not None)
                self.assertEqual(phone.field("Mail").get_attribute("aria-invalid"), "true" if message else None)
                self.assertEqual(self.count(".messages"), 1 if message else 0)
            self.assertEqual(phone.field("Mail").get_attribute("placeholder"), "name@example.com")

    def test_tabs_and_modals_by_keyboard(self):
        phone = self.phone
        with self.shown(EVERY):
            phone.button("Shown").send_keys(Keys.ARROW_RIGHT)
            phone.wait(lambda: phone.script("return document.activeElement.textContent") == "Given" and "Filter" in phone.script("return document.querySelector('.tab-panel').innerHTML"), "the second tab")
            self.driver.switch_to.active_element.send_keys(Keys.ARROW_LEFT)
            phone.wait(lambda: phone.script("return document.activeElement.textContent") == "Shown", "the first tab")
            phone.button("More").send_keys(Keys.ENTER)
            phone.wait_for("In front")
            self.assertTrue(phone.script("return document.querySelector('.page').inert && document.activeElement.matches('.modal .close')"))
            # The trigger's own action was no URL that is opened.
            self.assertIn("openUrl doesn't open", phone.problem)
            self.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
            phone.wait(lambda: self.count(".layer") == 0, "the page")
            self.assertEqual(phone.script("return document.activeElement.textContent"), "More")

    def test_other_catalogs_and_functions(self):
        phone = self.phone
        parts = [
            component("root", "Gauge", level={"@path": "/level"}, series=[1, 2], legend="words", needles={"componentId": "needle", "path": "/needles"}),
            text("words", {"@call": "weather", "args": {"city": {"@path": "/city"}}}),
            text("needle", {"@path": ""}),
        ]
        outcome = {"version": "1.0", "agentFunctionResponse": {"functionCallId": "call_0", "value": "Rain"}}
        with self.shown(surface(*parts, model={"level": 7, "city": "Kyoto", "needles": ["N1", "N2"]}, version="1.0"), [outcome]):
            phone.wait_for("Rain")
            self.assertEqual(self.lines, ["Gauge", "level: 7", "series: [1,2]", "Rain", "N1", "N2"])
            self.assertEqual(self.sent_messages("callAgentFunction"), [{"surfaceId": "s", "functionCallId": "call_0", "callFunction": {"@call": "weather", "args": {"city": "Kyoto"}}}])
        request = {"version": "1.0", "callRendererFunction": {"functionCallId": "f", "callFunction": {"@call": "required", "catalogId": "basic"}}}
        with self.shown([request]):
            phone.wait(lambda: self.sent_messages("rendererFunctionResponse"), "the refusal")
            self.assertEqual(self.sent_messages("rendererFunctionResponse")[0]["error"]["code"], "INVALID_FUNCTION_CALL")

    def test_markup_is_text(self):
        fields = [component("root", "Column", children=["t", MARKUP, "b", "x"]), text("t", MARKUP), component(MARKUP, "TextField", label=MARKUP, value={"path": f"/{MARKUP.replace('/', '~1')}"})]
        more = [*button("b", MARKUP, {"event": {"name": MARKUP}}), component("x", MARKUP, **{"constructor": MARKUP, "__proto__": "x"})]
        with self.shown(surface(*fields, *more, model={MARKUP: MARKUP}, id=MARKUP, theme={"agentDisplayName": MARKUP})):
            self.assertEqual([self.count("img"), self.count("script")], [0, 0])
            self.assertEqual(self.phone.text.count(MARKUP), 5)
            self.assertEqual(self.phone.field(MARKUP).get_attribute("value"), MARKUP)
            for tab in ["Tree", "Data model", "Messages"]:
                self.phone.tab(tab)
            self.assertNotEqual(self.driver.title, "run")

    def test_trees_that_can_not_be_drawn(self):
        phone = self.phone
        deep = [component(f"c{n}", "Card", child=f"c{n + 1}") for n in range(200)]
        many = [component("root", "Column", children={"componentId": "item", "path": "/items"}), component("item", "TextField", value={"path": "x"}, label="Item")]
        for parts, model, words in [
            ([component("root", "Card", child="root")], {}, "“root” is within itself"),
            ([component("root", "Card", child="c0"), *deep], {}, "or too deep in others"),
            ([component("root", "Tabs")], {}, "This Tabs can't be drawn"),
            ([component("root", "ChoicePicker", options=[None], value=7)], {}, "This ChoicePicker can't be drawn"),
            ([component("root", "Row", children={"path": 7}), text("orphan", "never")], {}, ""),
            ([component("root", "Card", child={"x": 1})], {}, ""),
            (many, {"items": [{}] * 7000}, "Preview draws 5000 components"),
        ]:
            with self.subTest(words), self.shown(surface(*parts, model=model)):
                self.assertIn(words, phone.text)
                phone.tab("Tree")
                self.wait_inside("surface")

    def test_several_surfaces(self):
        phone = self.phone
        two = [*surface(*[component("root", "Column", children=["go"]), *button("go", "First", {"event": {"name": "go"}})], id="a"), *surface(text("root", "Second"), id="b")]
        with self.shown(two, [{"version": "v0.9", "deleteSurface": {"surfaceId": "b"}}, *surface(text("root", "Third"), id="c")]):
            self.assertEqual([phone.title, self.count("section.surface")], ["a, b", 2])
            phone.tap("First")
            phone.wait_for("Third")
            self.assertEqual([phone.title, self.lines], ["a, c", ["First", "Third"]])
            phone.tab("Tree")
            lines = phone.script("return [...document.querySelectorAll('.tree li')].map((line) => line.textContent)")
            self.assertEqual(lines, ["surfacea", "Columnroot", "Buttongo", "TextFirst", "surfacec", "TextThird"])
            self.driver.find_element(By.XPATH, "//li[@role='treeitem'][contains(., 'Third')]").click()
            self.assertEqual(self.find(".app [data-chosen]").text, "Third")

    def test_right_to_left(self):
        phone = self.phone
        parts = [component("root", "Row", children=["one", "arrow"]), text("one", "One"), component("arrow", "Icon", name="arrowForward")]
        with self.shown(surface(*parts)):
            self.assertLess(phone.box(".Text")["left"], phone.box(".Icon")["left"])
            phone.choose("direction", "Right to left")
            self.assertGreater(phone.box(".Text")["left"], phone.box(".Icon")["left"])
            self.assertEqual(phone.script("return getComputedStyle(document.querySelector('.Icon')).transform"), "matrix(-1, 0, 0, 1, 0, 0)")
            phone.choose("direction", "Left to right")

    def test_a_moment_is_shown_and_returned_to(self):
        phone = self.phone
        counter = [component("root", "Column", children=["n", "more"]), text("n", {"path": "/n"}), *button("more", "More", {"event": {"name": "more"}})]
        replies = [[write("/n", f"count {n}")] for n in range(1, 9)]
        with self.shown(surface(*counter, model={"n": "count 0"}), *replies):
            for n in [1, 2]:
                phone.tap("More")
                phone.wait_for(f"count {n}")
            phone.tab("Time")
            moments = self.driver.find_elements(By.XPATH, "//button[contains(@class, 'moment') and contains(., 'Tap “More”')]")
            moments[1].click()
            phone.wait(lambda: "count 1" in self.find(".app.then").text, "the phone as it was")
            self.driver.find_element(By.XPATH, "//button[normalize-space(.)='Replay from here']").click()
            # The server goes on from where it is.
            phone.wait(lambda: "count 3" in phone.script("return document.querySelector('.app:not(.then)').innerText"), "the repeated tap")

    def test_what_is_written_is_drawn(self):
        """The mock file of a surface, which the server checks, and the messages that clients get."""
        phone = self.phone
        code = "const code = document.querySelector('.CodeMirror')?.CodeMirror"
        status = "return document.querySelector('.editor-status')?.textContent ?? ''"
        phone.open(PAGE)
        phone.tab("Editor")
        phone.wait(lambda: "Nothing is wrong" in phone.script(status), "the file")
        for old, new in [("Book a visit", "Come and see us"), ("Come and see us", "Please come")]:
            phone.script(f"{code}; code.setValue(code.getValue().replace(...arguments))", old, new)
            phone.wait_for(new)
        phone.script(f"{code}; code.setValue(code.getValue().replace('TextField', 'Textfield'))")
        phone.wait(lambda: "1 error" in phone.script(status), "the mistake")
        self.driver.find_element(By.XPATH, "//*[contains(@class, 'editor')]//button[normalize-space(.)='Discard']").click()
        phone.wait_for("Book a visit")
        phone.script("const select = document.querySelector('.editor select'); select.value = 'page'; select.dispatchEvent(new Event('change'))")
        phone.wait(lambda: "createSurface" in phone.script(f"{code}; return code.getValue()"), "the messages")
        phone.script(f"{code}; code.setValue(code.getValue().replace('Book a visit', 'As messages'))")
        phone.wait_for("As messages")


class AssistantTest(PhoneTestCase):
    def another_client_takes(self, slot):
        """Opens the form as another client, and takes a slot."""
        base = f"{self.server.url}/assistant"
        with urllib.request.urlopen(f"{base}/surfaces/booking") as response:
            client = response.headers["A2UI-Client"]
        action = {"name": "take", "surfaceId": "booking", "sourceComponentId": "x", "timestamp": "2026-01-01T00:00:00Z", "context": {"id": slot}}
        body = json.dumps({"version": "v0.9", "action": action}).encode()
        urllib.request.urlopen(urllib.request.Request(f"{base}/actions", body, {"A2UI-Client": client, "Content-Type": "application/a2ui+json"})).close()

    def test_a_visit_is_booked_while_others_book(self):
        phone = self.phone
        phone.open("/assistant/surfaces/booking")
        phone.enter("Ada <b>", "Name")
        self.assertIn("10:00 with Dr Ito", phone.text)
        self.another_client_takes("ito_1000")
        # The server tells by itself; what was typed stays.
        phone.wait(lambda: "10:00 with Dr Ito" not in phone.text, "the list without the slot")
        self.assertEqual(phone.field("Name").get_attribute("value"), "Ada <b>")
        self.assertFalse(phone.button("Book").is_enabled())
        phone.tap("Take")
        phone.wait_for("Yours: 09:00 with Dr Ito")
        phone.tap("What to bring")
        phone.wait_for("Your card, and")
        self.driver.find_element(By.CSS_SELECTOR, ".modal .close").click()
        phone.wait(lambda: phone.button("Book").is_enabled(), "the button")
        phone.tap("Book")
        phone.wait_for("Thank you, Ada <b>")
        phone.tap("Cancel the visit")
        phone.wait_for("09:00 with Dr Ito")
        # A new window of the same client gets its surfaces again.
        phone.open("/assistant/surfaces/booking?version=1.0", fresh=False)
        phone.wait_for("Book a visit")
        phone.tab("JSON")
        self.assertIn('"@path": "/name"', phone.inside)


if __name__ == "__main__":
    unittest.main()
