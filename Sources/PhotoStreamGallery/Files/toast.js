// @ts-check
/** A note about the last action, often with a button that undoes it. It disappears by itself, but not while it is used. */

import { text as translated } from "./texts.js";

/** The time for which a note is shown, in milliseconds. */
const time = 12_000;
/** The shortest time for which it stays after the pointer or the focus has left it. */
const restTime = 4_000;

export class Toast {
  #timer = 0;
  /** The time that remains. */
  #left = 0;
  #since = 0;
  #isHeld = false;
  /** @type {HTMLElement | null} */
  #note = null;

  /** @param {HTMLElement} layer The live region that notes appear in. */
  constructor(layer) {
    this.layer = layer;
    this.home = /** @type {HTMLElement} */ (layer.parentElement);
  }

  /** Shows a note.
   * @param {string} text
   * @param {{undo?: () => void, button?: {text: string, onPress: () => void}, isLasting?: boolean, progress?: string}} how `undo`
   *   undoes what the note describes, and `button` does something else. A lasting note stays until the next one. `progress` is
   *   the name of a progress bar.
   * @returns {HTMLElement} The note. */
  show(text, { undo, button, isLasting = false, progress } = {}) {
    this.hide();
    // While a dialog is open, nothing outside it can be used.
    const parent = document.querySelector("dialog[open]") ?? this.home;
    if (this.layer.parentElement !== parent) parent.append(this.layer);
    // A new element for each note: one that moved would count as a layout shift.
    const note = document.createElement("div");
    note.className = "toast";
    const words = document.createElement("span");
    words.textContent = text;
    words.dir = "auto";
    note.append(words);
    if (progress !== undefined) this.#addProgress(note, progress);
    if (undo) note.append(this.#button(translated("Undo"), undo, translated("Undo (Ctrl Z)")));
    if (button) note.append(this.#button(button.text, button.onPress));
    for (const name of ["pointerenter", "focusin"]) note.addEventListener(name, () => this.#hold());
    for (const name of ["pointerleave", "focusout"]) {
      note.addEventListener(name, () => window.setTimeout(() => {
        if (this.#note === note && !note.matches(":hover, :focus-within")) this.#goOn();
      }));
    }
    this.#note = note;
    this.#left = isLasting ? Infinity : time;
    this.#isHeld = false;
    this.layer.append(note);
    // A long text can be scrolled with keys, too.
    if (words.scrollHeight > words.clientHeight) words.tabIndex = 0;
    this.#run();
    return note;
  }

  /** Whether a note is shown. */
  get isShown() { return this.#note !== null; }

  /** Advances the note's progress bar. Nothing moves, and screen readers are not interrupted.
   * @param {string} words
   * @param {number} part From 0 to 1. */
  advance(words, part) {
    const bar = this.#note?.querySelector("progress");
    const amount = this.#note?.querySelector(".amount");
    if (!bar || !amount) return;
    bar.value = part;
    amount.textContent = words;
  }

  #addProgress(/** @type {HTMLElement} */ note, /** @type {string} */ name) {
    note.classList.add("steady");
    const amount = document.createElement("span");
    amount.className = "amount";
    // Screen readers read the bar, on request.
    amount.setAttribute("aria-hidden", "true");
    const bar = document.createElement("progress");
    bar.max = 1;
    bar.value = 0;
    bar.setAttribute("aria-label", name);
    note.append(amount, bar);
  }

  hide() {
    clearTimeout(this.#timer);
    this.#note?.remove();
    this.#note = null;
  }

  /** Moves the note out of a dialog that was closed. */
  goHome() {
    if (this.layer.parentElement !== this.home) this.home.append(this.layer);
  }

  #button(/** @type {string} */ text, /** @type {() => void} */ onPress, title = "") {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.title = title;
    button.addEventListener("click", () => {
      this.hide();
      onPress();
    });
    return button;
  }

  #run() {
    this.#since = performance.now();
    if (this.#left < Infinity) this.#timer = window.setTimeout(() => this.hide(), this.#left);
  }

  #hold() {
    if (this.#isHeld) return;
    this.#isHeld = true;
    clearTimeout(this.#timer);
    this.#left = Math.max(restTime, this.#left - (performance.now() - this.#since));
  }

  #goOn() {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#run();
  }
}
