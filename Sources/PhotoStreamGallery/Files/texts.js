// @ts-check
/**
 * The texts of the page in the language of the browser.
 *
 * A text is named by its English words, so that a text without a translation is shown in English. Dates, numbers and plurals are
 * those of `Intl`. The table of another language is loaded only by those who read it.
 */

/** @typedef {Partial<Record<Intl.LDMLPluralRule, string>>} Forms The forms of a text for a number, by plural category. */
/** @typedef {Record<string, string | Forms>} Table */

/** @type {Record<string, () => Promise<{texts: Table}>>} */
const tables = { ar: () => import("./texts-ar.js"), de: () => import("./texts-de.js") };
const rightToLeft = new Set(["ar"]);

const baseOf = (/** @type {string} */ tag) => tag.split("-")[0];
const chosen = window.navigator.languages.find((tag) => baseOf(tag) === "en" || baseOf(tag) in tables);

/** The language of the texts. */
export const language = chosen ? baseOf(chosen) : "en";
/** The language of dates and numbers; `undefined` is that of the browser. */
export const locale = chosen;
/** The direction in which the language is read. */
export const direction = rightToLeft.has(language) ? "rtl" : "ltr";

/** @type {Table} */
const table = await tables[language]?.().then(({ texts }) => texts, () => ({})) ?? {};
const rules = new Intl.PluralRules(chosen ?? "en");

/** Returns a text in the language of the page.
 * @param {string} english The text in English, with names of values in braces.
 * @param {Record<string, string>} values
 * @returns {string} */
export function text(english, values = {}) {
  const found = table[english];
  return fill(typeof found === "string" ? found : english, values);
}

/** Returns a text about a number of things.
 * @param {number} number
 * @param {string} one The text in English for one.
 * @param {string} other The text in English for other numbers, which names the text.
 * @param {Record<string, string>} values
 * @returns {string} */
export function plural(number, one, other, values) {
  const forms = table[other];
  const isKnown = typeof forms === "object";
  const english = number === 1 ? one : other;
  return fill((isKnown ? forms[rules.select(number)] ?? forms.other : undefined) ?? english, values);
}

function fill(/** @type {string} */ pattern, /** @type {Record<string, string>} */ values) {
  return pattern.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Translates the texts that are written in the page, but not those of photos, which may already be shown.
 * @param {Document} page */
export function translate(page) {
  page.documentElement.lang = language;
  if (language === "en") return;
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const written = node.textContent ?? "";
    const words = written.trim();
    if (words && !node.parentElement?.closest("#photos")) node.textContent = written.replace(words, () => text(words));
  }
  for (const name of ["aria-label", "title", "placeholder"]) {
    for (const element of page.querySelectorAll(`[${name}]:not(#photos *)`)) {
      element.setAttribute(name, text(/** @type {string} */ (element.getAttribute(name))));
    }
  }
}
