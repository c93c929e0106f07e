// @ts-check
/** The search for a city on the map: a field with a list of the cities that match, from the server. */

import { text } from "./texts.js";

/** @typedef {import("./photostream.js").Place} Place */

/** The time without a key after which the search begins, in milliseconds. */
const typingTime = 120;
/** The number of cities in the list. */
const limit = 6;

export class PlaceField {
  /** @type {Place[]} */
  #places = [];
  #chosen = -1;
  #timer = 0;
  #abort = new AbortController();
  #client;
  #onPlace;

  /** @param {import("./photostream.js").PhotoStreamClient} client
   * @param {(place: Place) => void} onPlace */
  constructor(client, onPlace) {
    this.#client = client;
    this.#onPlace = onPlace;
    this.element = document.createElement("div");
    this.element.className = "place";
    this.element.setAttribute("role", "search");
    this.element.setAttribute("aria-label", text("Cities"));
    this.input = document.createElement("input");
    Object.assign(this.input, { type: "search", placeholder: text("Find a city"), maxLength: 100, autocomplete: "off", spellcheck: false });
    for (const [name, value] of Object.entries({
      role: "combobox", "aria-label": text("Find a city"), "aria-expanded": "false", "aria-controls": "cities",
      "aria-autocomplete": "list", enterkeyhint: "search",
    })) this.input.setAttribute(name, value);
    this.list = document.createElement("ul");
    this.list.id = "cities";
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", text("Cities"));
    this.list.hidden = true;
    this.note = document.createElement("p");
    this.note.className = "note";
    this.note.setAttribute("role", "status");
    this.element.append(this.input, this.list, this.note);
    this.input.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => this.#search(), typingTime);
    });
    this.input.addEventListener("keydown", (event) => this.#typed(event));
    this.element.addEventListener("focusout", (event) => {
      if (!(event.relatedTarget instanceof Node && this.element.contains(event.relatedTarget))) this.#show([], "");
    });
    // The field keeps the focus.
    this.list.addEventListener("pointerdown", (event) => event.preventDefault());
  }

  async #search() {
    const query = this.input.value.trim();
    this.#abort.abort();
    const { signal } = (this.#abort = new AbortController());
    if (!query) return this.#show([], "");
    try {
      const { places } = await this.#client.places(query, { limit, signal });
      if (!signal.aborted) this.#show(places, places.length === 0 ? text("No city is named “{name}”.", { name: query }) : "");
    } catch {
      if (!signal.aborted) this.#show([], text("Cities cannot be searched right now."));
    }
  }

  #show(/** @type {Place[]} */ places, /** @type {string} */ note) {
    this.#places = places;
    this.#chosen = -1;
    this.list.hidden = places.length === 0;
    this.note.textContent = note;
    this.input.setAttribute("aria-expanded", String(places.length > 0));
    this.input.removeAttribute("aria-activedescendant");
    this.list.replaceChildren(...places.map((place, index) => {
      const option = document.createElement("li");
      option.id = `city-${index}`;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      const country = document.createElement("span");
      country.textContent = place.country;
      option.append(place.name, " ", country);
      option.addEventListener("click", () => this.#choose(index));
      return option;
    }));
  }

  #mark(/** @type {number} */ index) {
    this.list.children[this.#chosen]?.setAttribute("aria-selected", "false");
    this.#chosen = index;
    const option = this.list.children[index];
    option?.setAttribute("aria-selected", "true");
    if (option) this.input.setAttribute("aria-activedescendant", option.id);
  }

  #choose(/** @type {number} */ index) {
    const place = this.#places[index];
    if (!place) return;
    this.input.value = place.name;
    this.#show([], "");
    this.#onPlace(place);
  }

  #typed(/** @type {KeyboardEvent} */ event) {
    const { length } = this.#places;
    if (event.key === "ArrowDown" && length) this.#mark((this.#chosen + 1) % length);
    else if (event.key === "ArrowUp" && length) this.#mark(this.#chosen > 0 ? this.#chosen - 1 : length - 1);
    else if (event.key === "Enter") this.#enter();
    else if (event.key === "Escape" && (length || this.note.textContent || this.input.value)) {
      if (!length && !this.note.textContent) this.input.value = "";
      this.#show([], "");
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Chooses the marked city, or the first one. The text may be newer than the list. */
  async #enter() {
    clearTimeout(this.#timer);
    if (this.#chosen < 0) await this.#search();
    this.#choose(Math.max(0, this.#chosen));
  }
}
