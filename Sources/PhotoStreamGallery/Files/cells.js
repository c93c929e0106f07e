// @ts-check
/**
 * The elements of the photos: a pool as large as the window needs, whose elements are reused.
 *
 * A cell is a list item with a link, which contains the picture when that is loaded, and with the caption if captions are shown.
 * Texts are set as text, never as markup.
 */

import { thumbnailSize } from "./photostream.js";
import { cssColor, placeholderAddress } from "./placeholders.js";
import { fullDate } from "./dates.js";

/** @typedef {import("./tiles.js").Photo} Photo */
/** @typedef {{item: HTMLElement, link: HTMLAnchorElement, caption: HTMLElement | null, image: HTMLImageElement | null,
 *   loading: HTMLImageElement | null, photo: Photo, shown: string, wanted: string, hasPlaceholder: boolean,
 *   left: number, top: number, width: number, height: number, z: number, animation: Animation | null}} Cell */

/** The time for drawing placeholders in one frame, in milliseconds. */
const placeholderTime = 6;
/** The number of elements for the photos and the headers. */
const elementLimit = 270;

export class Cells {
  /** @type {Map<string, Cell>} */
  byID = new Map();
  /** @type {Cell[]} */
  #free = [];
  /** Image elements that were never shown, for reuse: Chromium keeps each one that had an address but was never in the
   * document.
   * @type {HTMLImageElement[]} */
  #cancelled = [];
  #capacity = 0;
  #layer;
  #client;

  /** @param {HTMLElement} layer
   * @param {import("./photostream.js").PhotoStreamClient} client */
  constructor(layer, client) {
    this.#layer = layer;
    this.#client = client;
    this.hasCaptions = false;
    this.scale = 1;
    this.count = 0;
    this.base = 0;
    /** @type {(photo: Photo) => string} */
    this.address = () => "";
    /** Whether photos are being selected; if so, they are the options of a list box. */
    this.isSelecting = false;
    /** @type {(id: string) => boolean} */
    this.isSelected = () => false;
    /** Called when a picture could not be loaded. The next call of `load` tries again. */
    this.onFailure = () => {};
  }

