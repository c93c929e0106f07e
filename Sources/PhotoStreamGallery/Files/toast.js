// @ts-check
/** A note about what was just done, with a button that takes it back. It goes away by itself, but not while it is used. */

/** The time for which a note is shown, in milliseconds. */
const time = 12_000;
/** The time that remains at least when the pointer or the focus leaves it. */
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

  /**
   * Shows a note.
   *
   * @param {string} text
   * @param {{undo?: () => void, button?: {text: string, onPress: () => void}, isLasting?: boolean, progress?: string}} how `undo`
   *   takes back what the note says, and `button` does something else; a note that is lasting stays until the next one, and one
   *   with the name of a `progress` shows how far something is.
   * @returns {HTMLElement} The note.
   */
  show(text, { undo, button, isLasting = false, progress } = {}) {
    this.hide();
    // A dialog makes everything outside it unusable.
    const parent = document.querySelector("dialog[open]") ?? this.home;
    if (this.layer.parentElement !== parent) parent.append(this.layer);
    // Another element for each note: one that moved would count as a layout shift.
    const note = document.createElement("div");
    note.className = "toast";
    const words = document.createElement("span");
    words.textContent = text;
    words.dir = "auto";
    note.append(words);
    if (progress !== undefined) this.#addProgress(note, progress);
    if (undo) note.append(this.#button("Undo", undo, "Undo (Ctrl Z)"));
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
    // A long text scrolls, by keys, too.
    if (words.scrollHeight > words.clientHeight) words.tabIndex = 0;
    this.#run();
    return note;
  }

  /** Whether a note is shown. */
  get isShown() { return this.#note !== null; }

  /**
   * Changes how far the note's progress is; nothing moves, and a screen reader is not interrupted.
   *
   * @param {string} words
   * @param {number} part From 0 to 1.
   */
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
    // The bar says it, when a person asks for it.
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

  /** Takes the note out of a dialog that is closed. */
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
