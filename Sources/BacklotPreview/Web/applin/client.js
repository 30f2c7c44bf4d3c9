// A client's state and behaviour: the stack of pages, the variables, and lists of actions, which run in order until one fails.

import { ShownError } from "./responses.js";
import { below } from "./base-url.js";
import { Drafting } from "./drafting.js";
import { errorPath, placeholder, staticPage } from "./static-pages.js";
import { Polls, Waits } from "./polls.js";

export class Client extends Drafting {
  constructor(host) {
    super(host);
    this.lastError = null;
    /** The layer in front of the page: null, `{modal}` or `{photo}`, which has a function `close` as soon as it is drawn. */
    this.layer = null;
    this.isBusy = false;
    this.onChange = () => {};
    this.waits = new Waits(host);
    this.polls = new Polls(() => this.refreshDue(), () => this.run([{ typ: "poll" }]));
  }

  // Starting

  /** Shows what was shown before the browser's window was loaded again, or else the page in its address. */
  async launch() {
    const path = below(this.host.basePath, location.pathname) + location.search;
    const kept = this.host.memory.get("stack") ?? [];
    const isKept = kept.at(-1) === path;
    if (!isKept || this.host.steps.length === 0) {
      this.host.clearSteps();
      this.host.step(isKept && kept.length > 1 ? { do: "launch", paths: kept } : { do: "launch", paths: [path] });
    } else {
      this.host.step({ do: "relaunch" });
    }
    await this.start(isKept ? kept : [path]);
  }

  /** Begins anew at the first page, with no variables. */
  async restart() {
    this.variables = {};
    this.lastError = null;
    this.host.clearSteps();
    this.host.step({ do: "launch", paths: ["/"] });
    await this.start(["/"]);
  }

  async start(paths) {
    this.layer?.close?.();
    Object.assign(this, { layer: null, life: {}, isBusy: false });
    this.stack = paths.map((path) => ({ path, page: staticPage(path) ?? placeholder, findings: [], updated: -Infinity, texts: new Map() }));
    this.changed();
    // Nobody waits at the start: what fails is shown.
    await this.run([{ typ: "poll" }]);
  }

  /** Behaves as another release, which is started with the pages that were there. */
  async choose(version) {
    this.chosen = version || null;
    this.host.memory.set("client", version || undefined);
    const kept = this.host.memory.get("stack") ?? [];
    const paths = kept.length > 0 ? kept : ["/"];
    this.host.clearSteps();
    this.host.step({ do: "launch", paths });
    await this.start(paths);
  }

  /** Forgets the variables, as if the pages were pushed anew. */
  forgetVariables() {
    this.variables = {};
    for (const entry of this.stack) entry.texts = this.shownOf(entry.page).texts;
    this.changed();
  }

  // Actions

  /** A person has tapped something. While the last tap is being done, further ones don't count. */
  async tap(actions, revert = null) {
    if (this.isBusy) return;
    this.isBusy = true;
    const { life } = this;
    this.changed();
    try {
      await this.run(actions, revert);
    } finally {
      if (life === this.life) this.isBusy = false;
      this.changed();
    }
  }

  /** Does a list of actions. `revert` takes back what began it when it doesn't come to its end. */
  async run(actions, revert = null, pollsForAll = actions.some(({ typ }) => typ === "on_user_error_poll")) {
    for (const [index, action] of actions.entries()) {
      try {
        const rest = {
          revert, goOn: () => this.run(actions.slice(index + 1), revert, pollsForAll), fail: (error) => this.fail(error, revert, pollsForAll),
        };
        if ((await this.perform(action, rest)) === "stop") {
          if (this.layer?.photo === undefined) revert?.();
          this.changed();
          return;
        }
      } catch (error) {
        return void (await this.fail(error, revert, pollsForAll || (action.typ === "rpc" && action.pollsOnUserError)));
      }
    }
    this.changed();
  }

  /** Ends a list with an error. */
  async fail(error, revert, polls) {
    const shown = error instanceof ShownError ? error : new ShownError("app", String(error?.message ?? error));
    let { kind } = shown;
    if (kind === "user" && polls && this.top) {
      // The page says at its fields what is wrong. If it can't, only the error is shown.
      await this.poll(this.top.path).catch((problem) => ({ kind } = problem));
    }
    if (kind === "ended") return;
    revert?.();
    this.show(shown);
  }

