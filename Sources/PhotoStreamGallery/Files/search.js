// @ts-check
/** Search: the field in the toolbar. Its text is a condition; the page shows the photos that meet it. */

import { photos } from "./dates.js";
import { text } from "./texts.js";

/** The time without a key after which the search begins, in milliseconds. */
const typingTime = 250;
/** The qualifiers whose values may end with an asterisk, and the end of a text with a word or such a value. */
const qualifiers = "tag|stream|camera|lens|name|text|place";
const lastWord = new RegExp(
  `(?:^|[\\s(（|｜])[-－−]?(?!(?:AND|OR|NOT)$)(?:(?:${qualifiers})[:：])?[^\\s()（）|｜:：*＊"＂“”„]*[\\p{L}\\p{N}\\p{M}]$`, "u");

/** Returns the condition for a text that is being typed: its last word is the beginning of one.
 * @param {string} typed */
function conditionFor(typed) {
  const isQuoting = (typed.match(/["＂“”„]/g)?.length ?? 0) % 2 === 1;
  return lastWord.test(typed) && !isQuoting ? `${typed.trim()}*` : typed.trim();
}

/** Returns the condition that is met by those photos of a condition that also meet another one.
 * @param {string} condition Empty for all photos.
 * @param {string} other */
function both(condition, other) {
  if (!condition) return other;
  return `${isAlternative(condition) ? `(${condition})` : condition} ${other}`;
}

/** Whether a condition consists of alternatives: `OR` binds less than the space between terms. */
function isAlternative(/** @type {string} */ condition) {
  const bare = condition.replace(/"[^"]*"|＂[^＂]*＂|[“”„][^“”„]*[“”„]/g, "quoted");
  let depth = 0;
  for (const [part] of bare.matchAll(/[()（）|｜]|[^\s()（）|｜]+/g)) {
    if (part === "(" || part === "（") depth += 1;
    else if (part === ")" || part === "）") depth -= 1;
    else if (depth === 0 && ["OR", "|", "｜"].includes(part)) return true;
  }
  return false;
}

/** The search field in the toolbar. */
export class SearchField {
  #timer = 0;
  /** The condition of the last search.
   * @type {string | null} */
  #condition = null;
  /** The text in the field while it has the focus. */
  #typed = "";

  /** @param {HTMLElement} box
   * @param {{onSearch: (condition: string | null) => void, onLeave: () => void}} handlers `onSearch` receives `null` when the
   *   field is empty again; `onLeave` returns the focus to the photos. */
  constructor(box, handlers) {
    this.box = box;
    this.handlers = handlers;
    this.input = /** @type {HTMLInputElement} */ (box.querySelector("input"));
    this.found = /** @type {HTMLElement} */ (box.querySelector(".found"));
    this.problem = /** @type {HTMLElement} */ (box.querySelector(".problem"));
    this.button = /** @type {HTMLButtonElement} */ (box.querySelector("button"));
    this.input.addEventListener("input", () => {
      this.#typed = this.input.value;
      this.#showState();
      clearTimeout(this.#timer);
      // An empty field shows all photos immediately.
      if (!this.#typed.trim()) this.#search("");
      else this.#timer = window.setTimeout(() => this.#search(conditionFor(this.#typed)), typingTime);
    });
    this.input.addEventListener("focus", () => { this.input.value = this.#typed; });
    this.input.addEventListener("blur", () => {
      if (this.#timer) this.#search(conditionFor(this.#typed));
      // The photos stay, because one of them may have been pressed: the field shows their condition.
      this.input.value = this.#condition ?? "";
    });
    this.input.addEventListener("keydown", (event) => this.#press(event));
    this.button.addEventListener("click", () => this.clear());
  }

  /** Gives the field the focus, with its text selected. */
  focus() {
    this.input.focus();
    this.input.select();
  }

  /** Shows all photos again. */
  clear() {
    this.input.value = this.#typed = "";
    this.#search("");
    this.handlers.onLeave();
  }

  /** Searches for those of the photos that also meet another condition, and gives the field the focus.
   * @param {string} condition */
  narrow(condition) {
    const whole = both(this.#timer ? conditionFor(this.#typed) : this.#condition ?? "", condition);
    // The space ends the last word, so that it is not the beginning of another one.
    this.input.value = this.#typed = `${whole} `;
    this.input.focus();
    this.#search(whole);
  }

  /** Shows the condition of the address.
   * @param {string | null} condition */
  show(condition) {
    // A text that is being typed is newer.
    if (this.#condition === condition) return;
    this.#stopTimer();
    this.#condition = condition;
    this.input.value = this.#typed = condition ?? "";
    this.#showState();
  }

  /** Shows that the photos for another condition are being searched for.
   * @param {boolean} isSearching `false` if all photos are being loaded. */
  showSearching(isSearching) {
    this.#showText(isSearching ? text("Searching…") : "");
  }

  /** Shows why the server refuses the text.
   * @param {string} sentence Empty if it does not. */
  showProblem(sentence) {
    this.problem.textContent = sentence;
    this.input.setAttribute("aria-invalid", String(sentence !== ""));
  }

  #showText(/** @type {string} */ words) {
    if (this.found.textContent === words) return;
    // A new element: a text that moves would count as a layout shift.
    const found = /** @type {HTMLElement} */ (this.found.cloneNode(false));
    found.textContent = words;
    this.found.replaceWith(found);
    this.found = found;
  }

  /** Shows the number of photos that were found.
   * @param {number | null} number `null` without a search.
   * @returns {string} The announcement for screen readers. */
  showFound(number) {
    this.#showText(number === null ? "" : photos(number));
    this.#showState();
    return number === null ? "" : text("{photos} found", { photos: photos(number) });
  }

  #stopTimer() {
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  #search(/** @type {string} */ words) {
    this.#stopTimer();
    const condition = words || null;
    if (condition === this.#condition) return;
    this.#condition = condition;
    if (condition === null) this.found.textContent = "";
    this.#showState();
    this.handlers.onSearch(condition);
  }

  #showState() {
    this.box.classList.toggle("active", this.input.value !== "");
    this.button.hidden = this.input.value === "";
  }

  #press(/** @type {KeyboardEvent} */ event) {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.clear();
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.#search(this.#typed.trim());
      this.handlers.onLeave();
    }
  }
}
