// @ts-check
/** The scroll bar of the gallery: it shows dates, and is exact in a stream of any length. */

import { clamp } from "./geometry.js";
import { monthOf, yearOf } from "./dates.js";

/** The height that a year's label needs, in points. */
const labelDistance = 30;

export class Scrubber {
  /** @type {{offset: number, day: string | null}[]} */
  #stops = [];
  #height = 0;
  #window = 0;
  #offset = 0;
  #hideTimer = 0;
  #isDragging = false;
  #trackHeight = 0;
  #thumbHeight = 0;

  /** @param {HTMLElement} track
   * @param {{onMove: (offset: number) => void}} handlers */
  constructor(track, { onMove }) {
    this.track = track;
    this.thumb = /** @type {HTMLElement} */ (track.querySelector(".thumb"));
    this.bubble = /** @type {HTMLElement} */ (track.querySelector(".bubble"));
    this.labels = /** @type {HTMLElement} */ (track.querySelector(".labels"));
    this.onMove = onMove;
    new ResizeObserver(() => {
      this.#measure();
      this.#drawLabels();
      this.show(this.#offset, this.#window, this.#height);
    }).observe(track);
    track.addEventListener("pointerdown", (event) => this.#begin(event));
    track.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) track.addEventListener(end, () => this.#end());
    track.addEventListener("pointerleave", () => track.classList.remove("pointed"));
    this.thumb.addEventListener("keydown", (event) => this.#press(event));
  }

  /** Sets the stops of a layout.
   * @param {{offset: number, day: string | null}[]} stops
   * @param {number} height The height of the content. */
  setStops(stops, height) {
    this.#stops = stops;
    this.#height = height;
    this.#drawLabels();
  }

  /** Shows a place.
   * @param {number} offset
   * @param {number} window
   * @param {number} height */
  show(offset, window, height) {
    [this.#offset, this.#window, this.#height] = [offset, window, height];
    const room = height - window;
    this.track.hidden = room < 1;
    if (this.track.hidden) return;
    const fraction = clamp(offset / room, 0, 1);
    this.thumb.style.transform = `translateY(${fraction * this.#length}px)`;
    const text = this.#textAt(offset);
    // A new text node each time: one that moves would count as a layout shift.
    if (this.bubble.textContent !== text) this.bubble.replaceChildren(new Text(text));
    this.thumb.setAttribute("aria-valuenow", String(Math.round(fraction * 100)));
    this.thumb.setAttribute("aria-valuetext", text || `${Math.round(fraction * 100)} %`);
  }

  /** Shows the bar for a moment, if there is no room for it next to the photos. */
  awaken() {
    this.track.classList.add("awake");
    clearTimeout(this.#hideTimer);
    this.#hideTimer = window.setTimeout(() => this.track.classList.remove("awake"), 1_200);
  }

  /** Reads the sizes, not for each movement: that would make the browser lay out the page each time. */
  #measure() {
    this.#trackHeight = this.track.clientHeight;
    this.#thumbHeight = this.thumb.offsetHeight;
  }

  get #length() {
    return Math.max(1, this.#trackHeight - this.#thumbHeight);
  }

  #textAt(/** @type {number} */ offset) {
    const stops = this.#stops;
    if (stops.length === 0 || stops.every((stop) => stop.day === null)) return "";
    let low = 0;
    let high = stops.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (stops[middle].offset <= offset) low = middle;
      else high = middle - 1;
    }
    return monthOf(stops[low].day);
  }

  #drawLabels() {
    this.labels.replaceChildren();
    const length = this.#trackHeight;
    let last = -Infinity;
    let year = "";
    for (const stop of this.#stops) {
      const text = yearOf(stop.day);
      if (!text || text === year) continue;
      const isFirst = year === "";
      year = text;
      const top = (stop.offset / Math.max(1, this.#height)) * length;
      // The first year is at the start of the stream, where it needs no label.
      if (isFirst || top - last < labelDistance || top > length - labelDistance) continue;
      last = top;
      const label = document.createElement("span");
      label.textContent = text;
      label.style.transform = `translateY(${Math.round(top)}px)`;
      this.labels.append(label);
    }
  }

  #begin(/** @type {PointerEvent} */ event) {
    if (event.button !== 0) return;
    this.track.setPointerCapture(event.pointerId);
    this.#isDragging = true;
    this.track.classList.add("dragged");
    this.#move(event);
    event.preventDefault();
  }

  #move(/** @type {PointerEvent} */ event) {
    if (!this.#isDragging) return;
    const top = event.clientY - this.track.getBoundingClientRect().top - this.#thumbHeight / 2;
    this.onMove(clamp(top / this.#length, 0, 1) * (this.#height - this.#window));
  }

  #end() {
    this.#isDragging = false;
    this.track.classList.remove("dragged");
  }

  #press(/** @type {KeyboardEvent} */ event) {
    const step = this.#window * 0.9;
    const places = /** @type {Record<string, number>} */ ({
      ArrowUp: this.#offset - step, ArrowDown: this.#offset + step, PageUp: this.#offset - this.#height / 20,
      PageDown: this.#offset + this.#height / 20, Home: 0, End: this.#height,
    });
    if (!(event.key in places)) return;
    event.preventDefault();
    event.stopPropagation();
    this.onMove(clamp(places[event.key], 0, this.#height - this.#window));
  }
}
