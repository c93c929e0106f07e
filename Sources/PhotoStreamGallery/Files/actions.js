// @ts-check
/** Deletes, restores, archives and moves photos and changes stacks, and offers to undo it. */

import { count, photos } from "./dates.js";
import { Problem, pause } from "./photostream.js";
import { text } from "./texts.js";

/** The number of requests at once. */
const requestLimit = 6;
/** The number of photos from which a note shows that the action is running. */
const manyPhotos = 40;
/** The number of attempts if the server is busy. */
const attemptLimit = 5;
/** The number of actions that can be undone. */
const undoLimit = 20;
/** The shortest time between two changes of a note, in milliseconds. */
const interval = 200;

/** @typedef {import("./photostream.js").PlacedPhoto} PlacedPhoto */
/** @typedef {{before: string} | {after: string}} Neighbour */
/** @typedef {{stream: string, revert: (focused: Element | null) => Promise<void>}} Done */

export class Actions {
  /** @type {Done[]} */
  #done = [];

  /** @param {import("./photostream.js").PhotoStreamClient} client
   * @param {import("./toast.js").Toast} toast
   * @param {{onDeleted: (ids: string[]) => Promise<void>,
   *   onRestored: (ids: string[], focused: Element | null) => Promise<void>,
   *   onMoved: (ids: string[], focused: Element | null) => Promise<void>,
   *   onStackChanged: () => Promise<void>}} handlers Show the current state of the stream. `focused` is the element that had the
   *   focus when the action began. */
  constructor(client, toast, handlers) {
    this.client = client;
    this.toast = toast;
    this.handlers = handlers;
  }

  /** Undoes the last action.
   * @param {string} stream The stream that is shown. */
  undo(stream) {
    const last = this.#done.filter((done) => done.stream === stream).at(-1);
    if (last) this.#revert(last);
  }

