// @ts-check
/**
 * The headers of sections. Each section is an element as high as its part of the plane, with a sticky header in it, so that the
 * browser pins the header without a script.
 */

import { headerSize } from "./geometry.js";
import { count, sectionTitle } from "./dates.js";

/** @typedef {{id: string, count: number}} Info */

/** The number of sections in an answer. */
const chunk = 200;

export class Sections {
  /** @type {Map<number, {box: HTMLElement, title: HTMLElement}>} */
  #shown = new Map();
  /** @type {Map<number, Info>} */
  #infos = new Map();
  /** @type {Set<number>} */
  #asked = new Set();
  #abort = new AbortController();
  #layer;
  /** @type {import("./tiles.js").Source | null} */
  #source = null;

  /** @param {HTMLElement} layer */
  constructor(layer) {
    this.#layer = layer;
  }

  /** The number of elements. */
  get elementCount() {
    return this.#shown.size * 2;
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
    const title = document.createElement("h2");
    title.style.height = `${headerSize}px`;
    box.append(title);
    this.#layer.append(box);
    const parts = { box, title };
    this.#shown.set(number, parts);
    return parts;
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
    const text = sectionTitle(info.id);
    if (title.textContent !== text) title.textContent = text;
    const photos = count(info.count);
    if (title.dataset.count !== photos) title.dataset.count = photos;
  }

  async #ask(/** @type {number} */ part) {
    if (this.#asked.has(part) || !this.#source) return;
    this.#asked.add(part);
    const { signal } = this.#abort;
    const { stream, options, state, reader } = this.#source;
    try {
      const answer = await reader.layout(
        stream, options, { fromSection: part * chunk, limit: chunk, signal });
      if (answer.state !== state) return;
      for (const section of answer.sections) this.#infos.set(section.section, section);
      for (const [number, { title }] of this.#shown) this.#describe(number, title);
    } catch {
      // Tiles report failures; the titles are requested again with the next tile.
      if (!signal.aborted) this.#asked.delete(part);
    }
  }
}
