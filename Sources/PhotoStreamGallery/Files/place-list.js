// @ts-check
/** The photos of a place as a list: a dialog with squares of one size, of which only those in its window have elements. */

import { photoName, photos } from "./dates.js";
import { cssColor, placeholderAddress } from "./placeholders.js";
import { pictureOf, thumbnailSize } from "./photostream.js";
import { text } from "./texts.js";

/** @typedef {import("./photos-of-place.js").PhotosOfPlace} PhotosOfPlace */
/** @typedef {import("./photostream.js").PlacedPhoto} PlacedPhoto */

/** The greatest side of a square, and the space between two. */
const [greatestSide, space] = [132, 6];
/** The number of rows above and below the window that have elements. */
const rowsAround = 2;

export class PlaceList {
  /** @type {PhotosOfPlace | null} */
  #photos = null;
  /** @type {Map<number, HTMLLIElement>} */
  #items = new Map();
  #client;
  #handlers;
  /** The city near the place.
   * @type {string | null} */
  #city = null;

  /** @param {import("./photostream.js").PhotoStreamClient} client
   * @param {{onOpen: (id: string) => void, onFailure: (error: unknown) => void}} handlers */
  constructor(client, handlers) {
    this.#client = client;
    this.#handlers = handlers;
    this.dialog = /** @type {HTMLDialogElement} */ (document.getElementById("place-list"));
    this.title = /** @type {HTMLElement} */ (this.dialog.querySelector("h2"));
    this.body = /** @type {HTMLElement} */ (this.dialog.querySelector(".rows"));
    this.list = /** @type {HTMLUListElement} */ (this.dialog.querySelector("ul"));
    this.dialog.querySelector(".close")?.addEventListener("click", () => this.close());
    this.dialog.addEventListener("close", () => this.#closed());
    // A press beside the dialog closes it.
    this.dialog.addEventListener("click", (event) => { if (event.target === this.dialog) this.close(); });
    this.body.addEventListener("scroll", () => this.#render(), { passive: true });
    // Keys of the page, such as Escape, which ends a search, are not for it while the list is open.
    this.dialog.addEventListener("keydown", (event) => { if (!event.ctrlKey && !event.metaKey) event.stopPropagation(); });
    this.list.addEventListener("keydown", (event) => this.#typed(event));
    new ResizeObserver(() => this.isOpen && this.#render()).observe(this.body);
  }

  get isOpen() { return this.dialog.open; }
  /** The photos that are listed; `null` if the list is closed. */
  get photos() { return this.#photos; }

  /** Lists photos.
   * @param {PhotosOfPlace} of
   * @param {string | null} city The city near the place. */
  async open(of, city) {
    this.#photos = of;
    this.#city = city;
    this.#clear();
    this.title.textContent = text("Loading photos…");
    if (!this.dialog.open) this.dialog.showModal();
    this.body.scrollTop = 0;
    await this.#load(of, 1);
    this.#items.get(0)?.querySelector("a")?.focus({ preventScroll: true });
  }

  /** Lists the photos of the same place again after a change of the stream.
   * @param {import("./clusters.js").Question} question */
  reload(question) {
    const of = this.#photos;
    if (!of || !this.isOpen || of.question.state === question.state) return;
    this.#photos = of.again(question);
    void this.#load(this.#photos, of.loaded.length);
  }

  close() {
    if (this.dialog.open) this.dialog.close();
  }

  /** Gives the focus to a photo.
   * @param {string} id */
  focus(id) {
    const index = this.#photos?.loaded.findIndex(({ photo }) => photo === id) ?? -1;
    if (index < 0) return;
    this.#reveal(index);
    this.#items.get(index)?.querySelector("a")?.focus({ preventScroll: true });
  }

  #closed() {
    this.#photos = null;
    this.#clear();
  }

  #clear() {
    this.#items.clear();
    this.list.replaceChildren();
  }

  async #load(/** @type {PhotosOfPlace} */ of, /** @type {number} */ number) {
    try {
      await of.load(number);
    } catch (error) {
      if (this.#photos === of) this.title.textContent = text("The photos cannot be loaded right now");
      this.#handlers.onFailure(error);
      return;
    }
    if (this.#photos !== of) return;
    if (of.count === 0) return this.close();
    this.title.textContent = this.#titleOf(of);
    this.#render();
  }

  #titleOf(/** @type {PhotosOfPlace} */ of) {
    const values = { photos: photos(of.count ?? 0), city: this.#city ?? "" };
    if (!of.point) return text("{photos} without a position", values);
    return this.#city ? text("{photos} near {city}", values) : text("{photos} of one place", values);
  }

  /** The grid: columns, and the side of a square with the space. */
  get #grid() {
    const width = this.list.clientWidth;
    const columns = Math.max(2, Math.ceil((width + space) / (greatestSide + space)));
    return { columns, step: (width + space) / columns };
  }

  #reveal(/** @type {number} */ index) {
    const { columns, step } = this.#grid;
    const top = Math.floor(index / columns) * step;
    const { scrollTop, clientHeight } = this.body;
    if (top < scrollTop) this.body.scrollTop = top;
    else if (top + step > scrollTop + clientHeight) this.body.scrollTop = top + step - clientHeight;
    this.#render();
  }

  #render() {
    const of = this.#photos;
    if (!of || of.count === null || !this.isOpen) return;
    const { columns, step } = this.#grid;
    const rows = Math.ceil(of.count / columns);
    this.list.style.height = `${Math.max(0, rows * step - space)}px`;
    const { scrollTop, clientHeight } = this.body;
    const first = Math.max(0, Math.floor(scrollTop / step) - rowsAround) * columns;
    const end = Math.min(of.count, (Math.ceil((scrollTop + clientHeight) / step) + rowsAround) * columns);
    for (const [index, item] of this.#items) {
      if (index >= first && index < end || item.contains(document.activeElement)) continue;
      item.remove();
      this.#items.delete(index);
    }
    for (let index = first; index < Math.min(end, of.loaded.length); index += 1) {
      this.#place(index, of.loaded[index], index % columns * step, Math.floor(index / columns) * step, step - space);
    }
    // In the order of the stream, for screen readers and the Tab key.
    const sorted = [...this.#items].sort(([a], [b]) => a - b).map(([, item]) => item);
    sorted.forEach((item, place) => {
      if (this.list.children[place] !== item) this.list.insertBefore(item, this.list.children[place] ?? null);
    });
    if (end > of.loaded.length) void this.#load(of, end);
  }

  #place(/** @type {number} */ index, /** @type {PlacedPhoto} */ photo, /** @type {number} */ x, /** @type {number} */ y,
    /** @type {number} */ side) {
    const item = this.#items.get(index) ?? document.createElement("li");
    this.#items.set(index, item);
    Object.assign(item.style, { transform: `translate(${x}px, ${y}px)`, width: `${side}px`, height: `${side}px` });
    const id = photo.photo ?? "";
    if (item.dataset.photo === id) return;
    item.dataset.photo = id;
    item.setAttribute("aria-setsize", String(this.#photos?.count ?? 0));
    item.setAttribute("aria-posinset", String(index + 1));
    const link = document.createElement("a");
    link.href = `#${new URLSearchParams({ photo: id })}`;
    link.setAttribute("aria-label", photoName(photo, index));
    link.style.backgroundColor = photo.color ?? cssColor(-1);
    const placeholder = placeholderAddress(photo.placeholder ?? "");
    if (placeholder) link.style.backgroundImage = `url("${placeholder}")`;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      this.#handlers.onOpen(id);
    });
    if (photo.pictureKey) {
      const image = new Image();
      image.alt = "";
      image.draggable = false;
      const size = thumbnailSize({ width: side, height: side }, window.devicePixelRatio, pictureOf(photo));
      image.src = this.#client.thumbnail(photo.pictureKey, size);
      link.append(image);
    }
    item.replaceChildren(link);
  }

  #typed(/** @type {KeyboardEvent} */ event) {
    const item = document.activeElement?.closest("li");
    const index = [...this.#items].find(([, other]) => other === item)?.[0];
    if (index === undefined || !this.#photos) return;
    const { columns } = this.#grid;
    const steps = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns });
    const next = index + (steps[event.key] ?? 0);
    if (next === index || next < 0 || next >= this.#photos.loaded.length) return;
    event.preventDefault();
    this.#reveal(next);
    this.#items.get(next)?.querySelector("a")?.focus({ preventScroll: true });
  }
}