  /** Removes unused elements for which there is no room.
   * @param {number} others The number of other elements.
   * @returns {number} The number of photos that can be shown. */
  makeRoom(others) {
    this.#capacity = Math.floor((elementLimit - others) / (this.hasCaptions ? 4 : 3));
    while (this.#free.length > 0 && this.byID.size + this.#free.length > this.#capacity) this.#free.pop()?.item.remove();
    return this.#capacity;
  }

  /** Shows exactly these photos, and the one with the focus.
   * @param {Photo[]} photos */
  show(photos) {
    const wanted = new Set(photos.map((photo) => photo.id));
    for (const [id, cell] of this.byID) {
      if (wanted.has(id) || cell.link === document.activeElement) continue;
      this.#release(cell);
    }
    for (const photo of photos) {
      const cell = this.byID.get(photo.id) ?? this.#take(photo);
      this.#place(cell, photo);
    }
  }

  /** Moves all cells relative to the base of the plane. */
  rebase() {
    for (const cell of this.byID.values()) this.#place(cell, cell.photo);
  }

  /** Puts the elements into the order of the stream, for screen readers. */
  sort() {
    const focused = document.activeElement;
    const sorted = [...this.byID.values()].sort((a, b) => a.photo.index - b.photo.index);
    let next = this.#layer.firstElementChild;
    for (const { item } of sorted) {
      if (item === next) next = next.nextElementSibling;
      else this.#layer.insertBefore(item, next);
    }
    if (focused instanceof HTMLElement && focused !== document.activeElement && this.#layer.contains(focused)) {
      focused.focus({ preventScroll: true });
    }
  }

  /** Shows as many placeholders as there is time for.
   * @param {Iterable<Photo>} photos
   * @returns {boolean} Whether these are all of them. */
  showPlaceholders(photos) {
    const end = performance.now() + placeholderTime;
    for (const photo of photos) {
      const cell = this.byID.get(photo.id);
      if (!cell || cell.hasPlaceholder || cell.image) continue;
      if (performance.now() > end) return false;
      cell.hasPlaceholder = true;
      const address = placeholderAddress(photo.placeholder);
      if (address) cell.link.style.backgroundImage = `url("${address}")`;
    }
    return true;
  }

  /** Loads the pictures of photos that show none, or one that is too small.
   * @param {Iterable<Photo>} photos
   * @param {"high" | "low"} priority */
  load(photos, priority) {
    for (const photo of photos) {
      const cell = this.byID.get(photo.id);
      if (!cell || !photo.key) continue;
      const box = { width: photo.width, height: photo.height - photo.captionExtent };
      const picture = photo.pixelWidth > 0 ? { width: photo.pixelWidth, height: photo.pixelHeight } : box;
      const size = thumbnailSize(box, this.scale, picture);
      const address = this.#client.thumbnail(photo.key, size);
      if (cell.wanted === address || isAsLarge(cell.shown, photo.key, size)) continue;
      this.#load(cell, address, priority);
    }
  }

  /** Updates roles, labels and captions. */
  describe() {
    set(this.#layer, "role", this.isSelecting ? "listbox" : "list");
    if (this.isSelecting) set(this.#layer, "aria-multiselectable", "true");
    else this.#layer.removeAttribute("aria-multiselectable");
    for (const cell of this.byID.values()) this.#describe(cell);
  }

  /** Removes all photos. */
  clear() {
    for (const cell of [...this.byID.values()]) this.#release(cell);
  }

  /** The number of cells whose picture is missing although the photo has one.
   * @param {Iterable<Photo>} photos */
  missing(photos) {
    let count = 0;
    for (const photo of photos) {
      const cell = this.byID.get(photo.id);
      if (cell && photo.key && !cell.image) count += 1;
    }
    return count;
  }

  #take(/** @type {Photo} */ photo) {
    const cell = this.#free.pop() ?? this.#make(photo);
    cell.photo = photo;
    cell.item.hidden = false;
    cell.link.style.backgroundColor = cssColor(photo.color);
    this.byID.set(photo.id, cell);
    return cell;
  }

  /** @returns {Cell} */
  #make(/** @type {Photo} */ photo) {
    const item = document.createElement("div");
    item.className = "cell";
    const link = document.createElement("a");
    link.draggable = false;
    item.append(link);
    this.#layer.append(item);
    return {
      item, link, caption: null, image: null, loading: null, photo, shown: "", wanted: "", hasPlaceholder: false,
      left: NaN, top: NaN, width: NaN, height: NaN, z: NaN, animation: null,
    };
  }

  #release(/** @type {Cell} */ cell) {
    this.byID.delete(cell.photo.id);
    this.#cancel(cell);
    cell.image?.remove();
    Object.assign(cell, { image: null, shown: "", wanted: "", hasPlaceholder: false, left: NaN, top: NaN });
    cell.link.style.backgroundImage = "";
    cell.link.tabIndex = -1;
    cell.animation?.cancel();
    cell.animation = null;
    if (this.byID.size + this.#free.length < this.#capacity) {
      cell.item.hidden = true;
      this.#free.push(cell);
    } else {
      cell.item.remove();
    }
  }

  #place(/** @type {Cell} */ cell, /** @type {Photo} */ photo) {
    const before = cell.photo;
    const top = photo.y - this.base;
    if (cell.left !== photo.x || cell.top !== top) {
      cell.item.style.transform = `translate(${photo.x}px, ${top}px)`;
      [cell.left, cell.top] = [photo.x, top];
    }
    const { style } = cell.item;
    if (cell.width !== photo.width || cell.height !== photo.height) {
      style.width = `${photo.width}px`;
      style.height = `${photo.height}px`;
      [cell.width, cell.height] = [photo.width, photo.height];
    }
    if (cell.z !== photo.z) style.zIndex = String(photo.z);
    cell.z = photo.z;
    if (before.key !== photo.key && before.id === photo.id) {
      // The former picture stays until the new one is loaded.
      cell.wanted = "";
      if (!photo.key) { this.#cancel(cell); cell.image?.remove(); cell.image = null; cell.shown = ""; }
    }
    if (before.color !== photo.color) cell.link.style.backgroundColor = cell.image ? "" : cssColor(photo.color);
    cell.photo = photo;
    this.#describe(cell);
  }

