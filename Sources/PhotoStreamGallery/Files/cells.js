// @ts-check
/**
 * The elements of the photos: a pool as large as the window needs, whose elements are reused.
 *
 * A cell is a list item with a link, which contains the picture when that is loaded, and with the caption if captions are shown.
 * Texts are set as text, never as markup.
 */

import { pictureOf, thumbnailSize } from "./photostream.js";
import { cssColor, placeholderAddress } from "./placeholders.js";
import { clock, count, photoName } from "./dates.js";

/** @typedef {import("./tiles.js").Photo} Photo */
/** @typedef {{item: HTMLElement, link: HTMLAnchorElement, caption: HTMLElement | null, image: HTMLImageElement | null,
 *   loading: HTMLImageElement | null, photo: Photo, shown: string, wanted: string, hasPlaceholder: boolean,
 *   left: number, top: number, width: number, height: number, z: number, animation: Animation | null}} Cell */

/** The time for drawing placeholders in one frame, in milliseconds. */
const placeholderTime = 6;
/** The number of elements for the photos and the headers. */
const elementLimit = 270;
/** The shorter side of the smallest cell with the sign of a video or stack, and the width of the narrowest with a length, in points. */
const [signSide, lengthWidth] = [32, 110];

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
    /** Called when an element no longer shows its photo. */
    this.onRelease = (/** @type {HTMLElement} */ _item) => {};
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

  /** Puts the elements into the order of the stream, for screen readers, each header before the photos of its section.
   * @param {{box: HTMLElement, y: number}[]} headers The sections from top to bottom, with their tops in the content. */
  sort(headers) {
    const focused = document.activeElement;
    const sorted = [...this.byID.values()].sort((a, b) => a.photo.index - b.photo.index);
    const waiting = [...headers];
    let next = this.#layer.firstElementChild;
    const put = (/** @type {HTMLElement} */ element) => {
      if (element === next) next = next.nextElementSibling;
      else this.#layer.insertBefore(element, next);
    };
    for (const { item, photo } of sorted) {
      while (waiting.length > 0 && waiting[0].y <= photo.y) put(/** @type {any} */ (waiting.shift()).box);
      put(item);
    }
    for (const { box } of waiting) put(box);
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
      const size = thumbnailSize(box, this.scale, pictureOf(photo));
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
    this.onRelease(cell.item);
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
    const { texts } = photo;
    set(link, "aria-label", photoName(texts ?? {}, photo.index));
    // Shown by a cell that has nothing else to show.
    const number = stackOf(photo);
    const isPlain = !photo.key && photo.color < 0 && !photo.placeholder && !number;
    const title = isPlain ? texts?.title || texts?.caption || "" : "";
    if ((link.dataset.title ?? "") !== title) link.dataset.title = title;
    if ((link.dataset.stack ?? "") !== number) link.dataset.stack = number;
    set(link, "href", this.address(photo));
    const length = lengthOf(photo);
    if (length === null) delete item.dataset.length;
    else if (item.dataset.length !== length) item.dataset.length = length;
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

/** The text next to the sign of a video, empty without room; `null` for a photo, and for a video without room for the sign. */
function lengthOf(/** @type {Photo} */ { texts, width, height, captionExtent }) {
  const duration = texts?.duration;
  if (duration === undefined || Math.min(width, height - captionExtent) < signSide) return null;
  return width < lengthWidth ? "" : clock(duration);
}

/** The number of photos in the stack that a photo stands for; empty for any other, and without room. */
function stackOf(/** @type {Photo} */ { texts, width, height, captionExtent }) {
  const number = texts?.stackCount ?? 1;
  return number > 1 && Math.min(width, height - captionExtent) >= signSide ? count(number) : "";
}

/** Whether an address is that of the same picture, at least in this size. */
function isAsLarge(/** @type {string} */ address, /** @type {string} */ key, /** @type {number} */ size) {
  if (!address.includes(`/${key}/`)) return false;
  return Number.parseInt(address.slice(address.lastIndexOf("/") + 1), 10) >= size;
}

/** Sets an attribute unless it has this value.
 * @param {Element} element
 * @param {string} name
 * @param {string} value */
function set(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
