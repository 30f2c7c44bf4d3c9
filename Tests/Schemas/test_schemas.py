"""Validates files of mocks, and the pages of the demo, by the JSON Schemas that demo-server prints."""

import copy
import json
import pathlib
import re
import subprocess
import tempfile
import unittest
import urllib.request

import yaml
from jsonschema import Draft202012Validator

from server import LIMIT, PROGRAM, ROOT, Server

ROUTES = ROOT / "Routes"

# The schema of a file, by the kind that stands before the ending of its name.
KINDS = {"page": "page", "crud": "crud", "method": "xpedite", "floki": "floki", "view": "dynamic-views"} | dict.fromkeys(
    ["rpc", "get", "post", "put", "patch", "delete"], "route"
)


class Loader(yaml.SafeLoader):
    """YAML 1.2's core schema, as mocks read it: dates, yes, no, on and off are texts."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag.split(":")[-1] not in ("timestamp", "bool")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF"))


def read(text, is_yaml):
    value = yaml.load(text, Loader) if is_yaml else json.loads(text)
    # The keys of YAML's mappings may be numbers.
    return json.loads(json.dumps(value))


def demo(*arguments):
    return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True, timeout=LIMIT).stdout


SCHEMAS = {name: json.loads(demo("schema", name)) for name in ["page", "route", "mapping", "data", "crud", "floki", "xpedite", "dynamic-views"]}


def problems(schema, value):
    return [
        f"{error.json_path}: {error.message[:300]}" for error in Draft202012Validator(SCHEMAS[schema]).iter_errors(value)
    ]


def files(folder):
    """The files of a folder that have a schema, with its name and what they hold."""
    for path in sorted(folder.rglob("*")):
        parts = path.name.split(".")
        is_yaml = parts[-1] in ("yaml", "yml")
        inside = path.relative_to(folder).parts
        if not path.is_file() or inside[0].startswith(".") or inside[0] == "__files":
            continue
        if inside[0] == "mappings" and parts[-1] == "json":
            yield path, "mapping", read(path.read_text(), False)
        elif inside[0] == "data" and is_yaml:
            yield path, "data", read(path.read_text(), True)
        elif len(parts) > 2 and parts[-2] in KINDS and (is_yaml or parts[-1] == "json"):
            schema = KINDS[parts[-2]]
            # Other routes in JSON are the body itself.
            if is_yaml or schema != "route":
                yield path, schema, read(path.read_text(), is_yaml)


class SchemaTests(unittest.TestCase):
    def test_schemas_are_schemas(self):
        for name, schema in SCHEMAS.items():
            with self.subTest(name):
                Draft202012Validator.check_schema(schema)

    def check_folder(self, folder, least):
        count = 0
        for path, schema, value in files(folder):
            with self.subTest(str(path)):
                self.assertEqual(problems(schema, value), [])
                # Editors find the schema by what the file says.
                named = (
                    value.get("$schema")
                    if path.suffix == ".json"
                    else re.match(r"# yaml-language-server: \$schema=(\S+)\n# \$schema: \1\n", path.read_text()).group(1)
                )
                self.assertEqual((path.parent / named).resolve(), (folder / f".schemas/{schema}.json").resolve())
            count += 1
        self.assertGreaterEqual(count, least)
        for name, schema in SCHEMAS.items():
            self.assertEqual(json.loads((folder / f".schemas/{name}.json").read_text()), schema)

    def test_shipped_files(self):
        self.check_folder(ROUTES, 15)

    def test_new_folder(self):
        with tempfile.TemporaryDirectory() as parent:
            folder = pathlib.Path(parent) / "mocks"
            demo("new-routes", str(folder))
            self.check_folder(folder, 5)
            again = subprocess.run([PROGRAM, "new-routes", str(folder)], capture_output=True, text=True, timeout=LIMIT)
            self.assertEqual(again.returncode, 64)
            self.assertIn("isn't empty", again.stderr)


class DemoTests(unittest.TestCase):
    """The pages of the demo, as they go over the wire."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server("--routes", str(ROUTES))
        cls.url = cls.server.url

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def get(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        try:
            with urllib.request.urlopen(self.url + path, data, timeout=30) as answer:
                return answer.headers["Content-Type"], answer.read()
        except urllib.error.HTTPError:
            return None, b""

    def test_applin(self):
        # Two pages are broken on purpose.
        broken = {"/page_stack", "/objects/page_stack"}
        paths = {
            line.split()[1]
            for line in demo("routes", "--routes", str(ROUTES)).splitlines()
            if line.startswith("GET") and "{" not in line and not re.search("slow|photo|broken|poll", line)
        }
        count = 0
        for path in sorted(paths - broken):
            kind, body = self.get(path)
            if kind != "application/vnd.applin_response":
                continue
            with self.subTest(path):
                self.assertEqual(problems("page", json.loads(body)), [])
            count += 1
        self.assertGreater(count, 80)

    def test_xpedite(self):
        seen, waiting, token = 0, [{"method": "setConnection"}], None
        done = set()
        while waiting:
            packet = waiting.pop()
            done.add(packet["method"])
            page = json.loads(self.get("/xpedite", packet)[1])
            token = page.pop("token", token)
            page.pop("version", None)
            page.pop("max", None)
            if "data" in page:
                page["rows"] = page.pop("data")
                page.pop("components", None)
            with self.subTest(packet["method"]):
                self.assertEqual(problems("xpedite", page), [])
            seen += 1
            for name in re.findall(r'"(?:function|dynamic)": "([^"]+)"', json.dumps(page)):
                if name not in done:
                    done.add(name)
                    waiting.append({"method": name, "token": token})
        self.assertGreater(seen, 4)

    def test_views(self):
        names = json.loads(self.get("/views/")[1])["views"]
        for name in names:
            for dialect in ["ios", "android"]:
                with self.subTest(f"{name} {dialect}"):
                    body = self.get(f"/views/{name}.json?dialect={dialect}")[1]
                    self.assertEqual(problems("dynamic-views", json.loads(body)), [])
        self.assertGreaterEqual(len(names), 2)

    def test_floki(self):
        # A file has the rows of a feed, which are the entries on the wire.
        feeds = {}
        for name, key in [("news", "items"), ("photos", "thumbs")]:
            feed = json.loads(self.get(f"/floki/{name}/en")[1])
            texts = {section["name"]: section["name"] for section in feed.get("sections", [])}
            feeds[name] = {key: feed[key]} | ({"sections": feed["sections"]} if texts else {})
            self.assertGreater(len(feed[key]), 3)
        data = json.loads(self.get("/floki/v1-appdata")[1])
        for tab in data["tabs"]:
            for title in ["long_title", "short_title"]:
                if title in tab:
                    tab[title] = str(tab[title])
        languages = {code: texts for language in data["langs"] for code, texts in language.items()}
        self.assertEqual(problems("floki", {"languages": languages, "tabs": data["tabs"], "feeds": feeds}), [])


PAGE = {"page": {"typ": "nav_page", "title": "T", "widget": {"typ": "textfield", "var_name": "x", "max_lines": 1}}}
METHOD = {"title": "T", "components": [{"type": "label", "text": "x", "fontsize": 12}]}
VIEW = {"configuration": {}, "widgets": [{"type": "information", "id": "1", "text": "x", "hideable": True}]}
APP = {
    "languages": {"en": {"news": "News"}},
    "tabs": [{"unique_id": 1, "long_title": "news", "class_type": "News_view_controller", "feed": "news"}],
    "feeds": {"news": {"items": [{"id": 1, "title": "x", "online": True}]}},
}
MAPPING = {
    "request": {"method": "GET", "urlPath": "/a", "basicAuth": {"username": "u", "password": "p"}},
    "response": {"status": 200},
}
ROUTE = {
    "request": {"headers": {"A": {"contains": "b"}}},
    "status": 201,
    "chunkedDribbleDelay": {"numberOfChunks": 2, "totalDuration": 10},
}

# A right document of each schema; the ways to a key that is misspelt, to a value of another type, and to a required key, where
# there is one.
MISTAKES = [
    ("page", PAGE, ("page", "widget", "max_lines"), ("page", "widget", "max_lines"), ("page", "widget", "var_name")),
    ("page", PAGE["page"], ("title",), ("title",), ("widget",)),
    ("page", PAGE, ("page",), ("page", "title"), ("page", "title")),
    ("route", ROUTE, ("request", "headers"), ("status",), ("chunkedDribbleDelay", "totalDuration")),
    ("route", {"responses": [ROUTE]}, ("responses", 0, "status"), ("responses",), ("responses", 0, "chunkedDribbleDelay", "numberOfChunks")),
    ("mapping", MAPPING, ("request",), ("response", "status"), ("request", "basicAuth", "password")),
    ("mapping", {"mappings": [MAPPING]}, ("mappings", 0, "request", "urlPath"), ("mappings",), ("mappings", 0, "request", "basicAuth", "username")),
    ("data", {"rows": [{"a": 1}], "limits": {"rows": 5}}, ("limits", "rows"), ("limits", "rows"), None),
    ("crud", {"bucket": "goods"}, ("bucket",), ("bucket",), None),
    ("floki", APP, ("feeds", "news", "items", 0, "online"), ("feeds", "news", "items", 0, "id"), ("tabs", 0, "unique_id")),
    ("xpedite", METHOD, ("components", 0, "fontsize"), ("components", 0, "fontsize"), ("components", 0, "text")),
    ("xpedite", {"responses": [METHOD]}, ("responses", 0, "title"), ("responses", 0, "title"), ("responses", 0, "components")),
    ("dynamic-views", VIEW, ("widgets", 0, "hideable"), ("widgets", 0, "hideable"), ("widgets", 0, "text")),
]

# Texts with tags stand for numbers and booleans, since a lone tag becomes the value itself.
TAGS = [
    ("page", PAGE, ("page", "widget", "max_lines")),
    ("xpedite", METHOD, ("components", 0, "fontsize")),
    ("dynamic-views", VIEW, ("widgets", 0, "hideable")),
]


def changed(document, way, change):
    document = copy.deepcopy(document)
    place = document
    for step in way[:-1]:
        place = place[step]
    change(place, way[-1])
    return document


def misspell(place, key):
    place[key + "x"] = place.pop(key)


def retype(place, key):
    place[key] = 7 if isinstance(place[key], (str, list)) else "seven"


class MistakeTests(unittest.TestCase):
    def test_mistakes(self):
        for name, document, misspelt, mistyped, missing in MISTAKES:
            self.assertEqual(problems(name, document), [], name)
            changes = [(misspell, misspelt), (retype, mistyped), (lambda place, key: place.pop(key), missing)]
            for change, way in changes if missing else changes[:2]:
                with self.subTest(f"{name} {way}"):
                    self.assertNotEqual(problems(name, changed(document, way, change)), [])

    def test_blocks(self):
        widget = PAGE["page"]["widget"]
        for inside, is_right in [(widget, True), ([widget, {"{{#if a}}": [widget]}], True), ({"typ": "texd"}, False), ([7], False)]:
            page = {"typ": "nav_page", "title": "T", "widget": {"typ": "form", "widgets": [{"{{#each data.a}}": inside}]}}
            with self.subTest(str(inside)):
                self.assertEqual(problems("page", {"page": page}) == [], is_right)
        page = {"typ": "nav_page", "{{#if a}}": {"title": "A"}, "{{else}}": {"title": "B"}, "widget": widget}
        self.assertEqual(problems("page", {"page": page}), [])
        self.assertNotEqual(problems("page", {"page": page | {"tytle": "C"}}), [])

    def test_tags(self):
        for name, document, way in TAGS:
            with self.subTest(name):
                tagged = changed(document, way, lambda place, key: place.update({key: "{{variables.x}}"}))
                self.assertEqual(problems(name, tagged), [])


if __name__ == "__main__":
    unittest.main()