  async perform(action, rest) {
    switch (action.typ) {
      case "on_user_error_poll": return undefined;
      case "stop_actions": return "stop";
      case "copy_to_clipboard": return void (await this.living(this.host.copy(action.argument)));
      case "launch_url": return void this.host.open(action.argument);
      case "reset_var":
        delete this.variables[action.argument];
        return undefined;
      case "modal":
        this.layer = { modal: action };
        return "stop";
      case "choose_photo":
      case "take_photo":
        this.layer = { photo: { action, ...rest } };
        return "stop";
      case "logout":
        this.variables = {};
        this.lastError = null;
        await this.living(this.host.forgetCookie());
        return void (await this.replaceAll("/"));
      case "pop":
        if (this.stack.length < 2) throw new ShownError("app", "The app popped its last page.");
        this.stack.pop();
        return undefined;
      case "poll": return this.top ? void (await this.poll(this.top.path)) : undefined;
      case "push": return void (await this.push(action.argument));
      case "replace_all": return void (await this.replaceAll(action.argument));
      case "rpc": return void (await this.call(action.argument));
      default:
        if (this.ownActions.has(action.typ)) return void this.host.problem(`Preview does nothing for ${action.typ}, an action of the app's own clients.`);
        throw new ShownError("app", `The client knows no action ${action.typ}.`);
    }
  }

  async push(path) {
    const loaded = await this.load(path);
    if (this.stack.some((entry) => entry.path === path)) {
      throw new ShownError("app", `The app pushed ${path}, which is on the stack already.`);
    }
    this.stack.push(this.entry(path, loaded));
    await this.validate(path, loaded.page);
  }

  async replaceAll(path) {
    const loaded = await this.load(path);
    this.stack = [this.entry(path, loaded)];
    await this.validate(path, loaded.page);
  }

  /** Sends the variables of a page that has just come, so that the backend can say what is wrong with them. */
  async validate(path, page) {
    if (page.hasValidatedInput) await this.poll(path);
  }

  async poll(path, isBackground = false) {
    const draft = this.stack.find((entry) => entry.path === path && entry.isDraft);
    if (draft) return void (draft.updated = performance.now());
    const loaded = await this.load(path, isBackground);
    const entry = this.stack.find((entry) => entry.path === path);
    // A draft and the response to a later request stay.
    if (!entry || entry.isDraft || loaded.number < entry.number) return;
    Object.assign(entry, this.shownOf(loaded.page, entry), loaded, { updated: performance.now() });
  }

  entry(path, loaded) {
    return { path, ...loaded, updated: performance.now(), ...this.shownOf(loaded.page) };
  }

  /** Keeps an error and shows its page, unless that is on the stack already. */
  show(error) {
    this.lastError = error;
    this.host.problem(`${{ user: "The backend refused", app: "The app is wrong", server: "The server failed", network: "No answer" }[error.kind]}: ${error.message}`);
    const path = errorPath(error.kind);
    if (!this.stack.some((entry) => entry.path === path)) {
      this.stack.push(this.entry(path, { page: staticPage(path), findings: [] }));
    }
    this.changed();
  }

  // Time

  /** Refreshes the pages that poll and are due, hidden ones too. One that fails doesn't keep those below it from being refreshed. */
  async refreshDue() {
    if (this.isBusy || document.hidden) return true;
    const due = this.stack.toReversed().filter((entry) => entry.page.pollSeconds && !(staticPage(entry.path) && entry.page !== placeholder)
      && entry.updated + entry.page.pollSeconds * 1000 <= performance.now());
    const before = due.map(({ page }) => page);
    let isWell = true;
    for (const { path } of due) {
      try {
        await this.poll(path, true);
      } catch (error) {
        if (error.kind === "ended") return true;
        this.host.problem(`A refresh of ${path} failed: ${error.message}. The client tries again later, and shows nothing.`);
        isWell = false;
      }
    }
    if (due.length > 0) {
      this.waits.refreshed(due, before);
      this.changed();
    }
    return isWell;
  }

  /** The server has something new: every page of the stack is asked for again, by GET where it has no variables. */
  async refreshAll(reason) {
    const paths = this.stack.map((entry) => entry.path).filter((path) => !staticPage(path)).toReversed();
    let isWell = true;
    for (const path of paths) await this.poll(path, true).catch(() => (isWell = false));
    // An error that stood there for the old version says nothing about the new one.
    if (isWell && paths.length > 0 && this.top && /^\/applin_(app|server|network)_error$/.test(this.top.path)) this.stack.pop();
    this.host.problem(reason);
    this.changed();
  }

  // Showing

  keep() {
    this.host.memory.set("variables", this.variables);
    const firstEphemeral = this.stack.findIndex(({ page }) => page.isEphemeral);
    this.host.memory.set("stack", this.stack.slice(0, firstEphemeral < 0 ? undefined : firstEphemeral).map(({ path }) => path));
  }

  changed() {
    this.keep();
    this.compareTexts();
    this.onChange();
  }
}
