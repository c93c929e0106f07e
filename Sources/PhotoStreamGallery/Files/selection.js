// @ts-check
/**
 * The photos that a person has selected, by their ids: their elements come and go during scrolling.
 *
 * A click on the check mark of a photo selects it, and so does a click anywhere on it while others are selected; with the Shift
 * key, it selects a range. On touch screens, a long press begins a selection, unless it becomes a drag.
 */

import { count } from "./dates.js";
import { text } from "./texts.js";

/** @typedef {import("./tiles.js").Photo} Photo */

/** The side of the check mark's corner, in points. */
const corner = 40;
/** The time after which a press is long, in milliseconds, and the distance in points that a finger may move until then. */
const [pressTime, pressDistance] = [450, 10];
/** The number of photos in a range, and in an answer. */
const [rangeLimit, chunk] = [100_000, 1_000];

export class Selection {
  /** @type {Set<string>} */
  ids = new Set();
  #isEnabled = false;
  /** The photo from which a range extends.
   * @type {{id: string, index: number, state: string} | null} */
  #anchor = null;
  /** The selected photos outside the range.
   * @type {Set<string>} */
  #base = new Set();
  /** Counts the ranges: an answer may arrive after a later request. */
  #turn = 0;
  #pressTimer = 0;
  #pressStart = { x: 0, y: 0 };
  /** Whether a finger has been on a photo for long: it may be dragged, and otherwise the next click only ends the press. */
  isPressed = false;

  /** @param {HTMLElement} layer The element of the photos.
   * @param {import("./gallery.js").Gallery} gallery
   * @param {{onChange: (text: string) => void}} handlers */
  constructor(layer, gallery, handlers) {
    this.layer = layer;
    this.gallery = gallery;
    this.handlers = handlers;
    layer.addEventListener("pointerdown", (event) => this.#pointed(event));
    layer.addEventListener("pointermove", (event) => {
      const { x, y } = this.#pressStart;
      if (Math.hypot(event.clientX - x, event.clientY - y) > pressDistance) clearTimeout(this.#pressTimer);
    });
    for (const name of ["pointerup", "pointercancel"]) layer.addEventListener(name, () => clearTimeout(this.#pressTimer));
    layer.addEventListener("contextmenu", (event) => {
      // A long press would also open the menu of the link.
      if (this.isPressed) event.preventDefault();
    });
  }

  get isActive() { return this.ids.size > 0; }

  /** Whether photos can be selected. */
  get isEnabled() { return this.#isEnabled; }
  set isEnabled(isEnabled) {
    this.#isEnabled = isEnabled;
    if (!isEnabled) this.clear();
  }

  /** Selects or deselects a photo.
   * @param {Photo} photo */
  toggle(photo) {
    const isSelected = !this.ids.has(photo.id);
    if (isSelected) this.ids.add(photo.id);
    else this.ids.delete(photo.id);
    this.begin(photo);
    this.#changed(text(isSelected ? "Selected" : "Deselected"));
  }

  /** Begins a range at a photo, unless one has begun.
   * @param {Photo} photo */
  beginIfNeeded(photo) {
    if (!this.#anchor) this.begin(photo);
  }

  /** Begins a range at a photo.
   * @param {Photo} photo */
  begin(photo) {
    this.#turn += 1;
    this.#anchor = { id: photo.id, index: photo.index, state: this.gallery.state };
    this.#base = new Set(this.ids);
  }

  /** Extends the range to a photo.
   * @param {Photo} photo */
  async extend(photo) {
    const turn = (this.#turn += 1);
    const anchor = this.#anchor;
    if (!anchor) return this.toggle(photo);
    const { state } = this.gallery;
    const from = anchor.state === state ? anchor.index : await this.gallery.indexOf(anchor.id) ?? photo.index;
    const range = await this.#between(Math.min(from, photo.index), Math.max(from, photo.index), () => turn === this.#turn);
    if (!range) return;
    this.#anchor = { id: anchor.id, index: from, state };
    this.ids = new Set([...this.#base, ...range]);
    this.#changed("");
  }

  /** Selects all photos that are shown: those of the stream, or of the search. */
  async selectAll() {
    if (!this.#isEnabled || this.gallery.count === 0) return;
    const turn = (this.#turn += 1);
    const all = await this.#between(0, this.gallery.count - 1, () => turn === this.#turn);
    if (!all) return;
    this.ids = new Set(all);
    this.#base = new Set();
    this.#anchor = { id: all[0], index: 0, state: this.gallery.state };
    this.#changed(all.length < this.gallery.count ? text("only the first {count}", { count: count(all.length) }) : "");
  }

  /** Returns the ids of the photos from one position to another; `null` if they are no longer needed. */
  async #between(/** @type {number} */ first, /** @type {number} */ last, /** @type {() => boolean} */ isWanted) {
    const { source } = this.gallery;
    const end = Math.min(last, first + rangeLimit - 1);
    /** @type {string[]} */
    const ids = [];
    for (let from = first; source && from <= end; from += chunk) {
      const which = { from, count: Math.min(chunk, end - from + 1) };
      const { items } = await this.gallery.client.items(source.stream, source.options, which, { fields: ["photo"] });
      if (!isWanted()) return null;
      for (const { photo } of items) if (photo !== undefined) ids.push(photo);
    }
    return isWanted() ? ids : null;
  }

  /** Forgets deleted photos.
   * @param {Iterable<string>} ids */
  forget(ids) {
    const before = this.ids.size;
    for (const id of ids) {
      this.ids.delete(id);
      this.#base.delete(id);
    }
    if (this.ids.size !== before) this.#changed("");
  }

  clear() {
    this.#turn += 1;
    this.#anchor = null;
    this.#base = new Set();
    if (this.ids.size === 0) return;
    this.ids = new Set();
    this.#changed("");
  }

  /** Handles a click, if it selects.
   * @param {MouseEvent} event
   * @param {Photo} photo
   * @returns {boolean} Whether it does; otherwise the photo is opened. */
  click(event, photo) {
    if (this.isPressed) {
      this.isPressed = false;
      return true;
    }
    if (!this.#isEnabled) return false;
    if (event.shiftKey) {
      this.beginIfNeeded(photo);
      void this.extend(photo);
      return true;
    }
    if (!this.isActive && !this.#isAtMark(event)) return false;
    this.toggle(photo);
    return true;
  }

  #isAtMark(/** @type {MouseEvent} */ event) {
    const item = event.target instanceof Element ? event.target.closest(".cell") : null;
    // The keyboard and screen readers click without a pointer.
    if (!item || event.detail === 0) return false;
    const { left, right, top, width, height } = item.getBoundingClientRect();
    const across = document.documentElement.dir === "rtl" ? right - event.clientX : event.clientX - left;
    return across <= Math.min(corner, width * 0.45) && event.clientY - top <= Math.min(corner, height * 0.45);
  }

  #pointed(/** @type {PointerEvent} */ event) {
    clearTimeout(this.#pressTimer);
    this.isPressed = false;
    if (event.pointerType !== "touch" || !event.isPrimary || !this.#isEnabled) return;
    const photo = this.gallery.keyboard.photoOf(event);
    if (!photo) return;
    this.#pressStart = { x: event.clientX, y: event.clientY };
    this.#pressTimer = window.setTimeout(() => {
      this.isPressed = true;
      navigator.vibrate?.(10);
      this.toggle(photo);
    }, pressTime);
  }

  #changed(/** @type {string} */ what) {
    this.gallery.view.describe(this.isActive);
    this.handlers.onChange(what);
  }
}
