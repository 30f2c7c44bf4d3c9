// Actions, in whichever dialect they were written: `"push:/terms"` or `{"typ": "push", "page": "/terms"}`.

/** The name of an action's argument, if it has one. */
const ARGUMENTS = {
  choose_photo: "url", copy_to_clipboard: "string_value", launch_url: "url", push: "page", replace_all: "page",
  reset_var: "var_name", rpc: "url", take_photo: "url",
};

const ALONE = new Set(["logout", "modal", "on_user_error_poll", "poll", "pop", "stop_actions"]);

/** Reads an action, or returns null. */
export function readAction(value) {
  if (typeof value === "string") {
    const colon = value.indexOf(":");
    const typ = colon < 0 ? value : value.slice(0, colon);
    return completed(typ, colon < 0 ? undefined : value.slice(colon + 1), {});
  }
  if (value === null || typeof value !== "object" || typeof value.typ !== "string") return null;
  return completed(value.typ, value[ARGUMENTS[value.typ]], value);
}

function completed(typ, argument, object) {
  if (ALONE.has(typ)) return { typ, ...(typ === "modal" ? modal(object) : {}) };
  if (!Object.hasOwn(ARGUMENTS, typ)) return { typ };
  if (typeof argument !== "string") return null;
  if (typ === "choose_photo" || typ === "take_photo") return { typ, ...photo(argument, object) };
  return { typ, argument, pollsOnUserError: object.on_user_error_poll === true };
}

/** The URL for a photo, and the ratio of width to height to which it is cut. Where actions are strings, the ratio stands at the
 * end of the URL, and clients take it off. */
function photo(url, object) {
  const [, place, digits] = object.typ === undefined ? /^(.*)\?aspect_ratio=([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/is.exec(url) ?? [] : [];
  const ratio = place === undefined ? object.aspect_ratio : Number(digits);
  return { argument: place ?? url, ratio: typeof ratio === "number" && ratio > 0 ? ratio : null };
}

function modal(object) {
  const buttons = Array.isArray(object.buttons) ? object.buttons : [];
  return {
    title: text(object.title), message: text(object.message),
    buttons: buttons.map((button) => {
      const name = text(button?.text);
      const isDestructive = name.startsWith("!");
      return { text: isDestructive ? name.slice(1) : name, isDestructive, actions: readActions(button?.actions) };
    }),
  };
}

/** Reads a list of actions. */
export function readActions(value) {
  return Array.isArray(value) ? value.map(readAction).filter(Boolean) : [];
}

function text(value) {
  return typeof value === "string" ? value : "";
}
