// @ts-check
/** Search: the field in the toolbar, and the photos that match a text, which answer like a stream. */

import { count, photos } from "./dates.js";
import { text } from "./texts.js";
import { Problem } from "./photostream.js";

/** @typedef {import("./photostream.js").PlacedPhoto} PlacedPhoto */
/** @typedef {import("./photostream.js").Frame} Frame */
/**
 * @typedef {Pick<import("./photostream.js").PhotoStreamClient,
 *   "layout" | "firstPaint" | "rectWithFields" | "items" | "locate" | "scrubber">} Reader
 * The requests about the layout of a stream.
 */

/** The time without a key after which the search begins, in milliseconds. */
const typingTime = 250;

/** The photos that match a text, at most 1,000. They answer requests about their layout as the client does for a whole stream,
 * but from memory.
 * @implements {Reader} */
export class Matches {
  /** @type {PlacedPhoto[]} */
  #items;
  /** @type {Map<string, PlacedPhoto>} */
  #byID;
  #answer;

  /** @param {import("./photostream.js").SearchAnswer & Pick<import("./photostream.js").Layout, "world" | "positions">} answer */
  constructor(answer) {
    this.#answer = answer;
    this.#items = answer.items.map((item, index) => ({ ...item, index }));
    this.#byID = new Map(this.#items.map((item) => [item.photo ?? "", item]));
    this.revision = answer.revision;
    this.state = answer.state;
    /** Whether these are all matches. */
    this.isComplete = answer.complete;
  }

  async layout() {
    const { revision, state, contentSize, world, positions } = this.#answer;
    return {
      revision, state, contentSize, world, positions, layoutKey: "", count: this.#items.length, sectionCount: 0, sections: [],
      nextSection: null,
    };
  }

  /** @param {string} _stream
   * @param {object} _layout
   * @param {{first: number}} question */
  async firstPaint(_stream, _layout, { first }) {
    return { ...await this.layout(), page: { items: this.#items.slice(0, first), nextCursor: null } };
  }

  /** @param {string} _stream
   * @param {object} _layout
   * @param {Frame} rect */
  async rectWithFields(_stream, _layout, rect) {
    const { revision, state, contentSize, elements } = this.#answer;
    const meets = (/** @type {{frame?: Frame}} */ { frame }) => frame !== undefined
      && frame.x < rect.x + rect.width && frame.x + frame.width > rect.x
      && frame.y < rect.y + rect.height && frame.y + frame.height > rect.y;
    return { revision, state, contentSize, items: this.#items.filter(meets), elements: elements.filter(meets), truncated: false };
  }

  /** @param {string} _stream
   * @param {object} _layout
   * @param {{from: number, count: number} | {ids: string[]}} which */
  async items(_stream, _layout, which) {
    const found = "ids" in which ? which.ids.flatMap((id) => this.#byID.get(id) ?? [])
      : this.#items.slice(which.from, which.from + which.count);
    return { revision: this.revision, state: this.state, count: this.#items.length, items: found };
  }

  /** @param {string} _stream
   * @param {object} _layout
   * @param {string} photo */
  async locate(_stream, _layout, photo) {
    const item = this.#byID.get(photo);
    if (!item) {
      throw new Problem(404, { type: "urn:photostream:problem:unknown-photo", detail: "This photo does not match the search." });
    }
    return { revision: this.revision, state: this.state, contentSize: this.#answer.contentSize, item, cursor: "" };
  }

  /** @param {string} _stream
   * @param {object} _layout
   * @param {{steps?: number}} question */
  async scrubber(_stream, _layout, { steps = 200 } = {}) {
    const step = Math.max(1, Math.ceil(this.#items.length / steps));
    const stops = this.#items.filter((_, index) => index % step === 0).map((item) => ({
      offset: item.frame?.y ?? 0, index: item.index ?? 0, day: item.takenAt?.slice(0, 10) ?? null,
      precision: item.takenAtPrecision ?? "day",
    }));
    return { revision: this.revision, state: this.state, stops };
  }
}

/** The search field in the toolbar. */
export class SearchField {
  #timer = 0;
  /** The text of the last search.
   * @type {string | null} */
  #text = null;

  /** @param {HTMLElement} box
   * @param {{onSearch: (text: string | null) => void, onLeave: () => void}} handlers `onSearch` receives `null` when the field
   *   is empty again; `onLeave` returns the focus to the photos. */
  constructor(box, handlers) {
    this.box = box;
    this.handlers = handlers;
    this.input = /** @type {HTMLInputElement} */ (box.querySelector("input"));
    this.found = /** @type {HTMLElement} */ (box.querySelector(".found"));
    this.button = /** @type {HTMLButtonElement} */ (box.querySelector("button"));
    this.input.addEventListener("input", () => {
      this.#showState();
      clearTimeout(this.#timer);
      // An empty field shows all photos immediately.
      if (this.#typed === null) this.#search();
      else this.#timer = window.setTimeout(() => this.#search(), typingTime);
    });
    this.input.addEventListener("keydown", (event) => this.#press(event));
    this.button.addEventListener("click", () => this.clear());
  }

  get #typed() { return this.input.value.trim() || null; }

  /** Gives the field the focus, with its text selected. */
  focus() {
    this.input.focus();
    this.input.select();
  }

  /** Shows all photos again. */
  clear() {
    this.input.value = "";
    this.#search();
    this.handlers.onLeave();
  }

  /** Shows the text of the address.
   * @param {string | null} words */
  show(words) {
    // A text that is being typed is newer.
    if (this.#text === words) return;
    clearTimeout(this.#timer);
    this.#text = words;
    this.input.value = words ?? "";
    this.#showState();
  }

  /** Shows that the matches of another text are being searched for.
   * @param {boolean} isSearching `false` if all photos are being loaded. */
  showSearching(isSearching) {
    this.#showText(isSearching ? text("Searching…") : "");
    this.found.title = "";
  }

  #showText(/** @type {string} */ words) {
    if (this.found.textContent === words) return;
    // A new element: a text that moves would count as a layout shift.
    const found = /** @type {HTMLElement} */ (this.found.cloneNode(false));
    found.textContent = words;
    this.found.replaceWith(found);
    this.found = found;
  }

  /** Shows the number of matches.
   * @param {number | null} number `null` without a search.
   * @param {boolean} isComplete
   * @returns {string} The announcement for screen readers. */
  showFound(number, isComplete) {
    const shown = number === null ? "" : isComplete ? photos(number)
      : number >= 1_000 ? text("only the first {count}", { count: count(number) })
        : text("only {photos}", { photos: photos(number) });
    this.#showText(shown);
    this.found.title = isComplete ? "" : text("More photos may match. Type more to narrow the search.");
    this.#showState();
    if (number === null) return "";
    const values = { photos: photos(number), shown };
    return isComplete ? text("{photos} found", values) : text("{photos} found, {shown} shown", values);
  }

  #search() {
    clearTimeout(this.#timer);
    const words = this.#typed;
    if (words === this.#text) return;
    this.#text = words;
    if (words === null) this.found.textContent = "";
    this.#showState();
    this.handlers.onSearch(words);
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
      this.#search();
      this.handlers.onLeave();
    }
  }
}
