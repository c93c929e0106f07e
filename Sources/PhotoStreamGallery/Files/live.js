// @ts-check
/** Live updates: shows the events of a stream, all pending ones together. */

import { Problem } from "./photostream.js";
import { SharedEvents } from "./shared-events.js";

/** @typedef {import("./photostream.js").Change} Change */

/** The number of pending changes from which the stream is read again. */
const changeLimit = 1_000;

export class Live {
  #abort = new AbortController();
  /** The stream that it follows. */
  #stream = "";
  /** @type {Promise<void>} */
  #work = Promise.resolve();

  /** @param {import("./photostream.js").PhotoStreamClient} client
   * @param {{onChange: (revision: number, changes: Change[]) => Promise<void>,
   *   onResync: (state: string) => Promise<void>, onPictures: () => void,
   *   onConnection: (isConnected: boolean) => void, onGone: (error: Problem) => void}} handlers */
  constructor(client, handlers) {
    this.client = client;
    this.handlers = handlers;
  }

  /** Follows a stream.
   * @param {string} stream
   * @param {string} since */
  start(stream, since) {
    // Another layout of the same stream does not need another connection.
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

  async #follow(/** @type {string} */ stream, /** @type {string} */ since, /** @type {AbortSignal} */ signal) {
    const { handlers } = this;
    /** @type {{revision: number, state: string, changes: Change[] | null} | null} The pending changes; `null` if they are unknown. */
    let news = null;
    const add = (/** @type {{revision: number, state: string}} */ { revision, state },
      /** @type {Change[] | null} */ changes) => {
      // Events may arrive faster than they are shown: all pending ones are shown together.
      if (news) {
        const all = news.changes && changes ? [...news.changes, ...changes] : null;
        news = { revision, state, changes: all && all.length <= changeLimit ? all : null };
        return;
      }
      news = { revision, state, changes };
      this.#enqueue(signal, () => {
        const shown = /** @type {{revision: number, state: string, changes: Change[] | null}} */ (news);
        news = null;
        return shown.changes ? handlers.onChange(shown.revision, shown.changes) : handlers.onResync(shown.state);
      });
    };
    const onEvent = (/** @type {import("./photostream.js").StreamEvent} */ { event, data }) => {
      if (event === "pictures") handlers.onPictures();
      if (event === "change") add(data, data.changes ?? []);
      if (event === "resync") add(data, null);
    };
    const { onConnection } = handlers;
    try {
      await new SharedEvents(this.client, stream, since, { onEvent, onConnection }).follow(signal);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!signal.aborted) handlers.onGone(error);
    }
  }

  #enqueue(/** @type {AbortSignal} */ signal, /** @type {() => Promise<void>} */ work) {
    this.#work = this.#work.then(() => signal.aborted ? undefined : work()).catch(() => {});
  }
}
