// @ts-check
/** The address of the page: the settings, which it spells, and the entries of the browser's history. */

import { clamp } from "./geometry.js";
import { fragment, parse, zoomRange } from "./settings.js";

/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {import("./gallery.js").Anchor} Anchor */

/** The settings without a position and an open photo. */
const nowhere = { at: null, offset: 0, photo: null };

export class Address {
  /** @type {Readonly<Settings>} */
  settings = parse(window.location.hash);
  /** The place from which the search began.
   * @type {Anchor | null} */
  #placeBefore = null;
  /** Whether the open photo has an entry of its own in the history, so that closing it goes back. */
  #hasEntryOfPhoto = false;

  /** @param {{anchor: () => Anchor | null, onTravel: (before: Settings) => void}} handlers `anchor` returns the current place;
   *   `onTravel` is called after a step back or forward. */
  constructor({ anchor, onTravel }) {
    window.history.scrollRestoration = "manual";
    window.addEventListener("popstate", () => {
      const before = this.settings;
      const { stream, sections, ...others } = parse(window.location.hash);
      const isSameStream = stream === null || stream === before.stream;
      this.settings = {
        ...others, stream: stream ?? before.stream, sections: sections ?? (isSameStream ? before.sections : null) };
      this.#hasEntryOfPhoto = false;
      if (before.search === null && this.settings.search !== null) this.#placeBefore = anchor();
      onTravel(before);
    });
  }

  /** Changes settings, and the current entry of the history.
   * @param {Partial<Settings>} changed */
  replace(changed) {
    this.settings = { ...this.settings, ...changed };
    const text = fragment(this.settings);
    if (window.location.hash !== text) window.history.replaceState(null, "", text);
  }

  /** Changes settings, in a new entry of the history.
   * @param {Partial<Settings>} changed */
  push(changed) {
    this.settings = { ...this.settings, ...changed };
    window.history.pushState(null, "", fragment(this.settings));
  }

  /** Changes what the controls show. The steps of a slider share an entry of the history.
   * @param {Partial<Settings>} changed
   * @returns {boolean} Whether it is another stream, which is shown from its start. */
  change(changed) {
    const isOtherStream = changed.stream !== undefined && changed.stream !== this.settings.stream;
    const all = { ...changed, zoom: clamp(changed.zoom ?? this.settings.zoom, zoomRange.least, zoomRange.most) };
    if (isOtherStream) Object.assign(all, nowhere, { sections: null, search: null, middle: null });
    if (isOtherStream) this.#placeBefore = null;
    if ("size" in changed || "spacing" in changed) this.replace(all);
    else this.push(all);
    return isOtherStream;
  }

  /** Changes the text of the search; `null` ends it.
   * @param {string | null} text
   * @param {Anchor | null} anchor The current place.
   * @returns {Anchor | null} The place to show: that from which the search began, when it ends. */
  search(text, anchor) {
    const { search } = this.settings;
    if (search === null) {
      this.keepPlace(anchor);
      this.#placeBefore = anchor;
    }
    const changed = { search: text, at: null, offset: 0 };
    if (search === null || text === null) this.push(changed);
    else this.replace(changed);
    if (text !== null) return null;
    const before = this.#placeBefore;
    this.#placeBefore = null;
    return before;
  }

  /** Keeps a place.
   * @param {Anchor | null} anchor */
  keepPlace(anchor) {
    this.replace({ at: anchor?.id ?? null, offset: anchor?.offset ?? 0 });
  }

  /** Adds an open photo to the history.
   * @param {string} photo */
  pushPhoto(photo) {
    this.#hasEntryOfPhoto = true;
    this.push({ photo });
  }

  /** Removes the open photo, unless a step back has done so. */
  closePhoto() {
    if (this.settings.photo === null || !this.#hasEntryOfPhoto) this.replace({ photo: null });
    else {
      this.settings = { ...this.settings, photo: null };
      window.history.back();
    }
    this.#hasEntryOfPhoto = false;
  }

  /** Whether other settings are those of the same layout.
   * @param {Settings} other */
  hasLayoutOf(other) {
    return fragment({ ...this.settings, ...nowhere }) === fragment({ ...other, ...nowhere });
  }
}
