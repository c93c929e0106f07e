// @ts-check
/** The elements of clusters: one button for each, with the face as its background and the number of photos. */

import { count, fullDate, photoName, photos } from "./dates.js";
import { cssColor, placeholderAddress } from "./placeholders.js";
import { pictureOf, thumbnailSize } from "./photostream.js";
import { locale, text } from "./texts.js";

/** @typedef {import("./clusters.js").Cluster} Cluster */
/** @typedef {{cluster: Cluster, x: number, y: number, scale: number, side: number}} Placed With its place from the origin, its scale,
 *   and the side of the world that the cluster's frame is in. */
/** @typedef {{button: HTMLButtonElement, placed: Placed, address: string, transform: string}} Entry */

/** The greatest number of elements. */
const elementLimit = 285;
/** The time after which a picture that could not be loaded is requested again, in milliseconds. */
const retryTime = 4_000;

export class ClusterElements {
  /** @type {Map<string, Entry>} */
  #byID = new Map();
  #layer;
  #client;
  #onPress;
  /** @type {(place: {x: number, y: number}) => string | null} */
  #near = () => null;

  /** @param {HTMLElement} layer
   * @param {import("./photostream.js").PhotoStreamClient} client
   * @param {(cluster: Cluster) => void} onPress */
  constructor(layer, client, onPress) {
    this.#layer = layer;
    this.#client = client;
    this.#onPress = onPress;
  }

  /** Names the places of clusters.
   * @param {(place: {x: number, y: number}) => string | null} near Returns the city near a place of the world with side 1. */
  name(near) {
    this.#near = near;
    for (const { button, placed } of this.#byID.values()) {
      button.setAttribute("aria-label", this.#label(placed.cluster, placed.side));
    }
  }

  /** Moves all clusters.
   * @param {number} x The place of the origin in the window.
   * @param {number} y */
  move(x, y) {
    this.#layer.style.transform = `translate(${onPixel(x)}px, ${onPixel(y)}px)`;
  }

  /** Shows exactly these clusters, at most as many as there are elements for, the largest.
   * @param {Placed[]} all */
  show(all) {
    const shown = all.length <= elementLimit ? all
      : all.sort((a, b) => b.cluster.count - a.cluster.count).slice(0, elementLimit);
    const ids = new Set(shown.map(({ cluster }) => cluster.id));
    for (const [id, { button }] of this.#byID) {
      if (ids.has(id)) continue;
      const hadFocus = button === document.activeElement;
      button.remove();
      this.#byID.delete(id);
      // The keys of the map go on.
      if (hadFocus) /** @type {HTMLElement | null} */ (this.#layer.closest("[tabindex]"))?.focus({ preventScroll: true });
    }
    for (const placed of shown) this.#place(this.#byID.get(placed.cluster.id) ?? this.#make(placed), placed);
  }

  /** Puts the elements into the order of reading, from top to bottom. */
  sort() {
    const rows = [...this.#byID.values()].sort((a, b) =>
      Math.round(a.placed.y / 80) - Math.round(b.placed.y / 80) || a.placed.x - b.placed.x);
    let next = this.#layer.firstElementChild;
    const focused = document.activeElement;
    for (const { button } of rows) {
      if (button === next) next = next.nextElementSibling;
      else this.#layer.insertBefore(button, next);
    }
    if (focused instanceof HTMLElement && focused !== document.activeElement && this.#layer.contains(focused)) {
      focused.focus({ preventScroll: true });
    }
  }

  /** Gives the focus to the cluster with a face, and returns whether it is shown.
   * @param {string} id */
  focus(id) {
    const entry = this.#byID.get(id);
    entry?.button.focus({ preventScroll: true });
    return entry !== undefined;
  }

  /** Returns the city near a cluster; `null` if there is none.
   * @param {Cluster} cluster
   * @param {number} side The side of the world that its frame is in. */
  city(cluster, side) {
    return this.#near({ x: (cluster.x + cluster.width / 2) / side, y: (cluster.y + cluster.height / 2) / side });
  }

  /** @returns {Entry} */
  #make(/** @type {Placed} */ placed) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "cluster";
    const entry = { button, placed, address: "", transform: "" };
    const { id, color, placeholder } = placed.cluster;
    button.style.backgroundColor = cssColor(color);
    const address = placeholderAddress(placeholder);
    if (address) button.style.backgroundImage = `url("${address}")`;
    button.addEventListener("click", () => this.#onPress(entry.placed.cluster));
    this.#byID.set(id, entry);
    this.#layer.append(button);
    return entry;
  }

  #place(/** @type {Entry} */ entry, /** @type {Placed} */ placed) {
    const { button } = entry;
    const { cluster, x, y, scale } = placed;
    const isNew = entry.placed === placed || entry.placed.cluster !== cluster;
    entry.placed = placed;
    const transform = `translate(${onPixel(x)}px, ${onPixel(y)}px)${scale === 1 ? "" : ` scale(${scale})`}`;
    if (entry.transform !== transform) button.style.transform = entry.transform = transform;
    if (!isNew) return;
    button.style.setProperty("--width", `${cluster.width}px`);
    button.style.setProperty("--height", `${cluster.height}px`);
    const number = cluster.count > 1 ? short(cluster.count) : "";
    if (button.dataset.count !== number) button.dataset.count = number;
    button.setAttribute("aria-label", this.#label(cluster, placed.side));
    this.#load(entry);
  }

  #label(/** @type {Cluster} */ cluster, /** @type {number} */ side) {
    const { count: number, index, texts } = cluster;
    const city = this.city(cluster, side);
    if (number === 1) return [photoName(texts ?? {}, index), city ? text("near {city}", { city }) : ""].filter(Boolean).join(", ");
    const { alt, title, caption, takenAt } = texts ?? {};
    const all = city ? text("{photos} near {city}", { photos: photos(number), city }) : photos(number);
    return [all, alt || title || caption || fullDate(takenAt)].filter(Boolean).join(", ");
  }

  /** Loads the picture of a face, and shows it as a whole. */
  #load(/** @type {Entry} */ entry) {
    const { cluster } = entry.placed;
    const { key, id } = cluster;
    if (!key) return;
    const size = thumbnailSize(cluster, window.devicePixelRatio, pictureOf(cluster));
    const address = this.#client.thumbnail(key, size);
    if (address === entry.address) return;
    entry.address = address;
    const image = new Image();
    image.src = address;
    image.decode().then(() => {
      if (entry.address === address && this.#byID.get(id) === entry) entry.button.style.backgroundImage = `url("${address}")`;
    }, () => window.setTimeout(() => {
      if (entry.address !== address || this.#byID.get(id) !== entry) return;
      entry.address = "";
      this.#load(entry);
    }, retryTime));
  }
}

/** A short number, such as 1.2K. */
function short(/** @type {number} */ value) {
  return value < 10_000 ? count(value) : compact.format(value);
}

const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });

function onPixel(/** @type {number} */ value) {
  return Math.round(value * window.devicePixelRatio) / window.devicePixelRatio;
}
