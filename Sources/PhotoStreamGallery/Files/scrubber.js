// @ts-check
/** The scroll bar of the gallery: it shows dates, and is exact in a stream of any length. */

import { clamp } from "./geometry.js";
import { monthOf, yearOf } from "./dates.js";

/** The height that a year's label needs, in points. */
const labelDistance = 30;
/** The distance from the thumb within which a label is hidden, because the bubble covers it. */
const bubbleDistance = 22;

export class Scrubber {
  /** @type {{offset: number, day: string | null}[]} */
  #stops = [];
  #height = 0;
  #window = 0;
  #offset = 0;
  /** @type {string | null} */
  #day = null;
  /** @type {{label: HTMLElement, top: number}[]} */
  #labels = [];
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
      this.show({ offset: this.#offset, window: this.#window, height: this.#height, day: this.#day });
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
   * @param {{offset: number, window: number, height: number, day: string | null}} place `window` is the height of the window,
   *   `height` that of the content; `day` is the day, month or year at the top of the window, if it is known. */
  show({ offset, window, height, day }) {
    [this.#offset, this.#window, this.#height, this.#day] = [offset, window, height, day];
    const room = height - window;
    this.track.hidden = room < 1;
    if (this.track.hidden) return;
    const fraction = clamp(offset / room, 0, 1);
    const top = fraction * this.#length;
    this.thumb.style.transform = `translateY(${top}px)`;
    this.#hideLabelsNear(top + this.#thumbHeight / 2);
    const text = day === null || this.#isUndated ? this.#textAt(offset) : monthOf(day);
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

  get #isUndated() {
    return this.#stops.every((stop) => stop.day === null);
  }

  #hideLabelsNear(/** @type {number} */ middle) {
    for (const { label, top } of this.#labels) label.classList.toggle("covered", Math.abs(top - middle) < bubbleDistance);
  }

  #textAt(/** @type {number} */ offset) {
    const stops = this.#stops;
    if (this.#isUndated) return "";
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
    this.#labels = [];
    if (this.#isUndated) return;
    const length = this.#trackHeight;
    let last = -Infinity;
    let year = "";
    for (const stop of this.#stops) {
      const text = yearOf(stop.day);
      if (text === year) continue;
      const isFirst = year === "";
      year = text;
      const top = (stop.offset / Math.max(1, this.#height)) * length;
      // The first year is at the start of the stream, where it needs no label.
      if (isFirst || top < labelDistance || top - last < labelDistance || top > length - labelDistance) continue;
      last = top;
      const label = document.createElement("span");
      label.textContent = text;
      label.style.transform = `translateY(${Math.round(top)}px)`;
      this.labels.append(label);
      this.#labels.push({ label, top });
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
