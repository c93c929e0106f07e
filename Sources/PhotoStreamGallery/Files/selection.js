// @ts-check
/**
 * The photos that a person has selected, by their ids: elements come and go while one scrolls.
 *
 * The check mark of a photo selects it, and while something is selected, so does the photo itself; with the Shift key,
 * everything from the last one on. On touch screens, a long press begins, unless the photo is dragged from there.
 */

/** @typedef {import("./tiles.js").Photo} Photo */

/** The side of the check mark's corner, in points. */
const corner = 40;
/** The time after which a press is a long one, in milliseconds, and the distance that a finger may move in it. */
const [pressTime, pressDistance] = [450, 10];
/** The number of photos that one range selects, and of those that one answer has. */
const [rangeLimit, chunk] = [10_000, 1_000];

export class Selection {
  /** @type {Set<string>} */
  ids = new Set();
  #isEnabled = false;
  /** The photo from which a range extends.
   * @type {{id: string, index: number, state: string} | null} */
  #anchor = null;
  /** What was selected in addition to the range.
   * @type {Set<string>} */
  #base = new Set();
  /** Counts the ranges, since an answer may come after a later question. */
  #turn = 0;
  #pressTimer = 0;
  #pressStart = { x: 0, y: 0 };
  /** Whether the next click only ends a long press. */
  #isPressed = false;

  /**
   * @param {HTMLElement} layer The element of the photos.
   * @param {import("./gallery.js").Gallery} gallery
   * @param {{onChange: (text: string) => void}} handlers
   */
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
      // The menu of a link, which the same long press would open.
      if (this.#isPressed) event.preventDefault();
    });
  }

  get isActive() { return this.ids.size > 0; }

  /** Whether a finger has been on a photo for long, from where it may be dragged. */
  get isPressed() { return this.#isPressed; }

  /**
   * Takes back what a long press has selected, since it becomes a drag.
   *
   * @param {Photo} photo
   */
  takeBackPress(photo) { this.toggle(photo); }

  /** Ends a long press after which the browser sends no click. */
  endPress() { this.#isPressed = false; }

  /** Whether photos can be selected: where there is something to do with them. */
  get isEnabled() { return this.#isEnabled; }
  set isEnabled(isEnabled) {
    this.#isEnabled = isEnabled;
    if (!isEnabled) this.clear();
  }

  /**
   * Selects a photo, or no longer.
   *
   * @param {Photo} photo
   */
  toggle(photo) {
    const isSelected = !this.ids.has(photo.id);
    if (isSelected) this.ids.add(photo.id);
    else this.ids.delete(photo.id);
    this.begin(photo);
    this.#changed(isSelected ? "Selected" : "Not selected");
  }

  /**
   * Begins a range at a photo, unless one has begun.
   *
   * @param {Photo} photo
   */
  beginIfNeeded(photo) {
    if (!this.#anchor) this.begin(photo);
  }

  /**
   * Begins a range at a photo.
   *
   * @param {Photo} photo
   */
  begin(photo) {
    this.#turn += 1;
    this.#anchor = { id: photo.id, index: photo.index, state: this.gallery.state };
    this.#base = new Set(this.ids);
  }

  /**
   * Selects everything from the beginning of the range to a photo, in place of the range before.
   *
   * @param {Photo} photo
   */
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

  /** The ids of the photos from one position to another; `null` if they are no longer wanted. */
  async #between(/** @type {number} */ first, /** @type {number} */ last, /** @type {() => boolean} */ isWanted) {
    const { source } = this.gallery;
    const end = Math.min(last, first + rangeLimit - 1);
    /** @type {string[]} */
    const ids = [];
    for (let from = first; source && from <= end; from += chunk) {
      const which = { from, count: Math.min(chunk, end - from + 1) };
      const { items } = await source.reader.items(source.stream, source.options, which, { fields: ["photo"] });
      if (!isWanted()) return null;
      for (const { photo } of items) if (photo !== undefined) ids.push(photo);
    }
    return isWanted() ? ids : null;
  }

  /** Forgets photos that are gone.
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

  /**
   * Takes a click, if it selects.
   *
   * @param {MouseEvent} event
   * @param {Photo} photo
   * @returns {boolean} Whether it did; otherwise the photo is to be opened.
   */
  click(event, photo) {
    if (this.#isPressed) {
      this.#isPressed = false;
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
    // A click without a pointer is one of the keyboard or of a screen reader.
    if (!item || event.detail === 0) return false;
    const { left, right, top, width, height } = item.getBoundingClientRect();
    const across = document.documentElement.dir === "rtl" ? right - event.clientX : event.clientX - left;
    return across <= Math.min(corner, width * 0.45) && event.clientY - top <= Math.min(corner, height * 0.45);
  }

  #pointed(/** @type {PointerEvent} */ event) {
    clearTimeout(this.#pressTimer);
    this.#isPressed = false;
    if (event.pointerType !== "touch" || !event.isPrimary || !this.#isEnabled) return;
    const photo = this.gallery.keyboard.photoOf(event);
    if (!photo) return;
    this.#pressStart = { x: event.clientX, y: event.clientY };
    this.#pressTimer = window.setTimeout(() => {
      this.#isPressed = true;
      navigator.vibrate?.(10);
      this.toggle(photo);
    }, pressTime);
  }

  #changed(/** @type {string} */ what) {
    const { cells } = this.gallery;
    cells.isSelecting = this.isActive;
    cells.describe();
    this.handlers.onChange(what);
  }
}
