// @ts-check
/** The dialog that lists the photos that were deleted in the last 30 days, and restores them. */

import { reason } from "./actions.js";
import { moment, photos, selected } from "./dates.js";
import { Problem } from "./photostream.js";
import { placeholderAddress } from "./placeholders.js";
import { text } from "./texts.js";

/** The number of photos that are requested at once. */
const pageLimit = 100;
/** The number of characters up to which a name is cut at its end, and of those at the end of a longer one that are shown in any
 * case. */
const [shortLength, tailLength] = [24, 14];

/** @typedef {import("./photostream.js").DeletedPhoto} Entry */

export class DeletedPhotos {
  #stream = "";
  /** The rows, by the ids of their photos, in the order of the list.
   * @type {Map<string, HTMLLIElement>} */
  #rows = new Map();
  #asking = new AbortController();
  #isRestoring = false;
  /** Whether the stream has changed since the list was requested. */
  #isOutdated = false;
  /** The photo that was last restored since the dialog was opened.
   * @type {string | null} */
  #restored = null;

  /** @param {HTMLDialogElement} dialog
   * @param {HTMLButtonElement} button The button that opens it.
   * @param {import("./photostream.js").PhotoStreamClient} client
   * @param {{stream: () => string | null, onRestore: (stream: string, ids: string[]) => Promise<string[]>,
   *   onClose: (restored: string | null) => void}} handlers `onRestore` restores photos, shows a note, and returns the
   *   restored ones. */
  constructor(dialog, button, client, handlers) {
    this.dialog = dialog;
    this.client = client;
    this.handlers = handlers;
    const find = (/** @type {string} */ selector) => /** @type {any} */ (dialog.querySelector(selector));
    this.list = /** @type {HTMLUListElement} */ (find("ul"));
    this.message = /** @type {HTMLElement} */ (find(".message"));
    this.more = /** @type {HTMLButtonElement} */ (find(".more"));
    this.all = /** @type {HTMLInputElement} */ (find(".all"));
    this.number = /** @type {HTMLElement} */ (find(".number"));
    this.restoreButton = /** @type {HTMLButtonElement} */ (find(".restore"));
    this.closeButton = /** @type {HTMLButtonElement} */ (find(".close"));
    button.addEventListener("click", () => {
      /** @type {any} */ (button.closest(":popover-open"))?.hidePopover();
      this.open();
    });
    this.closeButton.addEventListener("click", () => dialog.close());
    // A click outside it.
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
    dialog.addEventListener("close", () => {
      this.#asking.abort();
      handlers.onClose(this.#restored);
    });
    dialog.addEventListener("keydown", (event) => this.#move(event));
    this.more.addEventListener("click", () => { void this.#load(); });
    this.all.addEventListener("change", () => {
      for (const box of this.#boxes()) box.checked = this.all.checked;
      this.#showSelection();
    });
    this.list.addEventListener("change", () => this.#showSelection());
    this.restoreButton.addEventListener("click", () => { void this.#restore(this.#selected()); });
  }

  get isOpen() { return this.dialog.open; }

  /** Shows the deleted photos of the stream that is shown. */
  open() {
    const stream = this.handlers.stream();
    if (stream === null || this.isOpen) return;
    this.#stream = stream;
    this.#restored = null;
    this.#isOutdated = false;
    this.dialog.showModal();
    void this.#reload();
  }

  /** Loads the list from its beginning.
   * @returns {Promise<void>} */
  #reload() {
    this.#rows.clear();
    this.list.replaceChildren();
    return this.#load();
  }

  /** Adds the next photos to the list. */
  async #load() {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const isFocused = document.activeElement === this.more;
    this.more.hidden = true;
    this.#show(this.#rows.size === 0 ? text("Loading…") : "");
    this.dialog.setAttribute("aria-busy", "true");
    try {
      const after = [...this.#rows.keys()].at(-1);
      const answer = await this.client.deleted(this.#stream, { limit: pageLimit, after, signal });
      const rows = answer.photos.map((entry) => this.#row(entry));
      this.list.append(...rows);
      this.more.hidden = !answer.truncated;
      this.#show(this.#rows.size === 0 ? text("No photo was deleted in the last 30 days.") : "");
      if (isFocused) rows[0]?.querySelector("input")?.focus();
    } catch (error) {
      if (signal.aborted) return;
      // Another client has restored the last photo of the list.
      if (error instanceof Problem && error.kind === "unknown-photo" && this.#rows.size > 0) return this.#reload();
      this.#show(text("Deleted photos could not be loaded: {reason}.", { reason: reason(error) }));
      this.more.hidden = false;
    }
    this.dialog.removeAttribute("aria-busy");
    this.#showSelection();
    void this.#catchUp();
  }

  /** Shows what other clients have deleted and restored. The focus and the selection stay.
   * @param {import("./photostream.js").Change[] | null} changes The changes of the stream; `null` if they are unknown. */
  follow(changes) {
    if (!this.isOpen || changes?.every(({ change }) => change !== "inserted" && change !== "deleted")) return;
    this.#isOutdated = true;
    void this.#catchUp();
  }

  /** Requests as much of the list again as is shown. A running request or restoration does so at its end. */
  async #catchUp() {
    if (!this.#isOutdated || !this.isOpen || this.#isRestoring || this.dialog.hasAttribute("aria-busy")) return;
    this.#isOutdated = false;
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    /** @type {Entry[]} */
    const entries = [];
    try {
      for (let isMore = true; isMore;) {
        const answer = await this.client.deleted(
          this.#stream, { limit: pageLimit, after: entries.at(-1)?.photo.id, signal });
        entries.push(...answer.photos);
        this.more.hidden = !answer.truncated;
        isMore = answer.truncated && entries.length < this.#rows.size;
      }
    } catch {
      // Another request has replaced this one, or the next event is a reason to try again.
      this.#isOutdated = true;
      return;
    }
    if (this.#isRestoring) this.#isOutdated = true;
    else this.#replace(entries);
  }

  /** Replaces the list. Rows that stay are not moved, so that they keep the focus. */
  #replace(/** @type {Entry[]} */ entries) {
    const before = this.#rows;
    const { activeElement } = document;
    const focused = [...before].findIndex(([, row]) => row.contains(activeElement));
    this.#rows = new Map();
    const rows = entries.map((entry) => {
      const { id } = entry.photo;
      const known = before.get(id);
      if (known?.dataset.deletedAt !== entry.deletedAt) {
        const row = this.#row(entry);
        for (const box of row.querySelectorAll("input")) box.checked = known?.querySelector("input")?.checked ?? false;
        return row;
      }
      this.#rows.set(id, known);
      return known;
    });
    const kept = new Set(rows);
    for (const row of before.values()) if (!kept.has(row)) row.remove();
    rows.forEach((row, index) => {
      const { [index]: there } = this.list.children;
      if (there !== row) this.list.insertBefore(row, there ?? null);
    });
    this.#show(rows.length === 0 ? text("No photo was deleted in the last 30 days.") : "");
    this.#showSelection();
    if (focused < 0 || this.list.contains(activeElement)) return;
    const next = this.#nearest([...before.keys()], focused);
    const control = this.#rows.get(next ?? "")?.querySelector(activeElement?.tagName === "BUTTON" ? "button" : "input");
    (control ?? this.closeButton).focus();
  }

  /** Makes the row of a photo. */
  #row(/** @type {Entry} */ { deletedAt, photo, ...decoded }) {
    const name = photo.title || photo.caption || photo.alt || photo.id;
    const make = (/** @type {string} */ tag, /** @type {string} */ className, words = "") => {
      const element = document.createElement(tag);
      element.className = className;
      element.textContent = words;
      return element;
    };
    const tile = make("span", "tile");
    tile.style.backgroundColor = photo.color ?? decoded.color ?? "";
    const placeholder = placeholderAddress(photo.placeholder ?? decoded.placeholder ?? "");
    if (placeholder) tile.style.backgroundImage = `url("${placeholder}")`;
    const title = cutInMiddle(make("span", "name"), name);
    const details = make("span", "details", text("Deleted {time}", { time: moment(deletedAt) }));
    if (name !== photo.id) details.append(cutInMiddle(make("bdi", ""), photo.id));
    const words = make("span", "words-of");
    words.append(title, details);
    const box = document.createElement("input");
    box.type = "checkbox";
    // The two parts of a name would be read as two words.
    box.setAttribute("aria-label", [name, text("Deleted {time}", { time: moment(deletedAt) })].join(", "));
    const label = make("label", "");
    label.append(box, tile, words);
    const button = /** @type {HTMLButtonElement} */ (make("button", "one", text("Restore")));
    button.type = "button";
    button.setAttribute("aria-label", text("Restore {name}", { name }));
    button.addEventListener("click", () => { void this.#restore([photo.id]); });
    const row = document.createElement("li");
    row.dataset.deletedAt = deletedAt;
    row.append(label, button);
    this.#rows.set(photo.id, row);
    return row;
  }

  /** Restores photos and removes their rows; the focus moves to the next row. */
  async #restore(/** @type {string[]} */ ids) {
    if (this.#isRestoring) return;
    const rows = [...this.#rows.keys()];
    const isOne = this.list.contains(document.activeElement);
    this.#isRestoring = true;
    const restored = await this.handlers.onRestore(this.#stream, ids).finally(() => { this.#isRestoring = false; });
    this.#restored = restored[0] ?? this.#restored;
    if (!this.isOpen) return;
    for (const id of restored) {
      this.#rows.get(id)?.remove();
      this.#rows.delete(id);
    }
    const next = this.#nearest(rows, rows.indexOf(ids[0]));
    this.#showSelection();
    // Another client may have restored the photos that could not be restored, and more photos may follow the restored ones.
    if (restored.length < ids.length || this.#rows.size === 0) await this.#reload();
    const control = this.#rows.get(next ?? "")?.querySelector(isOne ? "button" : "input");
    if (!this.dialog.contains(document.activeElement) || document.activeElement === this.dialog
      || /** @type {any} */ (document.activeElement).disabled) /** @type {HTMLElement} */ (control ?? this.closeButton).focus();
    void this.#catchUp();
  }

  /** Returns the id that follows a position and is still in the list, or else the one that precedes it. */
  #nearest(/** @type {string[]} */ ids, /** @type {number} */ at) {
    return [...ids.slice(at), ...ids.slice(0, at).reverse()].find((id) => this.#rows.has(id));
  }

  /** Moves the focus to the same control of another row. */
  #move(/** @type {KeyboardEvent} */ event) {
    const { key, target } = event;
    const rows = [...this.list.children];
    const at = rows.findIndex((row) => row.contains(/** @type {Node} */ (target)));
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[key];
    if (to === undefined) return;
    event.preventDefault();
    const control = /** @type {Element} */ (target).tagName === "BUTTON" ? "button" : "input";
    /** @type {HTMLElement | null | undefined} */ (rows[to]?.querySelector(control))?.focus();
  }

  #boxes() {
    return [...this.list.querySelectorAll("input")];
  }

  /** Returns the photos that are checked. */
  #selected() {
    return [...this.#rows].filter(([, row]) => row.querySelector("input")?.checked).map(([id]) => id);
  }

  #showSelection() {
    const number = this.#selected().length;
    this.number.textContent = number > 0 ? selected(number) : this.#rows.size > 0 ? photos(this.#rows.size) : "";
    this.restoreButton.disabled = number === 0;
    this.all.disabled = this.#rows.size === 0;
    this.all.checked = number > 0 && number === this.#rows.size;
    this.all.indeterminate = number > 0 && number < this.#rows.size;
  }

  #show(/** @type {string} */ words) {
    this.message.textContent = words;
  }
}

/** Sets a name whose middle is left out if there is no room for all of it: the ends of names differ.
 * @param {HTMLElement} element
 * @param {string} name */
function cutInMiddle(element, name) {
  const letters = [...name];
  const end = letters.length > shortLength ? letters.splice(-tailLength).join("") : "";
  for (const part of [letters.join(""), end].filter(Boolean)) {
    const span = document.createElement("span");
    span.textContent = part;
    element.append(span);
  }
  element.dir = "auto";
  element.title = name;
  return element;
}
