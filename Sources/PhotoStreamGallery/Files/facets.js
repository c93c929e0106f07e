// @ts-check
/** The panel of the search field: what the photos on the page have in common, to search for fewer of them. */

import { count, photos, sectionTitle, stars } from "./dates.js";
import { text } from "./texts.js";

/** @typedef {import("./photostream.js").Facets} Answer */
/** @typedef {import("./photostream.js").Facet} Facet */
/** The photos on the page: those of a state of a stream that meet a condition.
 * @typedef {{stream: string, state: string, where?: string}} Question */

/** The number of values in a group. */
const limit = 8;
/** The groups in the order in which they are shown, with their titles. */
const titles = {
  years: text("Years"), albums: text("Albums"), tags: text("Tags"), cameras: text("Cameras"), folders: text("Folders"),
  ratings: text("Ratings"),
};
/** @typedef {keyof titles} Kind */

/** The panel: with {@link follow}, it learns which photos are on the page. */
export class FacetPanel {
  #abort = new AbortController();
  #isOpen = false;
  /** @type {Question | null | undefined} */
  #question;
  /** The questions to which the panel shows the answer, and whose answer is awaited; empty if there is none. */
  #answered = "";
  #asked = "";

  /** @param {HTMLElement} box The element that contains the field and the panel.
   * @param {import("./photostream.js").PhotoStreamClient} client
   * @param {(where: string) => void} onChoose Called with the condition of a value that was pressed. */
  constructor(box, client, onChoose) {
    this.client = client;
    this.onChoose = onChoose;
    this.input = /** @type {HTMLInputElement} */ (box.querySelector("input"));
    this.panel = /** @type {HTMLElement} */ (box.querySelector(".facets"));
    this.input.addEventListener("focus", () => this.#setOpen(true));
    box.addEventListener("focusout", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && box.contains(relatedTarget))) this.#setOpen(false);
    });
    // The field keeps the focus.
    this.panel.addEventListener("mousedown", (event) => event.preventDefault());
    this.panel.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("button") : null;
      // While photos are being searched for, the values are those of the earlier ones.
      if (button && this.#question) this.onChoose(button.value);
    });
    box.addEventListener("keydown", (event) => this.#press(event));
  }

  /** Shows what photos have in common, as soon as the field has the focus.
   * @param {Question | null | undefined} question `undefined` while photos are being searched for, and `null` if the search
   *   is refused: then the panel is hidden. */
  follow(question) {
    this.#question = question;
    this.#update();
  }

  #setOpen(/** @type {boolean} */ isOpen) {
    this.#isOpen = isOpen;
    this.#update();
  }

  #update() {
    const question = this.#question;
    const key = question ? JSON.stringify(question) : "";
    if (this.#asked && (!this.#isOpen || key !== this.#asked)) {
      this.#abort.abort();
      this.#asked = "";
    }
    this.panel.setAttribute("aria-busy", String(question === undefined));
    if (!this.#isOpen) this.panel.hidden = true;
    else if (question === null) this.#show(null, "");
    else if (question && key === this.#answered) this.panel.hidden = !this.panel.firstChild;
    else if (question && key !== this.#asked) void this.#ask(question, key);
  }

  async #ask(/** @type {Question} */ { stream, where }, /** @type {string} */ key) {
    const { signal } = (this.#abort = new AbortController());
    this.#asked = key;
    // Without an answer, the search works as it does without the panel.
    const answer = await this.client.facets(stream, { where, limit, signal }).catch(() => null);
    if (signal.aborted) return;
    this.#asked = "";
    this.#show(answer, answer ? key : "");
  }

  #show(/** @type {Answer | null} */ answer, /** @type {string} */ key) {
    this.#answered = key;
    const focused = this.panel.contains(document.activeElement) ? /** @type {any} */ (document.activeElement) : null;
    // The values change with the stream: a button that disappears leaves the focus to the field.
    if (focused) this.input.focus();
    // New elements: those that move would count as a layout shift.
    this.panel.replaceChildren(...answer ? groupsOf(answer) : []);
    this.panel.hidden = !this.panel.firstChild;
    if (focused) this.#buttons.find(({ value }) => value === focused.value)?.focus();
  }

  get #buttons() {
    return [...this.panel.querySelectorAll("button")];
  }

  #press(/** @type {KeyboardEvent} */ event) {
    const { target, key } = event;
    if (this.panel.hidden || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const buttons = this.#buttons;
    const at = buttons.findIndex((button) => button === target);
    const forward = document.documentElement.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
    if (target === this.input && key === "ArrowDown") buttons[0].focus();
    else if (at < 0) return;
    else if (key === "ArrowDown" || key === forward) buttons[at + 1]?.focus();
    else if (key === "ArrowUp" || key === "ArrowLeft" || key === "ArrowRight") (buttons[at - 1] ?? this.input).focus();
    else if (key === "Escape") this.input.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Makes the elements of the groups, without values that all photos have: they leave as many. */
function groupsOf(/** @type {Answer} */ answer) {
  return /** @type {Kind[]} */ (Object.keys(titles)).flatMap((kind) => {
    const facets = (answer[kind] ?? []).filter((facet) => facet.count < answer.count);
    if (facets.length === 0) return [];
    const group = document.createElement("div");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", titles[kind]);
    const title = document.createElement("p");
    title.setAttribute("aria-hidden", "true");
    title.textContent = titles[kind];
    group.append(title, ...facets.map((facet) => buttonOf(kind, facet)));
    return [group];
  });
}

function buttonOf(/** @type {Kind} */ kind, /** @type {Facet} */ facet) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", value: facet.where });
  const [name, number] = [document.createElement("bdi"), document.createElement("span")];
  name.textContent = nameOf(kind, facet.value);
  number.textContent = count(facet.count);
  const value = kind === "ratings" ? ratingInWords(Number(facet.value)) : name.textContent;
  button.setAttribute("aria-label", text("{value}, {photos}", { value, photos: photos(facet.count) }));
  button.append(name, number);
  return button;
}

function nameOf(/** @type {Kind} */ kind, /** @type {string} */ value) {
  return kind === "years" ? sectionTitle(value.padStart(4, "0")) : kind === "ratings" ? stars(Number(value)) : value;
}

/** A rating for screen readers, which do not count stars. */
function ratingInWords(/** @type {number} */ rating) {
  return rating < 1 ? stars(rating) : text(rating === 1 ? "1 star" : `${rating} stars`);
}
