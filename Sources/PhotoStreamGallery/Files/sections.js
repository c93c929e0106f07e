// @ts-check
/**
 * The headers of sections. Each section is an element as high as its part of the plane, with a sticky header in it, so that the
 * browser pins the header without a script.
 */

import { count, photos, sectionTitle } from "./dates.js";

/** @typedef {{id: string, count: number}} Info */

/** The number of sections in an answer. */
const chunk = 200;
/** The width of a window, in points, below which titles are short. */
const shortWidth = 480;

export class Sections {
  /** @type {Map<number, {box: HTMLElement, title: HTMLElement, y: number}>} */
  #shown = new Map();
  /** @type {Map<number, Info>} */
  #infos = new Map();
  /** @type {Set<number>} */
  #asked = new Set();
  #abort = new AbortController();
  #layer;
  /** @type {import("./tiles.js").Source | null} */
  #source = null;

  /** @param {HTMLElement} layer The element of the photos, among which the headers are for screen readers.
   * @param {import("./photostream.js").PhotoStreamClient} client
   * @param {() => void} onKnown Called when the days of more sections are known. */
  constructor(layer, client, onKnown) {
    this.#layer = layer;
    this.client = client;
    this.onKnown = onKnown;
    /** Whether photos are being selected. The photos are a list box then, which has no headers for screen readers. */
    this.isSelecting = false;
  }

  /** The number of elements. */
  get elementCount() {
    return this.#shown.size * 2;
  }

  /** The sections that are shown, from top to bottom. */
  get shown() {
    return [...this.#shown.values()].sort((a, b) => a.y - b.y);
  }

  /** Returns the day, month or year of the section at an offset; `null` if it is unknown.
   * @param {number} offset */
  dayAt(offset) {
    let best = null;
    let least = -Infinity;
    for (const [number, { y }] of this.#shown) if (y <= offset && y > least) [best, least] = [number, y];
    return best === null ? null : this.#infos.get(best)?.id ?? null;
  }

  /** Begins with another layout or revision.
   * @param {import("./tiles.js").Source} source
   * @param {import("./photostream.js").Section[]} known */
  reset(source, known) {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#source = source;
    this.#infos.clear();
    this.#asked.clear();
    for (const section of known) this.#infos.set(section.section, section);
    for (const number of [...this.#shown.keys()]) this.#release(number);
  }

  /** Shows the sections of a window.
   * @param {Map<number, import("./tiles.js").Element>} backgrounds The places of the sections.
   * @param {{base: number, planeHeight: number}} plane */
  show(backgrounds, { base, planeHeight }) {
    for (const number of [...this.#shown.keys()]) if (!backgrounds.has(number)) this.#release(number);
    for (const [number, { y, height }] of backgrounds) {
      const parts = this.#shown.get(number) ?? this.#take(number);
      parts.y = y;
      const top = Math.max(0, y - base);
      const bottom = Math.min(planeHeight, y + height - base);
      const style = parts.box.style;
      // Not a transform, which sticky elements ignore.
      if (style.top !== `${top}px`) style.top = `${top}px`;
      const extent = `${Math.max(0, bottom - top)}px`;
      if (style.height !== extent) style.height = extent;
      this.#describe(number, parts.title);
    }
  }

  /** Creates the elements of a section. They are not reused: one that moved would count as a layout shift. */
  #take(/** @type {number} */ number) {
    const box = document.createElement("div");
    box.className = "section";
    this.#setRole(box);
    const title = document.createElement("h2");
    title.style.height = `${this.#source?.options.headerSize}px`;
    box.append(title);
    this.#layer.append(box);
    const parts = { box, title, y: 0 };
    this.#shown.set(number, parts);
    return parts;
  }

  /** Updates the roles of the headers. */
  describe() {
    for (const { box } of this.#shown.values()) this.#setRole(box);
  }

  /** Makes a header an item of the list; a list box may contain photos only. */
  #setRole(/** @type {HTMLElement} */ box) {
    box.setAttribute("role", this.isSelecting ? "none" : "listitem");
    if (this.isSelecting) box.setAttribute("aria-hidden", "true");
    else box.removeAttribute("aria-hidden");
  }

  #release(/** @type {number} */ number) {
    this.#shown.get(number)?.box.remove();
    this.#shown.delete(number);
  }

  #describe(/** @type {number} */ number, /** @type {HTMLElement} */ title) {
    const info = this.#infos.get(number);
    if (!info) {
      this.#ask(Math.floor(number / chunk));
      return;
    }
    const text = sectionTitle(info.id, { isShort: (this.#source?.width ?? 0) < shortWidth });
    if (title.textContent !== text) title.textContent = text;
    const size = count(info.count);
    if (title.dataset.count === size) return;
    title.dataset.count = size;
    if (text) title.setAttribute("aria-label", `${sectionTitle(info.id)}, ${photos(info.count)}`);
  }

  async #ask(/** @type {number} */ part) {
    if (this.#asked.has(part) || !this.#source) return;
    this.#asked.add(part);
    const { signal } = this.#abort;
    const { stream, options, state } = this.#source;
    try {
      const answer = await this.client.layout(
        stream, options, { fromSection: part * chunk, limit: chunk, signal });
      if (answer.state !== state) return;
      for (const section of answer.sections) this.#infos.set(section.section, section);
      for (const [number, { title }] of this.#shown) this.#describe(number, title);
      this.onKnown();
    } catch {
      // Tiles report failures; the titles are requested again with the next tile.
      if (!signal.aborted) this.#asked.delete(part);
    }
  }
}
