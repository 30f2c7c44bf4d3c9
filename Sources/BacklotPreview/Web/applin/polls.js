// When a client refreshes pages by itself. Once a second it looks which pages of its stack are due; after a refresh that failed it
// waits for 5, 10, then 30 seconds, half of that more or less. Apart from that, an input may ask for one refresh a while after it
// was changed.

const WAITS = [1000, 5000, 10_000, 30_000];

export class Polls {
  /** `pass()` refreshes what is due, and says whether it went well; `delayed()` is what an input has asked for. */
  constructor(pass, delayed) {
    this.pass = pass;
    this.delayed = delayed;
    this.failures = 0;
    this.timer = null;
    this.plan();
  }

  /** An input was changed that asks for a refresh after so many milliseconds. The first of several is done. */
  schedule(milliseconds) {
    const due = performance.now() + milliseconds;
    if (this.timer !== null && this.due <= due) return;
    clearTimeout(this.timer);
    this.due = due;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.delayed();
    }, milliseconds);
  }

  plan() {
    const wait = WAITS[this.failures];
    const jitter = (Math.random() * 2 - 1) * (this.failures === 0 ? 0.05 : 0.5);
    setTimeout(async () => {
      const isWell = await this.pass().catch(() => false);
      this.failures = isWell ? 0 : Math.min(this.failures + 1, WAITS.length - 1);
      this.plan();
    }, wait + wait * jitter);
  }
}

/** Notes that a person has waited, once a refresh has brought something new: a test then waits as long. */
export class Waits {
  constructor(host) {
    this.host = host;
    this.seconds = 0;
  }

  /** Some entries of the stack were due and have been refreshed; `before` are the pages that they had. */
  refreshed(entries, before) {
    const last = this.host.steps.at(-1);
    if (this.last !== last) this.seconds = 0;
    this.last = last;
    this.seconds += Math.max(...before.map(({ pollSeconds }) => pollSeconds));
    if (entries.every(({ page }, index) => page === before[index])) return;
    this.host.step({ do: "wait", seconds: this.seconds });
    this.seconds = 0;
  }
}
