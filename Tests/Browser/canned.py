"""Answers that no backend should give, in the place of the server's own."""

import contextlib
import json

WRAPPER = """
(() => {
  const answers = %s;
  const real = window.fetch;
  const given = {};
  window.asked = [];
  window.bodies = [];
  window.fetch = (url, options) => {
    const parsed = new URL(url, location.origin);
    const path = parsed.pathname;
    if (!Object.hasOwn(answers, path)) return real(url, options);
    window.asked.push(path + parsed.search);
    window.bodies.push(options?.body ?? null);
    const all = answers[path];
    given[path] = (given[path] ?? -1) + 1;
    const {status, body, type} = all[Math.min(given[path], all.length - 1)];
    return Promise.resolve(new Response(body, {status, headers: {"Content-Type": type}}));
  };
})();
"""


@contextlib.contextmanager
def canned(driver, answers):
    """While it lasts, pages get `answers` by their paths: each a list, of which the last one is given again and again. An answer is a
    body, or a status with one and perhaps its type; what isn't a text becomes JSON."""

    def answer(one):
        status, body, *more = one if isinstance(one, tuple) else (200, one)
        return {"status": status, "type": more[0] if more else "application/json", "body": body if isinstance(body, str) else json.dumps(body)}

    table = {path: [answer(one) for one in each] for path, each in answers.items()}
    added = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WRAPPER % json.dumps(table)})
    try:
        yield
    finally:
        driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
