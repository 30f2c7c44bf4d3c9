"""Firefox, driven as Selenium drives Chromium, but by WebDriver BiDi, which it speaks itself: Debian has no geckodriver.

Selenium's own classes are in front. Behind them is what the tests need of WebDriver's commands, each as one of BiDi's."""

import atexit
import contextlib
import json
import math
import queue
import subprocess
import tempfile
import threading
import time

import websocket
from selenium.common import exceptions
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.firefox.options import Options
from selenium.webdriver.remote.command import Command
from selenium.webdriver.remote.webdriver import WebDriver

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
#: In how many seconds Firefox must have shown its first page, which has taken a minute and a half beside builds and other tests; and
#: for how long a later command waits.
START_LIMIT, LIMIT = 150, 120
MODIFIERS = {Keys.SHIFT, Keys.CONTROL, Keys.ALT, Keys.META}
ERRORS = {
    "no such node": exceptions.StaleElementReferenceException,
    "stale element reference": exceptions.StaleElementReferenceException,
    "no such element": exceptions.NoSuchElementException,
}

# Finds what CSS or XPath says, below an element or in the document.
FIND = """
function(way, text, below) {
  if (way === "css selector") return [...(below ?? document).querySelectorAll(text)];
  const found = document.evaluate(text, below ?? document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
  return Array.from({length: found.snapshotLength}, (_, index) => found.snapshotItem(index));
}
"""
# Brings an element to where it can be clicked; says what is in front of it.
UNCOVER = """
function() {
  this.scrollIntoView({block: "nearest", inline: "nearest"});
  const {left, top, right, bottom} = this.getBoundingClientRect();
  const [x, y] = [(Math.max(0, left) + Math.min(innerWidth, right)) / 2, (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2];
  const front = document.elementFromPoint(x, y);
  return this === front || this.contains(front) ? null : String(front?.outerHTML).slice(0, 200);
}
"""
# Gives an element the keys, which are entered behind what is there.
FOCUS = """
function() {
  if (document.activeElement === this) return;
  this.focus();
  if (typeof this.selectionEnd === "number") this.setSelectionRange(this.value.length, this.value.length);
}
"""


class Browser:
    """A Firefox with a profile of its own, and the connection to it."""

    running = None

    @classmethod
    def shared(cls):
        """One for all tests: it takes seconds to start."""
        if cls.running is None:
            cls.running = cls()
            atexit.register(cls.running.end)
        return cls.running

    def __init__(self):
        # On a busy machine, its first command was never answered.
        for is_last in (False, True):
            try:
                return self.start()
            except (AssertionError, OSError, websocket.WebSocketException, exceptions.WebDriverException) as error:
                self.kill()
                if is_last:
                    raise
                print(f"Firefox is started again: {error}", flush=True)

    def start(self):
        """Starts it, asks it until it answers, and has it show a page."""
        end = time.monotonic() + START_LIMIT
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        # Servers that stop wait for idle connections of clients that may ask once more.
        with open(f"{self.profile.name}/user.js", "w") as file:
            file.write('user_pref("network.http.keep-alive.timeout", 1);\n')
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", self.profile.name],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        address, lines = queue.Queue(), []
        threading.Thread(target=self.read_log, args=[self.process.stderr, lines, address], daemon=True).start()
        try:
            url = address.get(timeout=START_LIMIT)
        except queue.Empty:
            url = ""
        if not url:
            raise AssertionError(f"Firefox doesn't listen; it says: {''.join(lines)}")
        self.socket = websocket.create_connection(url + "/session", suppress_origin=True, timeout=30)
        self.socket.settimeout(5)
        self.count = 0
        self.entries = []
        while True:
            with contextlib.suppress(websocket.WebSocketTimeoutException):
                self.send("session.status")
                break
            if time.monotonic() > end:
                raise AssertionError(f"Firefox has answered nothing after {START_LIMIT} s")
        self.socket.settimeout(max(5, end - time.monotonic()))
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])
        tab = self.send("browsingContext.create", type="tab")["context"]
        self.send("browsingContext.navigate", context=tab, url="about:blank", wait="complete")
        self.send("browsingContext.close", context=tab)
        self.socket.settimeout(LIMIT)

    @staticmethod
    def read_log(log, lines, address):
        """Finds the address; an empty one where Firefox ends first. It would wait for room in the pipe if nobody read on."""
        for line in log:
            lines.append(line)
            if "BiDi listening on " in line:
                address.put(line.split()[-1])
        address.put("")

    def send(self, method, **parameters):
        """Sends a command of BiDi; events that come before its answer are kept, and answers to commands that nobody waits for are not."""
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while True:
            try:
                message = json.loads(self.socket.recv())
            except websocket.WebSocketTimeoutException as error:
                raise websocket.WebSocketTimeoutException(f"Firefox hasn't answered {method} after {self.socket.gettimeout():.0f} s") from error
            if message["type"] == "event":
                entry = message["params"]
                self.entries.append({"source": entry["type"], "level": entry["level"].upper(), "message": entry["text"]})
            elif message["id"] == self.count:
                break
        if message["type"] == "error":
            raise ERRORS.get(message["error"], exceptions.WebDriverException)(f"{method}: {message['message']}")
        return message["result"]

    def end(self):
        try:
            self.send("browser.close")
            self.socket.close()
            self.process.wait(30)
        finally:
            self.kill()

    def kill(self):
        self.process.kill()
        self.process.wait(30)
        self.profile.cleanup()


