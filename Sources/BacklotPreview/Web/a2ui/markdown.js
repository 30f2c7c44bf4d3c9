// The simple Markdown of texts. HTML, pictures and links stay unchanged.

import { el } from "../core/element.js";

const SPAN = /\\([!-/:-@[-`{-~])|`([^`]+)`|\*\*(\S|\S[^]*?\S)\*\*|(?<!\w)__(\S|\S[^]*?\S)__(?!\w)|\*([^\s*]|[^\s*][^*]*[^\s*])\*|(?<!\w)_([^\s_]|[^\s_][^_]*[^\s_])_(?!\w)|~~(\S|\S[^]*?\S)~~/g;
const TAGS = ["strong", "strong", "em", "em", "s"];
/** A heading, code, a quotation, a line across, a list, one with numbers, and a paragraph. */
const BLOCK = /^(#{1,6})[ \t]+(.*)|^```.*\n([^]*?)(?:^```.*|(?![^]))|((?:^>.*\n?)+)|(^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$)|((?:^[ \t]*[-*+][ \t]+.+\n?)+)|((?:^[ \t]*\d+[.)][ \t]+.+\n?)+)|(^.*\S.*(?:\n(?!#{1,6}[ \t]|```|>|[ \t]*(?:[-*+]|\d+[.)])[ \t]|[ \t]*$).+)*)/gm;

/** The texts and elements of a line. */
export function inline(text) {
  const found = [];
  let end = 0;
  for (const { 0: all, 1: sign, 2: code, ...match } of text.matchAll(SPAN)) {
    const index = [3, 4, 5, 6, 7].findIndex((group) => match[group] !== undefined);
    found.push(text.slice(end, match.index), sign ?? (code ? el("code", { text: code }) : el(TAGS[index], {}, inline(match[index + 3]))));
    end = match.index + all.length;
  }
  return [...found, text.slice(end)];
}

/** The elements of a text. */
export function blocks(text) {
  const items = (list) => list.trim().split("\n").map((item) => el("li", {}, inline(item.replace(/^\s*\S+\s+/, ""))));
  return [...text.replaceAll("\r\n", "\n").matchAll(BLOCK)].map(([, marks, heading, code, quote, line, list, numbers, paragraph]) => {
    if (marks) return el(`h${marks.length}`, { dir: "auto" }, inline(heading));
    if (code !== undefined) return el("pre", { tabindex: "0" }, el("code", { text: code.replace(/\n$/, "") }));
    if (quote) return el("blockquote", {}, blocks(quote.replaceAll(/^> ?/gm, "")));
    if (line) return el("hr");
    return list || numbers ? el(list ? "ul" : "ol", {}, items(list ?? numbers)) : el("p", { dir: "auto" }, inline(paragraph));
  });
}
