// What the text is written in: CodeMirror where the program has it, and else a plain text area.

import { el, fill } from "../core/element.js";

const ROOT = "/__preview/web/codemirror/";
/** Lines that are longer make CodeMirror slow, and so do larger texts: a text area is better then. */
const [LONGEST_LINE, LARGEST] = [20_000, 3_000_000];
let loading = null;

/** CodeMirror; null where the program was built without it. It is loaded when it is needed for the first time. */
async function codeMirror() {
  loading ??= (async () => {
    try {
      for (const sheet of ["codemirror.css", "show-hint.css"]) document.head.append(el("link", { rel: "stylesheet", href: ROOT + sheet }));
      // They are scripts of the old kind: each finds the first one in the window.
      for (const script of ["codemirror.js", "show-hint.js", "closebrackets.js", "yaml.js"]) await import(ROOT + script);
      defineJSON(window.CodeMirror);
      return window.CodeMirror;
    } catch {
      return null;
    }
  })();
  return loading;
}

/** The colours of JSON. */
function defineJSON(CodeMirror) {
  CodeMirror.defineMode("json-text", (config) => ({
    startState: () => ({ depth: 0 }),
    token: (stream, state) => {
      if (stream.eatSpace()) return null;
      if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return stream.match(/^\s*:/, false) ? "property" : "string";
      if (stream.match(/^-?\d[\d.eE+-]*/)) return "number";
      if (stream.match(/^(?:true|false|null)\b/)) return "atom";
      const character = stream.next();
      if (character === "{" || character === "[") state.depth += 1;
      if (character === "}" || character === "]") state.depth -= 1;
      return /[[\]{},:]/.test(character) ? null : "error";
    },
    indent: (state, after) => Math.max(0, state.depth - (/^[}\]]/.test(after) ? 1 : 0)) * config.indentUnit,
    electricInput: /^\s*[}\]]$/,
  }));
}

/** Makes a surface for a text: `{element, text, isPlain, offset, focus(), select(start, end), mark(places), layout()}`. */
export async function makeSurface(text, isYAML, on) {
  const isPlain = text.length > LARGEST || /[^\n]{20001}/.test(text);
  const CodeMirror = isPlain ? null : await codeMirror();
  return CodeMirror ? new Code(CodeMirror, text, isYAML, on) : new Area(text, on);
}

/** Whether a text that has grown in CodeMirror is better off in a text area. */
export function isTooLarge(surface, text) {
  return !surface.isPlain && text.length > LARGEST;
}

class Area {
  constructor(text, on) {
    this.isPlain = true;
    this.element = el("textarea", { class: "plain-editor", spellcheck: "false", wrap: text.length > LONGEST_LINE ? "off" : "soft", "aria-label": "The text" });
    this.element.value = text;
    this.element.addEventListener("input", () => on.change());
    for (const event of ["keyup", "click"]) this.element.addEventListener(event, () => on.move());
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      on.save();
    });
  }

  get text() {
    return this.element.value;
  }

  get offset() {
    return this.element.selectionStart;
  }

  focus() {
    this.element.focus();
  }

  select(start, end) {
    this.element.focus();
    this.element.setSelectionRange(start, end);
  }

  mark() {}

  layout() {}
}

class Code {
  constructor(CodeMirror, text, isYAML, on) {
    this.isPlain = false;
    this.element = el("div", { class: "code-editor" });
    this.marks = [];
    this.on = on;
    this.tip = el("div", { class: "editor-tip", role: "tooltip", hidden: true });
    this.editor = CodeMirror(this.element, {
      value: text, mode: isYAML ? "yaml" : "json-text", lineNumbers: true, autoCloseBrackets: true, tabSize: 2, indentUnit: 2, lineWrapping: true,
      screenReaderLabel: "The text", viewportMargin: 20, maxHighlightLength: 5000,
      // Tab leaves the editor, as everywhere, for people who can't see; Ctrl-] indents lines.
      extraKeys: { Tab: false, "Shift-Tab": false, "Ctrl-Space": () => this.hint(true), "Ctrl-S": () => on.save(), "Cmd-S": () => on.save() },
    });
    this.element.append(this.tip);
    this.editor.on("change", (_, change) => {
      on.change();
      if (change.origin === "+input" && /^(?:""?|\w)$/.test(change.text.join(""))) this.hint(false);
    });
    this.editor.on("cursorActivity", () => on.move());
    this.editor.getWrapperElement().addEventListener("mousemove", (event) => this.hover(event));
    this.editor.getWrapperElement().addEventListener("mouseleave", () => (this.tip.hidden = true));
  }

  get text() {
    return this.editor.getValue();
  }

  get offset() {
    return this.editor.indexFromPos(this.editor.getCursor());
  }

  focus() {
    this.editor.focus();
  }

  select(start, end) {
    this.editor.setSelection(this.editor.posFromIndex(start), this.editor.posFromIndex(end), { scroll: true });
    this.editor.focus();
  }

  /** Underlines places: `[{start, end, severity, text}]`. */
  mark(places) {
    this.editor.operation(() => {
      for (const mark of this.marks) mark.clear();
      this.marks = places.map(({ start, end, severity, text }) => this.editor.markText(
        this.editor.posFromIndex(start), this.editor.posFromIndex(Math.max(end, start + 1)), { className: `underlined ${severity}`, attributes: { title: text } }));
    });
  }

  layout() {
    this.editor.refresh();
  }

  /** Offers words; unasked only where there is a choice. */
  hint(isAsked) {
    this.editor.showHint({
      completeSingle: false, closeOnUnfocus: true,
      hint: () => {
        const found = this.on.hints(isAsked);
        if (!found || found.list.length === 0) return null;
        return {
          from: this.editor.posFromIndex(found.start), to: this.editor.posFromIndex(found.end),
          list: found.list.map(({ text, shown, meaning }) => ({
            text, className: "hint", render: (element) => void fill(element, el("strong", { text: shown }), el("span", { text: meaning.slice(0, 160) })),
          })),
        };
      },
    });
  }

  hover(event) {
    clearTimeout(this.waiting);
    this.tip.hidden = true;
    const { clientX: left, clientY: top } = event;
    if (!event.target.closest(".CodeMirror-line")) return;
    this.waiting = setTimeout(() => {
      const text = this.on.meaning(this.editor.indexFromPos(this.editor.coordsChar({ left, top }, "window")));
      if (!text) return;
      const box = this.element.getBoundingClientRect();
      fill(this.tip, text);
      this.tip.hidden = false;
      this.tip.style.insetInlineStart = `${Math.max(0, Math.min(left - box.left, box.width - 340))}px`;
      this.tip.style.insetBlockStart = `${top - box.top + 16}px`;
    }, 250);
  }
}