  /** Deletes photos.
   * @param {string} stream
   * @param {string[]} ids
   * @returns {Promise<string[]>} The photos that are deleted now. */
  async delete(stream, ids) {
    const stop = new AbortController();
    const advance = this.#showProgress(text("Deleting {photos}…", { photos: photos(ids.length) }), ids.length, stop);
    /** The photos that were already deleted.
     * @type {string[]} */
    const earlier = [];
    const { done, errors } = await each(ids, async (id) => {
      try {
        await this.client.delete(stream, id);
      } catch (error) {
        if (!(error instanceof Problem) || error.kind !== "unknown-photo") throw error;
        earlier.push(id);
      }
    }, { advance, signal: stop.signal });
    const deleted = done.filter((id) => !earlier.includes(id));
    const texts = deleted.length ? [text("{photos} deleted", { photos: photos(deleted.length) })] : [];
    if (earlier.length) texts.push(text("{photos} already deleted", { photos: photos(earlier.length) }));
    if (errors.length) {
      texts.push(text("{photos} could not be deleted: {reason}", { photos: photos(errors.length), reason: reason(errors[0]) }));
    }
    if (stop.signal.aborted) texts.push(text("Stopped"));
    if (deleted.length) this.#offer(texts.join("; "), {
      stream, revert: async (focused) => { await this.restore(stream, deleted, focused); },
    });
    else this.toast.show(texts.join("; "));
    if (done.length) await this.handlers.onDeleted(done);
    return done;
  }

  /** Restores deleted photos.
   * @param {string} stream
   * @param {string[]} ids
   * @param {Element | null} focused The element that had the focus when the action began.
   * @returns {Promise<string[]>} The restored photos. */
  async restore(stream, ids, focused) {
    const stop = new AbortController();
    const advance = this.#showProgress(text("Restoring {photos}…", { photos: photos(ids.length) }), ids.length, stop);
    const { done, errors } = await each(ids, (id) => this.client.restore(stream, id), { advance, signal: stop.signal });
    const texts = done.length ? [text("{photos} restored", { photos: photos(done.length) })] : [];
    if (errors.length) {
      texts.push(text("{photos} could not be restored: {reason}", { photos: photos(errors.length), reason: reason(errors[0]) }));
    }
    if (stop.signal.aborted) texts.push(text("Stopped"));
    this.toast.show(texts.join("; "));
    if (done.length) await this.handlers.onRestored(done, focused);
    return done;
  }

  /** Archives photos, or takes them back out of the archive.
   * @param {string} stream
   * @param {string[]} ids
   * @param {boolean} isArchived
   * @returns {Promise<string[]>} The photos that are changed now. */
  async archive(stream, ids, isArchived) {
    const done = await this.#setArchived(stream, ids, isArchived, (words, changed) => this.#offer(words, {
      stream,
      revert: async (focused) => {
        const reverted = await this.#setArchived(stream, changed, !isArchived, (again) => this.toast.show(again));
        if (reverted.length) await this.handlers.onRestored(reverted, focused);
      },
    }));
    if (done.length) await this.handlers.onDeleted(done);
    return done;
  }

  /** @param {string} stream
   * @param {string[]} ids
   * @param {boolean} isArchived
   * @param {(words: string, done: string[]) => void} show Shows what was done.
   * @returns {Promise<string[]>} The photos that are changed now. */
  async #setArchived(stream, ids, isArchived, show) {
    const stop = new AbortController();
    const title = text(isArchived ? "Archiving {photos}…" : "Taking {photos} out of the archive…", { photos: photos(ids.length) });
    const advance = this.#showProgress(title, ids.length, stop);
    const edit = (/** @type {string} */ id) => this.client.edit(stream, id, { archived: isArchived || null });
    const { done, errors } = await each(ids, edit, { advance, signal: stop.signal });
    const texts = [];
    if (done.length) {
      texts.push(text(isArchived ? "{photos} archived" : "{photos} taken out of the archive", { photos: photos(done.length) }));
    }
    if (errors.length) {
      texts.push(text("{photos} could not be changed: {reason}", { photos: photos(errors.length), reason: reason(errors[0]) }));
    }
    if (stop.signal.aborted) texts.push(text("Stopped"));
    if (done.length) show(texts.join("; "), done);
    else this.toast.show(texts.join("; "));
    return done;
  }

  /** Moves photos next to another one.
   * @param {import("./tiles.js").Source} source The layout that is shown.
   * @param {import("./tiles.js").Photo} photo The photo that was moved.
   * @param {string[]} ids All photos that move, in the order of the stream.
   * @param {Neighbour} where */
  async move(source, photo, ids, where) {
    const { stream } = source;
    const [first, ...also] = ids;
    const focused = document.activeElement;
    const back = await this.#wayBack(source, photo, ids);
    try {
      await this.client.move(stream, first, { ...where, also });
    } catch (error) {
      this.toast.show(text("{photos} could not be moved: {reason}", { photos: photos(ids.length), reason: reason(error) }));
      return;
    }
    if (!back) this.toast.show(text("{photos} moved", { photos: photos(ids.length) }));
    else this.#offer(text("{photos} moved", { photos: photos(ids.length) }), {
      stream,
      revert: async (focusedThen) => {
        try {
          await this.client.move(stream, first, { ...back, also });
          this.toast.show(text("{photos} moved back", { photos: photos(ids.length) }));
        } catch (error) {
          const values = { photos: photos(ids.length), reason: reason(error) };
          this.toast.show(text("{photos} could not be moved back: {reason}", values));
        }
        await this.handlers.onMoved(ids, focusedThen);
      },
    });
    await this.handlers.onMoved(ids, focused);
  }

  /** Makes a photo the cover of its stack, or takes the stack apart.
   * @param {string} stream
   * @param {string} id
   * @param {"makeCover" | "takeApart"} change */
  async changeStack(stream, id, change) {
    try {
      await retrying(() => this.client[change](stream, id));
      this.toast.show(text(change === "makeCover" ? "This photo is now shown first" : "Stack taken apart"));
    } catch (error) {
      this.toast.show(text("The stack could not be changed: {reason}", { reason: reason(error) }));
    }
    await this.handlers.onStackChanged();
  }

  /** Returns the move that undoes a move: in an order by date to the place of the date, in a manual one to the neighbour of a
   * single photo, if it has one.
   * @param {import("./tiles.js").Source} source
   * @param {import("./tiles.js").Photo} photo
   * @param {string[]} ids
   * @returns {Promise<Neighbour | {reset: true} | null>} */
  async #wayBack({ stream, options }, photo, ids) {
    if ((await this.client.stream(stream)).order !== "manual") return { reset: true };
    if (ids.length > 1) return null;
    const around = { from: Math.max(0, photo.index - 1), count: 3 };
    const { items } = await this.client.items(stream, options, around, { fields: ["photo", "index"] });
    const isBefore = (/** @type {PlacedPhoto} */ { index = 0 }) => index < photo.index;
    const others = items.filter((item) => item.photo !== photo.id);
    const neighbour = others.find(isBefore) ?? others[0];
    if (neighbour?.photo === undefined) return null;
    return isBefore(neighbour) ? { after: neighbour.photo } : { before: neighbour.photo };
  }

  /** Shows the progress of an action with many photos, with a button that stops it.
   * @returns {(done: number) => void} Shows the number of photos that are done. */
  #showProgress(/** @type {string} */ title, /** @type {number} */ total, /** @type {AbortController} */ stop) {
    if (total < manyPhotos) return () => {};
    const words = (/** @type {number} */ done) => text("{part} of {whole}", { part: count(done), whole: count(total) });
    const note = this.toast.show(title, {
      isLasting: true, progress: title, button: { text: text("Stop"), onPress: () => stop.abort() },
    });
    let changed = -Infinity;
    const advance = (/** @type {number} */ done) => {
      if (!note.isConnected || performance.now() - changed < interval) return;
      changed = performance.now();
      this.toast.advance(words(done), done / total);
    };
    advance(0);
    return advance;
  }

  #offer(/** @type {string} */ words, /** @type {Done} */ done) {
    this.#done.push(done);
    if (this.#done.length > undoLimit) this.#done.shift();
    this.toast.show(words, { undo: () => this.#revert(done) });
  }

  #revert(/** @type {Done} */ done) {
    if (!this.#done.includes(done)) return;
    this.#done = this.#done.filter((other) => other !== done);
    this.toast.hide();
    void done.revert(document.activeElement);
  }
}

/** Does something with each of many items, a few at a time.
 * @template T
 * @param {T[]} items
 * @param {(item: T) => Promise<unknown>} work
 * @param {{advance: (done: number) => void, signal: AbortSignal}} how The signal ends it after the items that are being worked
 *   on; the others are neither done nor errors.
 * @returns {Promise<{done: T[], errors: unknown[]}>} Both in the order of the items. */
async function each(items, work, { advance, signal }) {
  /** @type {unknown[]} */
  const errors = items.map(() => null);
  let next = 0;
  let ended = 0;
  const worker = async () => {
    while (next < items.length && !signal.aborted) {
      const at = next;
      next += 1;
      await retrying(() => work(items[at])).catch((error) => { errors[at] = error ?? new Error(); });
      ended += 1;
      advance(ended);
    }
  };
  await Promise.all(Array.from({ length: Math.min(requestLimit, items.length) }, worker));
  return {
    done: items.slice(0, next).filter((_, at) => errors[at] === null), errors: errors.filter((error) => error !== null),
  };
}

/** Does something, and again later if the server is busy.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>} */
export async function retrying(work) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof Problem && [429, 503].includes(error.status) && error.kind !== "uploads-unavailable";
      if (!isBusy || attempt === attemptLimit) throw error;
      await pause(1_000 * (error.retryAfter ?? 1));
    }
  }
}

/** The reason of a failure, to end a sentence with.
 * @param {unknown} error */
export function reason(error) {
  if (error instanceof Problem) return error.message;
  return text(error instanceof TypeError ? "the server did not respond" : "something went wrong");
}
