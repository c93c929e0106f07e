// @ts-check
/** Live updates: reads a stream's events. */

import { Problem } from "./photostream.js";

/** @typedef {import("./photostream.js").Change} Change */

/** The number of waiting changes from which the stream is read again. */
const changeLimit = 1_000;

export class Live {
  #abort = new AbortController();
  /** The stream that is followed. */
  #stream = "";
  /** @type {Promise<void>} */
  #work = Promise.resolve();

  /**
   * @param {import("./photostream.js").PhotoStreamClient} client
   * @param {{onChange: (revision: number, changes: Change[]) => Promise<void>,
   *   onResync: (revision: number) => Promise<void>, onPictures: () => void,
   *   onConnection: (isConnected: boolean) => void, onGone: (error: Problem) => void}} handlers
   */
  constructor(client, handlers) {
    this.client = client;
    this.handlers = handlers;
  }

  /**
   * Follows a stream.
   *
   * @param {string} stream
   * @param {number} since
   */
  start(stream, since) {
    // Another layout of the same stream needs no other connection.
    if (stream === this.#stream) return;
    this.stop();
    this.#stream = stream;
    this.#abort = new AbortController();
    this.#follow(stream, since, this.#abort.signal);
  }

  stop() {
    this.#stream = "";
    this.#abort.abort();
  }

  async #follow(/** @type {string} */ stream, /** @type {number} */ since, /** @type {AbortSignal} */ signal) {
    const { handlers } = this;
    const onState = (/** @type {string} */ state) => handlers.onConnection(state === "connected");
    /** @type {{revision: number, changes: Change[] | null} | null} What waits to be shown; `null` changes are unknown. */
    let news = null;
    const add = (/** @type {number} */ revision, /** @type {Change[] | null} */ changes) => {
      // Events may come faster than they are shown: all that wait are shown at once.
      if (news) {
        const all = news.changes && changes ? [...news.changes, ...changes] : null;
        news = { revision, changes: all && all.length <= changeLimit ? all : null };
        return;
      }
      news = { revision, changes };
      this.#enqueue(signal, () => {
        const shown = /** @type {{revision: number, changes: Change[] | null}} */ (news);
        news = null;
        return shown.changes ? handlers.onChange(shown.revision, shown.changes) : handlers.onResync(shown.revision);
      });
    };
    try {
      for await (const { event, data } of this.client.events(stream, { since, signal, onState })) {
        if (event === "pictures") handlers.onPictures();
        if (event === "change") add(data.revision, data.changes ?? []);
        // A state later than the one that is shown is one whose changes are not known.
        if (event === "resync" || event === "state") add(data.revision, null);
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!signal.aborted) handlers.onGone(error);
    }
  }

  #enqueue(/** @type {AbortSignal} */ signal, /** @type {() => Promise<void>} */ work) {
    this.#work = this.#work.then(() => signal.aborted ? undefined : work()).catch(() => {});
  }
}
