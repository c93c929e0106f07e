// @ts-check
/** The states of the page in words: loading, empty, failed, offline, and what is new. */

import { photos } from "./dates.js";

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

  /** Shows that something is on its way, unless it comes within a moment. */
  loading() {
    clearTimeout(this.#loadingTimer);
    this.#loadingTimer = window.setTimeout(() => this.#show("loading", "Loading photos…", "", ""), 400);
  }

  /** Shows the photos. */
  ready() {
    clearTimeout(this.#loadingTimer);
    this.panel.hidden = true;
  }

  /**
   * Shows that there are no photos.
   *
   * @param {string | null} stream
   * @param {() => void} [add] Lets a person choose some, where the server takes them.
   */
  empty(stream, add) {
    if (add) {
      this.#show("empty", "No photos yet", "Drop photos here, or choose some.", "");
      this.button.hidden = false;
      this.button.textContent = "Add photos…";
      this.button.onclick = add;
      return;
    }
    const command = `photostream import --stream ${stream && /^[\w-]+$/.test(stream) ? stream : "holiday"} FOLDER`;
    this.#show(
      "empty", stream ? "No photos yet" : "No streams yet",
      stream ? "Photos appear here as soon as they are imported:" : "Import a folder of pictures, and it appears here:",
      command);
  }

  /**
   * Shows that a search found nothing.
   *
   * @param {string} text
   * @param {() => void} showAll
   */
  nothingFound(text, showAll) {
    this.#show("empty", "No photos found", `No title, caption or tag contains “${text}”.`, "");
    this.button.hidden = false;
    this.button.textContent = "Show all photos";
    this.button.onclick = showAll;
  }

  /**
   * Shows that the photos cannot be shown.
   *
   * @param {string} text
   * @param {() => void} retry
   */
  failed(text, retry) {
    this.#show("failed", "The photos cannot be shown", text, "");
    this.button.hidden = false;
    this.button.onclick = retry;
  }

  /**
   * Shows that there is nothing to see here any more.
   *
   * @param {string} text
   */
  ended(text) {
    this.#show("failed", "This link has ended", text, "");
  }

  /**
   * Shows whether the server can be reached.
   *
   * @param {boolean} isOffline
   */
  setOffline(isOffline) {
    if (this.offline.hidden === !isOffline) return;
    this.offline.hidden = !isOffline;
    if (!isOffline) this.announce("Connected again");
  }

  /**
   * Shows how many photos are new above.
   *
   * @param {number} count
   * @param {() => void} go
   */
  setNews(count, go) {
    this.news.hidden = count === 0;
    if (count === 0) return;
    // Another element each time: a text that moves would count as a layout shift.
    const text = document.createElement("span");
    text.textContent = `↑  ${photos(count)} added above`;
    this.news.replaceChildren(text);
    this.news.onclick = go;
  }

  /**
   * Tells a screen reader.
   *
   * @param {string} text
   */
  announce(text) {
    // A dialog hides everything outside it from screen readers.
    const parent = document.querySelector("dialog[open]") ?? this.home;
    if (this.live.parentElement === parent) {
      this.live.textContent = text;
      return;
    }
    // A region has to be there before its text changes.
    this.live.textContent = "";
    parent.append(this.live);
    window.setTimeout(() => { this.live.textContent = text; }, 50);
  }

  #show(/** @type {string} */ kind, /** @type {string} */ title, /** @type {string} */ text, /** @type {string} */ code) {
    clearTimeout(this.#loadingTimer);
    this.panel.hidden = false;
    this.panel.dataset.kind = kind;
    this.title.textContent = title;
    this.text.textContent = text;
    this.code.textContent = code;
    this.code.hidden = code === "";
    this.button.hidden = true;
  }
}
