// @ts-check
/** The states of the page in words: loading, empty, failed, offline, and new photos. */

import { count as format } from "./dates.js";
import { plural, text as translated } from "./texts.js";

/** @typedef {{text: string, onPress: () => void}} Button */

export class Status {
  #loadingTimer = 0;

  constructor() {
    const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
    this.panel = element("state");
    this.title = element("state-title");
    this.text = element("state-text");
    this.code = element("state-code");
    this.button = /** @type {HTMLButtonElement} */ (element("state-button"));
    this.offline = element("offline");
    this.news = /** @type {HTMLButtonElement} */ (element("news"));
    this.live = element("announcements");
    this.home = /** @type {HTMLElement} */ (this.live.parentElement);
  }

  /** Shows that photos are loading, unless they arrive within a moment. */
  loading() {
    clearTimeout(this.#loadingTimer);
    this.#loadingTimer = window.setTimeout(() => this.#show("loading", translated("Loading photos…"), ""), 400);
  }

  /** Shows the photos. */
  ready() {
    clearTimeout(this.#loadingTimer);
    this.panel.hidden = true;
  }

  /** Shows that there are no photos.
   * @param {string | null} stream
   * @param {() => void} [add] Lets a person choose files, if the server accepts them. */
  empty(stream, add) {
    if (add) {
      const button = { text: translated("Add photos…"), onPress: add };
      return this.#show("empty", translated("No photos yet"), translated("Drop photos here, or choose files."), button);
    }
    this.#show(
      "empty", translated(stream ? "No photos yet" : "No streams yet"),
      translated(stream ? "Photos appear here as soon as you import them:" : "Import a folder of pictures to create a stream:"));
    this.code.hidden = false;
    this.code.textContent = `photostream import --stream ${stream && /^[\w-]+$/.test(stream) ? stream : "holiday"} FOLDER`;
  }

  /** Shows that a search found nothing.
   * @param {string} text
   * @param {() => void} showAll */
  nothingFound(text, showAll) {
    const button = { text: translated("Show all photos"), onPress: showAll };
    const why = translated("No photo matches “{text}”.", { text });
    this.#show("empty", translated("No photos found"), why, button);
  }

  /** Shows why there are no photos.
   * @param {string} text
   * @param {Button} button */
  failed(text, button) {
    this.#show("failed", translated("Photos could not be loaded"), text, button);
  }

  /** Shows that the link of a share is no longer valid.
   * @param {string} text */
  ended(text) {
    this.#show("failed", translated("This link has ended"), text);
  }

  /** Shows whether the server can be reached.
   * @param {boolean} isOffline */
  setOffline(isOffline) {
    if (this.offline.hidden === !isOffline) return;
    this.offline.hidden = !isOffline;
    if (!isOffline) this.announce(translated("Connection restored"));
  }

  /** Shows the number of new photos above the window.
   * @param {number} count
   * @param {() => void} go */
  setNews(count, go) {
    this.news.hidden = count === 0;
    if (count === 0) return;
    // A new element each time: a text that moves would count as a layout shift.
    const text = document.createElement("span");
    text.textContent = `↑  ${plural(count, "{count} new photo", "{count} new photos", { count: format(count) })}`;
    this.news.replaceChildren(text);
    this.news.onclick = go;
  }

  /** Lets screen readers read a text.
   * @param {string} text */
  announce(text) {
    // A dialog hides everything outside it from screen readers.
    const parent = document.querySelector("dialog[open]") ?? this.home;
    if (this.live.parentElement === parent) {
      this.live.textContent = text;
      return;
    }
    // A live region has to be in the document before its text changes.
    this.live.textContent = "";
    parent.append(this.live);
    window.setTimeout(() => { this.live.textContent = text; }, 50);
  }

  #show(/** @type {string} */ kind, /** @type {string} */ title, /** @type {string} */ text,
    /** @type {Button | undefined} */ button = undefined) {
    clearTimeout(this.#loadingTimer);
    this.panel.hidden = false;
    this.panel.dataset.kind = kind;
    this.title.textContent = title;
    this.text.textContent = text;
    this.code.hidden = true;
    this.button.hidden = !button;
    this.button.textContent = button?.text ?? "";
    this.button.onclick = button?.onPress ?? null;
  }
}