  #describe(/** @type {Cell} */ cell) {
    const { item, link, photo } = cell;
    this.#describePlace(cell);
    set(link, "aria-label", label(photo));
    set(link, "href", this.address(photo));
    const text = this.hasCaptions && photo.captionExtent > 0 ? (photo.texts?.caption ?? "") : null;
    if (text === null) {
      cell.caption?.remove();
      cell.caption = null;
      if (link.style.bottom) link.style.bottom = "";
      return;
    }
    if (!cell.caption) {
      cell.caption = document.createElement("div");
      cell.caption.className = "caption";
      cell.caption.dir = "auto";
      // The label of the link contains the same text.
      cell.caption.setAttribute("aria-hidden", "true");
      item.append(cell.caption);
    }
    if (cell.caption.textContent !== text) cell.caption.textContent = text;
    const extent = `${photo.captionExtent}px`;
    if (cell.caption.style.height !== extent) cell.caption.style.height = extent;
    const place = `translateY(${photo.height - photo.captionExtent}px)`;
    if (cell.caption.style.transform !== place) cell.caption.style.transform = place;
    if (link.style.bottom !== extent) link.style.bottom = extent;
  }

  /** Sets the position of a photo in the list, and, while photos are being selected, whether it is selected. */
  #describePlace(/** @type {Cell} */ { item, link, photo }) {
    const isSelected = this.isSelecting && this.isSelected(photo.id);
    item.classList.toggle("selected", isSelected);
    const [element, other] = this.isSelecting ? [link, item] : [item, link];
    set(item, "role", this.isSelecting ? "none" : "listitem");
    set(element, "aria-setsize", String(this.count));
    set(element, "aria-posinset", String(photo.index + 1));
    if (other.hasAttribute("aria-setsize")) {
      other.removeAttribute("aria-setsize");
      other.removeAttribute("aria-posinset");
    }
    if (this.isSelecting) {
      set(link, "role", "option");
      set(link, "aria-selected", String(isSelected));
    } else if (link.hasAttribute("role")) {
      link.removeAttribute("role");
      link.removeAttribute("aria-selected");
    }
  }

  #load(/** @type {Cell} */ cell, /** @type {string} */ address, /** @type {"high" | "low"} */ priority) {
    this.#cancel(cell);
    const image = this.#cancelled.pop() ?? newImage();
    [cell.loading, cell.wanted] = [image, address];
    const isWanted = () => cell.loading === image && cell.wanted === address;
    image.setAttribute("fetchpriority", priority);
    const start = performance.now();
    const fail = () => {
      if (!isWanted()) return;
      this.#cancel(cell);
      this.onFailure();
    };
    image.onload = () => image.decode().then(() => {
      if (!isWanted()) return;
      cell.loading = null;
      // A cached picture does not fade in, and neither does a larger one over a smaller one.
      if (!cell.image && performance.now() - start > 60) image.className = "fading";
      if (cell.image) cell.image.replaceWith(image);
      else cell.link.append(image);
      cell.image = image;
      cell.shown = address;
      if (!image.className) clearBackground(cell);
      else image.addEventListener("animationend", () => cell.image === image && clearBackground(cell), { once: true });
    }, fail);
    image.onerror = fail;
    image.src = address;
  }

  #cancel(/** @type {Cell} */ cell) {
    const image = cell.loading;
    if (!image) return;
    cell.loading = null;
    cell.wanted = "";
    [image.onload, image.onerror] = [null, null];
    image.removeAttribute("src");
    this.#cancelled.push(image);
  }
}

function newImage() {
  const image = new Image();
  image.alt = "";
  image.draggable = false;
  image.decoding = "async";
  return image;
}

/** Removes the placeholder, which would shine through transparent parts of the picture. */
function clearBackground(/** @type {Cell} */ cell) {
  cell.link.style.backgroundImage = "";
  cell.link.style.backgroundColor = "";
}

/** Whether an address is that of the same picture, at least in this size. */
function isAsLarge(/** @type {string} */ address, /** @type {string} */ key, /** @type {number} */ size) {
  if (!address.includes(`/${key}/`)) return false;
  return Number.parseInt(address.slice(address.lastIndexOf("/") + 1), 10) >= size;
}

/** The label of a photo: its alternative text, or else its title, caption, date or number.
 * @param {Photo} photo */
function label(photo) {
  const texts = photo.texts ?? {};
  return texts.alt || texts.title || texts.caption || fullDate(texts.takenAt) || `Photo ${photo.index + 1}`;
}

/** Sets an attribute unless it has this value.
 * @param {Element} element
 * @param {string} name
 * @param {string} value */
function set(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
