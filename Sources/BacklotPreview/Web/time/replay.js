// Repeats actions against the current server.

import { find, wordsOf } from "./locate.js";

/** The longest wait for an element to tap, in milliseconds. */
const PATIENCE = 10_000;

export class Replay {
  constructor(host) {
    this.host = host;
    this.isStopped = false;
  }

  /** Goes back to a state, and repeats the actions. If the first of them isn't possible there, the app begins anew and repeats the earlier
   * actions too: `before` is `{state, actions}`, or null. `tell(text)` hears how far it is. Returns what went wrong; null where
   * nothing did. */
  async run(state, actions, before, tell) {
    const { app } = this.host;
    tell("Going back…");
    if (state && app.restore) await app.restore(state);
    else await app.restart();
    if (before?.actions.length > 0 && actions.length > 0 && !(await this.wait(actions[0])) && !this.isStopped) {
      return this.run(before.state, [...before.actions, ...actions], null, tell);
    }
    for (const [index, action] of actions.entries()) {
      tell(`${index + 1} of ${actions.length}: ${wordsOf(action)}`);
      if (action.do === "file") return `${wordsOf(action)}: no script may choose a file. Go on by hand.`;
      const element = await this.wait(action);
      if (this.isStopped) return "It was stopped.";
      if (!element) return `${wordsOf(action)}: there is no such thing on ${this.host.view.title || this.host.view.path} now.`;
      if (element.disabled) return `${wordsOf(action)}: it is disabled now.`;
      perform(action, element);
      await this.calm();
    }
    return this.isStopped ? "It was stopped." : null;
  }

  stop() {
    this.isStopped = true;
  }

  async wait(action) {
    const end = performance.now() + PATIENCE;
    for (;;) {
      const element = this.isCalm ? find(action, this.host.screen) : null;
      if (element || this.isStopped) return element;
      // A calm page doesn't change any more.
      if (performance.now() > end || (this.isCalm && (await this.change(400)) === false)) return find(action, this.host.screen);
      await frame();
    }
  }

  get isCalm() {
    return this.host.exchanges.running === 0 && this.host.screen.querySelector(".page[aria-busy=true]") === null;
  }

  /** The effects of an action begin at once or in the next frames, and have ended when the phone is calm. */
  async calm() {
    const end = performance.now() + PATIENCE;
    await frame();
    await frame();
    while (!this.isCalm && !this.isStopped && performance.now() < end) await frame();
  }

  /** Whether the screen changes within a time, in milliseconds. */
  change(patience) {
    return new Promise((resolve) => {
      const observer = new MutationObserver(() => end(true));
      const timer = setTimeout(() => end(false), patience);
      const end = (isChanged) => {
        clearTimeout(timer);
        observer.disconnect();
        resolve(isChanged);
      };
      observer.observe(this.host.screen, { childList: true, subtree: true, characterData: true, attributes: true });
    });
  }
}

function perform(action, element) {
  if (action.do === "tap") return element.click();
  element.focus({ preventScroll: true });
  element.value = action.value;
  for (const type of action.do === "enter" ? ["input", "change"] : ["change"]) element.dispatchEvent(new Event(type, { bubbles: true }));
}

/** A frame; or a while, where the window is hidden and none is drawn. */
function frame() {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 100);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
