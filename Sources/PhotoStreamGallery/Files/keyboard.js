// @ts-check
/** Keys and clicks among the photos: arrows move by geometry, and exactly one photo can be reached with the Tab key. */

import { neighbour } from "./geometry.js";

/** @typedef {import("./gallery.js").Gallery} Gallery */
/** @typedef {import("./tiles.js").Photo} Photo */

export class Keyboard {
  /** The photo that the keyboard is at. */
  #id = "";
  #isMoving = false;

  /**
   * @param {HTMLElement} layer The element of the photos.
   * @param {Gallery} gallery
   */
  constructor(layer, gallery) {
    this.layer = layer;
    this.gallery = gallery;
    layer.addEventListener("keydown", (event) => this.#press(event));
    layer.addEventListener("focusin", (event) => this.#focused(event));
    layer.addEventListener("click", (event) => this.#clicked(event));
  }

  /**
   * Gives a photo that is shown the focus.
   *
   * @param {Photo} photo
   */
  focus(photo) {
    this.#id = photo.id;
    // Where there are more photos than elements, this one has to get one.
    if (!this.gallery.cells.byID.has(photo.id)) this.gallery.render();
    this.updateTabStop();
    this.gallery.cells.byID.get(photo.id)?.link.focus({ preventScroll: true });
  }

  /**
   * Whether the keyboard is at a photo.
   *
   * @param {string} id
   */
  isAt(id) { return id === this.#id; }

  /** Makes the photo that had the focus the one for the Tab key, or, if it cannot be seen, the first one in the window. */
  updateTabStop() {
    const photos = this.gallery.photosAround(0);
    const isSeen = photos.some((photo) => photo.id === this.#id);
    if (!isSeen && !this.layer.contains(document.activeElement)) {
      const { offset } = this.gallery.viewport;
      const first = photos.filter((photo) => photo.y >= offset).sort((a, b) => a.index - b.index)[0] ?? photos[0];
      if (first) this.#id = first.id;
    }
    for (const [id, { link }] of this.gallery.cells.byID) link.tabIndex = id === this.#id ? 0 : -1;
  }

  /**
   * Returns the photo that an event is about.
   *
   * @param {Event} event
   */
  photoOf(event) {
    const item = event.target instanceof Element ? event.target.closest(".cell") : null;
    for (const cell of this.gallery.cells.byID.values()) if (cell.item === item) return cell.photo;
    return this.gallery.slivers.photoOf(event);
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
      // The photos around the window have been fetched, except right after a jump.
      await this.gallery.loadAround(1).catch(() => {});
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

  /** Takes a key that does something with a photo; returns whether it is one. */
  #act(/** @type {KeyboardEvent} */ event, /** @type {Photo} */ photo) {
    const { selection } = this.gallery;
    if (event.altKey || !selection.isEnabled) return false;
    switch (event.key) {
      case " ": selection.toggle(photo); return true;
      case "Delete": this.gallery.handlers.onDelete(photo); return true;
      // A click on a photo selects it while others are selected; this key still opens it.
      case "Enter": if (!selection.isActive) return false; this.gallery.handlers.onOpen(photo); return true;
      default: return false;
    }
  }

  /**
   * Returns how to find the photo to which a key leads; `null` for any other key.
   *
   * @param {string} key
   * @param {Photo} from
   * @param {boolean} isRightToLeft
   * @param {number} last The index of the last photo.
   * @returns {(() => {id: string} | {index: number} | null) | null}
   */
  #destination(key, from, isRightToLeft, last) {
    const screen = this.gallery.viewport.height * 0.8;
    const forward = isRightToLeft ? -1 : 1;
    switch (key) {
      case "ArrowRight": return () => ({ index: from.index + forward });
      case "ArrowLeft": return () => ({ index: from.index - forward });
      case "ArrowDown": return () => this.#neighbour(from, 0, "down");
      case "ArrowUp": return () => this.#neighbour(from, 0, "up");
      case "PageDown": return () => this.#neighbour(from, screen, "down") ?? { index: last };
      case "PageUp": return () => this.#neighbour(from, -screen, "up") ?? { index: 0 };
      case "Home": return () => ({ index: 0 });
      case "End": return () => ({ index: last });
      default: return null;
    }
  }

  #neighbour(/** @type {Photo} */ from, /** @type {number} */ distance, /** @type {"up" | "down"} */ direction) {
    const found = neighbour(this.gallery.photosAround(2), { ...from, y: from.y + distance }, direction);
    return found && { id: found.id };
  }
}