class Connection:
    """What Selenium takes for the driver's server: a tab."""

    def __init__(self, width, height):
        self.browser = Browser.shared()
        self.context = self.browser.send("browsingContext.create", type="tab")["context"]
        self.send("browsingContext.setViewport", viewport={"width": width, "height": height})

    def send(self, method, **parameters):
        """Sends a command about the tab."""
        return self.browser.send(method, context=self.context, **parameters)

    def call(self, function, *arguments, this=None, wait=False):
        answer = self.browser.send(
            "script.callFunction", functionDeclaration=function, arguments=[local(one) for one in arguments], awaitPromise=wait,
            this={"type": "undefined"} if this is None else {"sharedId": this}, target={"context": self.context}, userActivation=True)
        if answer["type"] == "exception":
            raise exceptions.JavascriptException(answer["exceptionDetails"]["text"])
        return remote(answer["result"])

    def find(self, way, text, below=None):
        return self.call(FIND, way, text, None if below is None else {ELEMENT: below})

    def act(self, kind, actions, **more):
        self.send("input.performActions", actions=[{"type": kind, "id": kind, "actions": actions, **more}])

    def type(self, keys):
        held, actions = [], []
        for key in keys:
            if key in MODIFIERS:
                held.append(key)
                actions.append({"type": "keyDown", "value": key})
            elif key == Keys.NULL:
                actions += ({"type": "keyUp", "value": one} for one in reversed(held))
                held = []
            else:
                actions += ({"type": kind, "value": key} for kind in ["keyDown", "keyUp"])
        self.act("key", actions + [{"type": "keyUp", "value": one} for one in reversed(held)])

    def execute(self, command, parameters):
        """Does one of WebDriver's commands."""
        return {"value": self.commands[command](self, **{name.replace("$", ""): value for name, value in parameters.items() if name != "sessionId"})}

    def begin(self, capabilities):
        return {"sessionId": "firefox", "capabilities": {}}

    def navigate(self, url):
        self.send("browsingContext.navigate", url=url, wait="complete")

    def run(self, script, args):
        return self.call(f"function() {{ {script} }}", *args)

    def run_and_wait(self, script, args):
        return self.call(f"function(...all) {{ return new Promise((done) => (function() {{ {script} }}).call(null, ...all, done)); }}", *args, wait=True)

    def first(self, using, value, id=None):
        found = self.find(using, value, id)
        if not found:
            raise exceptions.NoSuchElementException(value)
        return found[0]

    def click(self, id):
        cover = self.call(UNCOVER, this=id)
        if cover is not None:
            raise exceptions.ElementClickInterceptedException(cover)
        place = {"type": "pointerMove", "x": 0, "y": 0, "origin": {"type": "element", "element": {"sharedId": id}}}
        self.act("pointer", [place, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}], parameters={"pointerType": "mouse"})

    def enter(self, id, text, value):
        self.call(FOCUS, this=id)
        self.type(text)

    def perform(self, actions):
        for source in actions:
            for action in source.get("actions", []):
                if isinstance(action.get("origin"), dict):
                    action["origin"] = {"type": "element", "element": {"sharedId": action["origin"][ELEMENT]}}
        self.send("input.performActions", actions=actions)

    def about_cookies(self, method, **parameters):
        return self.browser.send(method, partition={"type": "context", "context": self.context}, **parameters)

    def cookie(self, name):
        for one in self.about_cookies("storage.getCookies", filter={"name": name})["cookies"]:
            return {**one, "value": one["value"]["value"]}
        raise exceptions.NoSuchCookieException(name)

    def log(self, type):
        entries, self.browser.entries = self.browser.entries, []
        return entries

    commands = {
        Command.NEW_SESSION: begin,
        Command.GET: navigate,
        Command.REFRESH: lambda self: self.send("browsingContext.reload", wait="complete"),
        Command.GET_CURRENT_URL: lambda self: self.call("() => location.href"),
        Command.W3C_EXECUTE_SCRIPT: run,
        Command.W3C_EXECUTE_SCRIPT_ASYNC: run_and_wait,
        Command.FIND_ELEMENT: first,
        Command.FIND_ELEMENTS: lambda self, using, value: self.find(using, value),
        Command.FIND_CHILD_ELEMENT: first,
        Command.FIND_CHILD_ELEMENTS: lambda self, using, value, id: self.find(using, value, id),
        Command.W3C_GET_ACTIVE_ELEMENT: lambda self: self.call("() => document.activeElement"),
        Command.CLICK_ELEMENT: click,
        Command.SEND_KEYS_TO_ELEMENT: enter,
        Command.CLEAR_ELEMENT: lambda self, id: self.enter(id, [Keys.CONTROL, "a", Keys.NULL, Keys.DELETE], None),
        Command.ELEMENT_SCREENSHOT: lambda self, id: self.send("browsingContext.captureScreenshot", clip={"type": "element", "element": {"sharedId": id}})["data"],
        Command.GET_ELEMENT_TEXT: lambda self, id: self.call("function() { return this.innerText.trim() }", this=id),
        Command.GET_ELEMENT_PROPERTY: lambda self, id, name: self.call("function(name) { return this[name] }", name, this=id),
        Command.W3C_ACTIONS: perform,
        Command.GET_COOKIE: cookie,
        Command.DELETE_ALL_COOKIES: lambda self: self.about_cookies("storage.deleteCookies"),
        Command.GET_LOG: log,
        Command.SCREENSHOT: lambda self: self.send("browsingContext.captureScreenshot")["data"],
        Command.QUIT: lambda self: self.send("browsingContext.close"),
    }


