// @ts-check
/** The address of the page: the settings, which it spells, and the entries of the browser's history. */

import { clamp } from "./geometry.js";
import { defaults, fragment, parse, zoomRange } from "./settings.js";

/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {import("./gallery.js").Anchor} Anchor */
/** @typedef {import("./gallery.js").Place} Place */
/** @typedef {{isSelecting: boolean, isSelection: boolean}} State The state of an entry that the page has made: whether photos
 *   are selected in it, and whether it was made for that. */

/** The settings without a position and an open photo. */
const nowhere = { at: null, offset: 0, photo: null };

export class Address {
  /** @type {Readonly<Settings>} */
  settings = parse(window.location.hash);
  /** The place from which the search began.
   * @type {Anchor | Place | null} */
  #placeBefore = null;
  /** Whether the open photo has an entry of its own in the history, so that closing it goes back. */
  #hasEntryOfPhoto = false;
  #isSelecting = false;
  /** Whether the current entry is that of the selection, so that ending it goes back. */
  #hasEntryOfSelection = false;

  /** @param {{anchor: () => Anchor | Place | null, onTravel: (before: Settings) => void, onPaste: () => void,
   *   onEndSelection: () => void}} handlers `anchor` returns the current one; `onTravel` is called after a step back or forward,
   *   `onPaste` after another address was entered, and `onEndSelection` after a step back from a selection. */
  constructor({ anchor, onTravel, onPaste, onEndSelection }) {
    window.history.scrollRestoration = "manual";
    this.#mark(window.location.hash);
    window.addEventListener("popstate", ({ state }) => {
      const before = this.settings;
      const written = parse(window.location.hash);
      this.#hasEntryOfPhoto = false;
      // Entries that the page did not make are addresses that were entered or clicked.
      if (state === null) {
        this.settings = written;
        this.#placeBefore = null;
        [this.#isSelecting, this.#hasEntryOfSelection] = [false, false];
        this.#mark();
        onPaste();
        return;
      }
      const { stream, sections, ...others } = written;
      const isSameStream = stream === null || stream === before.stream;
      this.settings = {
        ...others, stream: stream ?? before.stream, sections: sections ?? (isSameStream ? before.sections : null) };
      if (before.search === null && this.settings.search !== null) this.#placeBefore = anchor();
      this.#hasEntryOfSelection = this.#isSelecting && state.isSelection;
      if (this.#isSelecting && !state.isSelecting) {
        this.#isSelecting = false;
        onEndSelection();
      }
      onTravel(before);
    });
  }

  /** Changes settings, and the current entry of the history.
   * @param {Partial<Settings>} changed */
  replace(changed) {
    this.settings = { ...this.settings, ...changed };
    if (window.location.hash !== fragment(this.settings)) this.#mark();
  }

  /** Changes settings, in a new entry of the history.
   * @param {Partial<Settings>} changed */
  push(changed) {
    this.settings = { ...this.settings, ...changed };
    this.#hasEntryOfSelection = false;
    window.history.pushState(this.#state, "", fragment(this.settings));
  }

  /** @returns {State} */
  get #state() {
    return { isSelecting: this.#isSelecting, isSelection: this.#hasEntryOfSelection };
  }

  /** Writes the settings and the state into the current entry. */
  #mark(text = fragment(this.settings)) {
    window.history.replaceState(this.#state, "", text);
  }

  /** Changes what the controls show. The steps of a slider share an entry of the history.
   * @param {Partial<Settings>} changed
   * @returns {boolean} Whether it is another stream, which is shown from its start. */
  change(changed) {
    const isOtherStream = changed.stream !== undefined && changed.stream !== this.settings.stream;
    const all = { ...changed, zoom: clamp(changed.zoom ?? this.settings.zoom, zoomRange.least, zoomRange.most) };
    if (isOtherStream) Object.assign(all, nowhere, { sections: null, search: null, middle: null, zoom: defaults.zoom });
    if (isOtherStream) this.#placeBefore = null;
    if ("size" in changed || "spacing" in changed) this.replace(all);
    else this.push(all);
    return isOtherStream;
  }

  /** Changes the condition of the search; `null` ends it.
   * @param {string | null} condition
   * @param {{anchor: Anchor | Place | null, place: Place | null}} now The current place.
   * @returns {Anchor | Place | null} The place to show: that from which the search began, when it ends. */
  search(condition, { anchor, place }) {
    const { search } = this.settings;
    if (search === null) {
      this.keepPlace(place);
      this.#placeBefore = anchor;
    }
    const changed = { search: condition, at: null, offset: 0 };
    if (search === null || condition === null) this.push(changed);
    else this.replace(changed);
    if (condition !== null) return null;
    const before = this.#placeBefore;
    this.#placeBefore = null;
    return before;
  }

  /** Keeps a place.
   * @param {Place | null} place */
  keepPlace(place) {
    this.replace({ at: place?.id ?? null, offset: place?.offset ?? 0 });
  }

  /** Adds an open photo to the history.
   * @param {string} photo */
  pushPhoto(photo) {
    this.push({ photo });
    this.#hasEntryOfPhoto = true;
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

  /** Adds a selection to the history, so that a step back ends it. */
  beginSelection() {
    if (this.#isSelecting) return;
    [this.#isSelecting, this.#hasEntryOfSelection] = [true, true];
    window.history.pushState(this.#state, "", fragment(this.settings));
  }

  /** Removes the selection, unless a step back has done so. */
  endSelection() {
    if (!this.#isSelecting) return;
    const hasEntry = this.#hasEntryOfSelection;
    [this.#isSelecting, this.#hasEntryOfSelection] = [false, false];
    if (hasEntry) window.history.back();
    else this.#mark();
  }

  /** Whether other settings are those of the same layout.
   * @param {Settings} other */
  hasLayoutOf(other) {
    return fragment({ ...this.settings, ...nowhere }) === fragment({ ...other, ...nowhere });
  }
}
