// @ts-check
/** Keys and clicks on the photos: arrow keys move by geometry, and exactly one photo is a stop of the Tab key. */

import { neighbour } from "./geometry.js";

/** @typedef {import("./gallery.js").Gallery} Gallery */
/** @typedef {import("./tiles.js").Photo} Photo */

export class Keyboard {
  /** The current photo of the keyboard. */
  #id = "";
  #isMoving = false;

  /** @param {HTMLElement} layer The element of the photos.
   * @param {Gallery} gallery */
  constructor(layer, gallery) {
    this.layer = layer;
    this.gallery = gallery;
    layer.addEventListener("keydown", (event) => this.#press(event));
    layer.addEventListener("focusin", (event) => this.#focused(event));
    layer.addEventListener("click", (event) => this.#clicked(event));
  }

  /** Gives the focus to a photo that is shown.
   * @param {Photo} photo */
  focus(photo) {
    this.#id = photo.id;
    const { view } = this.gallery;
    // If there are more photos than elements, this one may have none yet.
    if (!view.cells.byID.has(photo.id)) view.render();
    this.updateTabStop();
    view.cells.byID.get(photo.id)?.link.focus({ preventScroll: true });
  }

  /** Whether a photo is the current one of the keyboard.
   * @param {string} id */
  isAt(id) { return id === this.#id; }

  /** Makes the current photo the stop of the Tab key, or, if it is not visible, the first one in the window. */
  updateTabStop() {
    const { cells, viewport: { offset } } = this.gallery.view;
    const photos = this.gallery.view.photosAround(0);
    const isSeen = photos.some((photo) => photo.id === this.#id);
    if (!isSeen && !this.layer.contains(document.activeElement)) {
      const first = photos.filter((photo) => photo.y >= offset).sort((a, b) => a.index - b.index)[0] ?? photos[0];
      if (first) this.#id = first.id;
    }
    for (const [id, { link }] of cells.byID) link.tabIndex = id === this.#id ? 0 : -1;
  }

  /** Returns the photo of an event.
   * @param {Event} event */
  photoOf(event) {
    const item = event.target instanceof Element ? event.target.closest(".cell") : null;
    const { cells, slivers } = this.gallery.view;
    for (const cell of cells.byID.values()) if (cell.item === item) return cell.photo;
    return slivers.photoOf(event);
  }

  #focused(/** @type {FocusEvent} */ event) {
    const photo = this.photoOf(event);
    if (!photo) return;
    this.#id = photo.id;
    this.updateTabStop();
  }

  #clicked(/** @type {MouseEvent} */ event) {
    if (event.ctrlKey || event.metaKey || event.button !== 0) return;
    const photo = this.photoOf(event);
    if (!photo) return;
    if (this.gallery.selection.click(event, photo)) {
      event.preventDefault();
      return;
    }
    if (event.shiftKey) return;
    event.preventDefault();
    this.gallery.handlers.onOpen(photo);
  }

  async #press(/** @type {KeyboardEvent} */ event) {
    if (event.ctrlKey || event.metaKey) return;
    const from = this.photoOf(event);
    const { opened, selection } = this.gallery;
    if (!from || !opened) return;
    if (this.#act(event, from)) {
      event.preventDefault();
      return;
    }
    if (event.altKey && !(selection.isEnabled && event.key.startsWith("Arrow"))) return;
    const last = opened.count - 1;
    const find = this.#destination(event.key, from, opened.source.options.layoutDirection === "right-to-left", last);
    if (!find) return;
    event.preventDefault();
    if (this.#isMoving) return;
    this.#isMoving = true;
    try {
      // The photos around the window are loaded, except right after a jump.
      await this.gallery.view.loadAround(1).catch(() => {});
      const to = find();
      if (!to || ("index" in to && (to.index < 0 || to.index > last))) return;
      if (event.altKey) {
        const photo = await this.gallery.find(to);
        if (photo) this.gallery.handlers.onMove(from, photo);
        return;
      }
      const isRange = event.shiftKey && selection.isEnabled;
      if (isRange) selection.beginIfNeeded(from);
      const photo = await this.gallery.focus(to);
      if (isRange && photo) await selection.extend(photo);
    } finally {
      this.#isMoving = false;
    }
  }

  /** Does what a key does with a photo; returns whether it is such a key. */
  #act(/** @type {KeyboardEvent} */ event, /** @type {Photo} */ photo) {
    const { selection } = this.gallery;
    if (event.altKey || !selection.isEnabled) return false;
    switch (event.key) {
      case " ": selection.toggle(photo); return true;
      case "Delete": this.gallery.handlers.onDelete(photo); return true;
      case "a": this.gallery.handlers.onArchive(photo); return true;
      // While others are selected, a click selects the photo, and this key opens it.
      case "Enter": if (!selection.isActive) return false; this.gallery.handlers.onOpen(photo); return true;
      default: return false;
    }
  }

  /** Returns a function that finds the destination of a key; `null` for other keys.
   * @param {string} key
   * @param {Photo} from
   * @param {boolean} isRightToLeft
   * @param {number} last The index of the last photo.
   * @returns {(() => {id: string} | {index: number} | null) | null} */
  #destination(key, from, isRightToLeft, last) {
    const screen = this.gallery.view.viewport.height * 0.8;
    const forward = isRightToLeft ? -1 : 1;
    // In columns, the next photo of the stream may be on the other side of the window.
    const isMasonry = this.gallery.source?.options.algorithm === "masonry";
    switch (key) {
      case "ArrowRight": return () => isMasonry ? this.#neighbour(from, 0, "right") : { index: from.index + forward };
      case "ArrowLeft": return () => isMasonry ? this.#neighbour(from, 0, "left") : { index: from.index - forward };
      case "ArrowDown": return () => this.#neighbour(from, 0, "down");
      case "ArrowUp": return () => this.#neighbour(from, 0, "up");
      case "PageDown": return () => this.#neighbour(from, screen, "down") ?? { index: last };
      case "PageUp": return () => this.#neighbour(from, -screen, "up") ?? { index: 0 };
      case "Home": return () => ({ index: 0 });
      case "End": return () => ({ index: last });
      default: return null;
    }
  }

  #neighbour(/** @type {Photo} */ from, /** @type {number} */ distance,
    /** @type {"up" | "down" | "left" | "right"} */ direction) {
    const found = neighbour(this.gallery.view.photosAround(2), { ...from, y: from.y + distance }, direction);
    return found && { id: found.id };
  }
}
