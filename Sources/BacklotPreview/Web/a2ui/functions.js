// The functions of the basic catalog. Numbers and dates are written in English, as the client for tests writes them.

const LOCALE = "en-US";
const DATE = /^(\d{4})(-?)(\d\d)\2(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:Z|([+-])(\d\d):?(\d\d)?)?)?$/i;
/** A name, one @, and a domain with at least two letters in its last label. */
const EMAIL = /^[^\s@()<>[\],;:\\"\x80-\uffff]+@[^\s@()<>[\],;:\\"\x80-\uffff]+\.[A-Za-z]{2,}$/;

/** A value within a text: null and no value as nothing, lists and objects as JSON. */
export const textOf = (value) => (typeof value === "string" ? value : JSON.stringify(value ?? "").replace(/^""$/, ""));

/** A number, the number that a text holds, or 1 and 0 for booleans; undefined for anything else. */
export function numberOf(value) {
  const number = typeof value === "boolean" || (typeof value === "string" && value.trim() !== "") ? Number(value) : value;
  return Number.isFinite(number) ? number : undefined;
}

/** Whether a value counts as true. In 1.0, the result of a check counts as its `valid`. */
export const isTrue = (value, isOne) => (value === null || typeof value !== "object" ? Boolean(value) : isOne && Object.hasOwn(value, "valid") ? isTrue(value.valid, isOne) : Object.keys(value).length > 0);

/** One of some words; the first one for anything else. */
export const oneOf = (value, ...words) => (words.includes(value) ? value : words[0]);

/** A value that must be there, or an error. */
export function expect(value, problem) {
  if (value === undefined) throw new Error(problem);
  return value;
}

const isWithin = (number, { min, max }) => number !== undefined && !(number < numberOf(min)) && !(number > numberOf(max));
const number = ({ value }) => expect(numberOf(value), `${textOf(value) || "null"} isn't a number; bind one.`);

/** The number as a text. Without `decimals`, it has those that are usual. */
function formatted(args, options = {}) {
  const count = numberOf(args.decimals) === undefined ? undefined : Math.max(0, Math.min(100, Math.trunc(numberOf(args.decimals))));
  return new Intl.NumberFormat(LOCALE, { useGrouping: args.grouping !== false, minimumFractionDigits: count, maximumFractionDigits: count, ...options }).format(number(args));
}

/** A date by a pattern of Unicode TR 35, or in UTC for `ISO`; an empty text without a valid date. */
function dateText(value, layout) {
  const [, year, , month, day, hour = 0, minute = 0, second = 0, fraction = "", sign, hours = 0, minutes = 0] = DATE.exec(value) ?? [];
  const milliseconds = fraction.padEnd(3, "0").slice(0, 3);
  const date = new Date(Date.UTC(2000, month - 1, day, hour, minute, second, milliseconds));
  date.setUTCFullYear(year, month - 1, day);
  // A date that doesn't exist has become another one.
  if (!(date.getUTCDate() === Number(day) && date.getUTCHours() === Number(hour) && date.getUTCMinutes() === Number(minute) && second < 60)) return "";
  if (layout === "ISO") return new Date(date - Number(`${sign ?? "+"}1`) * (hours * 60 + Number(minutes)) * 60_000).toISOString();
  const numbers = { y: year, M: month, L: month, d: day, H: hour, h: (Number(hour) + 11) % 12 + 1, m: minute, s: second };
  return layout.replaceAll(/''|'([^']*)'?|([A-Za-z])\2*/g, (all, quoted, letter) => {
    const { length } = all;
    if (!letter || letter === "a") return letter ? (hour < 12 ? "AM" : "PM") : quoted ?? "'";
    if (letter === "S") return milliseconds.padEnd(length, "0").slice(0, length);
    if (letter === "E" || ("ML".includes(letter) && length > 2)) return new Intl.DateTimeFormat(LOCALE, { [letter === "E" ? "weekday" : "month"]: { 4: "long", 5: "narrow" }[length] ?? "short", timeZone: "UTC" }).format(date);
    return letter in numbers ? String(letter === "y" && length === 2 ? year % 100 : Number(numbers[letter])).padStart(Math.min(length, 100), "0") : all;
  });
}

/** The results of functions for arguments without bindings and calls. They throw errors about their arguments. */
export const FUNCTIONS = {
  formatString: ({ value }, evaluator) => evaluator.formatted(textOf(value)),
  formatNumber: (args) => formatted(args),
  formatCurrency: (args) => formatted(args, { style: "currency", currency: expect(/^[A-Za-z]{3}$/.exec(args.currency)?.[0], `“${textOf(args.currency)}” isn't a currency's code, such as EUR.`) }),
  formatDate: ({ value, format }) => dateText(textOf(value), textOf(format)),
  pluralize: (args) => textOf(args[["zero", "one", "two"][Math.abs(number(args))]] ?? args[new Intl.PluralRules(LOCALE).select(number(args))] ?? args.other),
  openUrl: ({ url }, evaluator) => void evaluator.opened.push(expect(/^(?:https?:|mailto:|tel:|[^:]*$)/i.exec(textOf(url).trim())?.input, `openUrl doesn't open “${textOf(url)}”; write an https URL.`)),
  and: ({ values }, { isOne }) => [values].flat().every((value) => isTrue(value, isOne)),
  or: ({ values }, { isOne }) => [values].flat().some((value) => isTrue(value, isOne)),
  not: ({ value }, { isOne }) => !isTrue(value, isOne),
};

/** Whether values pass the checks. */
export const CHECKS = {
  required: ({ value }) => !(value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)),
  regex: ({ value, pattern }) => new RegExp(textOf(pattern)).test(textOf(value)),
  length: (args) => isWithin((typeof args.value === "object" ? Object.keys(args.value ?? {}) : [...textOf(args.value)]).length, args),
  numeric: (args) => isWithin(numberOf(args.value), args),
  email: ({ value }) => EMAIL.test(textOf(value)),
};
