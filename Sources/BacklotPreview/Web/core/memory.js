// The state that survives a reload of the browser's window. Each window is a phone of its own.

/** Remembers values under names that begin with `prefix`. A browser that keeps nothing costs only the memory. */
export class Memory {
  constructor(prefix) {
    this.prefix = `backlot:${prefix}:`;
  }

  get(name) {
    try {
      const text = sessionStorage.getItem(this.prefix + name);
      return text === null ? undefined : JSON.parse(text);
    } catch {
      return undefined;
    }
  }

  set(name, value) {
    try {
      if (value === undefined) sessionStorage.removeItem(this.prefix + name);
      else sessionStorage.setItem(this.prefix + name, JSON.stringify(value));
    } catch {
      // Full, or forbidden: then it isn't remembered.
    }
  }
}