def local(value):
    """A value as BiDi takes it."""
    if value is None:
        return {"type": "null"}
    if isinstance(value, bool):
        return {"type": "boolean", "value": value}
    if isinstance(value, (int, float)):
        return {"type": "number", "value": value}
    if isinstance(value, str):
        return {"type": "string", "value": value}
    if isinstance(value, list):
        return {"type": "array", "value": [local(one) for one in value]}
    if ELEMENT in value:
        return {"sharedId": value[ELEMENT]}
    return {"type": "object", "value": [[name, local(one)] for name, one in value.items()]}


def remote(value, known=None):
    """A value that BiDi gives. What is in it twice is written once."""
    kind, content = value["type"], value.get("value")
    known = {} if known is None else known
    if kind == "node":
        return {ELEMENT: value["sharedId"]}
    if kind in ("array", "nodelist", "htmlcollection", "object"):
        if content is None:
            return known.get(value.get("internalId"))
        found = known[value.get("internalId")] = {} if kind == "object" else []
        if kind == "object":
            found.update((name, remote(one, known)) for name, one in content)
        else:
            found.extend(remote(one, known) for one in content)
        return found
    if kind == "number" and isinstance(content, str):
        return {"NaN": math.nan, "-0": 0, "Infinity": math.inf, "-Infinity": -math.inf}[content]
    return content


class Firefox(WebDriver):
    def __init__(self, width, height):
        super().__init__(command_executor=Connection(width, height), options=Options())

    def quit(self):
        self.execute(Command.QUIT)

    def get_log(self, log_type):
        return self.execute(Command.GET_LOG, {"type": log_type})["value"]
