// @ts-check
/** The changes of a stream: shows them one after another, and counts the photos that are added above the window. */

import { OtherRevision } from "./tiles.js";

/** @typedef {import("./photostream.js").Change} Change */
/** @typedef {import("./gallery.js").Anchor} Anchor */
/** @typedef {import("./gallery.js").Place} Place */

export class News {
  /** The photos that were added above the window since a person was there.
   * @type {Set<string>} */
  #added = new Set();
  /** The number of those whose ids are unknown, because there were too many at once. */
  #others = 0;
  /** The revision up to which the changes of a stream are counted. */
  #counted = { stream: "", revision: 0 };
  /** The photos that this page itself restored, which are not news.
   * @type {Set<string>} */
  #restored = new Set();
  #refreshing = Promise.resolve();

  /** @param {import("./gallery.js").Gallery} gallery
   * @param {import("./status.js").Status} status
   * @param {{open: (anchor: Anchor | Place | null) => Promise<void>, onUpdate: () => void, onBehind: () => void,
   *   onFailure: (error: unknown) => void}} handlers `open` opens the layout again; `onUpdate` is called after an update
   *   without that, and `onBehind` if the stream changes too fast to be followed at the moment. */
  constructor(gallery, status, handlers) {
    this.gallery = gallery;
    this.status = status;
    this.handlers = handlers;
  }

  /** Shows the current state of the stream, after the states before it.
   * @param {Change[] | null} changes `null` if there were too many.
   * @param {number | null} revision The one that the changes lead to; `null` for writes of this page. */
  refresh(changes, revision = null) {
    this.#refreshing = this.#refreshing.then(() => this.#refresh(changes, revision));
    return this.#refreshing;
  }

  async #refresh(/** @type {Change[] | null} */ changes, /** @type {number | null} */ revision) {
    const { gallery, handlers } = this;
    const { focused, revision: before } = gallery;
    const anchor = gallery.anchor();
    try {
      if (await gallery.update()) handlers.onUpdate();
      else await handlers.open(anchor);
      const deleted = (changes ?? []).filter(({ change }) => change === "deleted").map(({ id }) => id);
      if (focused && focused === gallery.focused) {
        // A photo that was edited may no longer be one of the search.
        const isChanged = changes?.some(({ id }) => id === focused.id) ?? true;
        if (isChanged && await gallery.indexOf(focused.id) === null) gallery.leave(focused);
      }
      for (const id of deleted) this.#added.delete(id);
      gallery.selection.forget(deleted);
      await this.#count(changes, revision, before, anchor);
      this.#show();
    } catch (error) {
      if (error instanceof OtherRevision) handlers.onBehind();
      else if (!(error instanceof DOMException && error.name === "AbortError")) handlers.onFailure(error);
    }
  }

  /**
   * Counts the photos that are new above the window.
   *
   * The page may be ahead of the events, and then also shows changes that it does not know yet. They are counted by the position
   * of the photo at the top, and not again when their event arrives.
   *
   * @param {Change[] | null} changes
   * @param {number | null} revision
   * @param {number} before The revision that was shown before.
   * @param {Anchor | Place | null} anchor The photo that was at the top before.
   */
  async #count(changes, revision, before, anchor) {
    const { gallery } = this;
    const { stream = "" } = gallery.source ?? {};
    if (stream !== this.#counted.stream) this.#counted = { stream, revision: 0 };
    if (revision !== null && revision <= this.#counted.revision) return;
    const isKnown = changes !== null && (revision === null || before >= revision || gallery.revision === revision);
    if (!isKnown) this.#counted.revision = gallery.revision;
    else if (revision !== null) this.#counted.revision = revision;
    if (gallery.view.viewport.offset < 1 || !anchor) return;
    if (!isKnown) {
      this.#others += Math.max(0, (await gallery.shownIndexOf(anchor.id) ?? 0) - anchor.index);
      return;
    }
    const inserted = changes.filter(({ change, id }) => change === "inserted" && !this.#restored.delete(id)).map(({ id }) => id);
    for (const id of await gallery.above(inserted)) this.#added.add(id);
  }

  /** Notes photos that this page restored.
   * @param {string[]} ids */
  addRestored(ids) {
    for (const id of ids) this.#restored.add(id);
  }

  clear() {
    this.#added.clear();
    this.#others = 0;
    this.#show();
  }

  #show() {
    this.status.setNews(this.#added.size + this.#others, () => {
      this.clear();
      this.gallery.view.viewport.scrollTo(0, { smooth: true });
    });
  }
}
