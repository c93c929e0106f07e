// @ts-check
/** The heart of the open photo. A press makes the photo a favourite, or no longer one. */

import { reason, retrying } from "./actions.js";
import { text } from "./texts.js";

/** @typedef {import("./photostream.js").PlacedPhoto} Item */

export class Favourite {
  /** What was chosen last for each photo whose edit is under way.
   * @type {Map<string, boolean>} */
  #chosen = new Map();
  #stream = "";
  /** The photo that is shown.
   * @type {Item} */
  #item = {};

  /** @param {HTMLElement} button
   * @param {import("./photostream.js").PhotoStreamClient} client
   * @param {{onSaved: () => Promise<void>, announce: (text: string) => void, note: (text: string) => void}} handlers */
  constructor(button, client, handlers) {
    this.button = button;
    this.client = client;
    this.handlers = handlers;
  }

  /** Shows the state of a photo.
   * @param {string} stream
   * @param {Item} item */
  show(stream, item) {
    [this.#stream, this.#item] = [stream, item];
    this.#mark();
  }

  /** Changes the state of the photo that is shown. */
  async toggle() {
    const [stream, item, key] = [this.#stream, this.#item, this.#key];
    const isUnderWay = this.#chosen.has(key);
    const isFavourite = !this.#isFavourite;
    this.#chosen.set(key, isFavourite);
    this.#mark();
    this.handlers.announce(text(isFavourite ? "Favourite" : "No longer a favourite"));
    // The request for the former choice ends first, so that the last one counts.
    if (isUnderWay) return;
    const id = item.photo ?? "";
    try {
      let saved;
      while (saved !== this.#chosen.get(key)) {
        const next = this.#chosen.get(key);
        await retrying(() => this.client.edit(stream, id, { favourite: next ? true : null }));
        saved = item.favourite = next;
        // The stream may have changed since, and show the photo by another object.
        if (this.#key === key) this.#item.favourite = next;
      }
    } catch (error) {
      this.handlers.note(text("The photo could not be changed: {reason}", { reason: reason(error) }));
    }
    this.#chosen.delete(key);
    this.#mark();
    await this.handlers.onSaved();
  }

  get #key() { return `${this.#stream}/${this.#item.photo}`; }
  get #isFavourite() { return this.#chosen.get(this.#key) ?? this.#item.favourite === true; }

  #mark() {
    this.button.setAttribute("aria-pressed", String(this.#isFavourite));
  }
}
