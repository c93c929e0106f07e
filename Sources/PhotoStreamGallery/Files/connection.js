// @ts-check
/** The connection to the server: follows the events of the stream, shows interruptions, and tries again. */

import { text } from "./texts.js";
import { OtherRevision } from "./tiles.js";

/** @typedef {import("./photostream.js").Change} Change */

/** The shortest and the longest time before another attempt, in milliseconds. */
const [leastWait, greatestWait] = [1_000, 10_000];

export class Connection {
  #timer = 0;
  /** The time before the next attempt, in milliseconds. */
  #wait = leastWait;
  /** The events, when their module is loaded: it is not needed to show photos.
   * @type {import("./live.js").Live | null} */
  #live = null;
  #isFollowing = false;

  /** @param {import("./photostream.js").PhotoStreamClient} client
   * @param {import("./gallery.js").Gallery} gallery
   * @param {import("./status.js").Status} status
   * @param {{onChange: (revision: number, changes: Change[]) => Promise<void>, onResync: (state: string) => Promise<void>,
   *   onGone: (error: unknown) => void, open: () => void}} handlers `open` opens the layout again. */
  constructor(client, gallery, status, { onChange, onResync, onGone, open }) {
    this.gallery = gallery;
    this.status = status;
    this.open = open;
    this.makeLive = async () => {
      const { Live } = await import("./live.js");
      return this.#live ??= new Live(client, {
        onChange, onResync, onGone,
        onPictures: () => gallery.view.tiles?.refresh(),
        onConnection: (isConnected) => {
          // Events are interrupted as soon as the server ends; when they continue, so does everything else.
          status.setOffline(!isConnected);
          if (isConnected) gallery.view.retry();
        },
      });
    };
    // Browsers slow hidden tabs down, or freeze them: a hidden tab does not follow, so that no other tab waits for its events.
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.stop();
      else void this.#follow();
    });
    window.addEventListener("online", () => gallery.view.retry());
    window.addEventListener("offline", () => status.setOffline(true));
  }

  async #follow() {
    this.#isFollowing = true;
    const live = this.#live ?? await this.makeLive();
    const { source, state } = this.gallery;
    if (this.#isFollowing && source && !document.hidden) live.start(source.stream, state);
  }

  /** Stops following events. */
  stop() {
    this.#isFollowing = false;
    this.#live?.stop();
  }

  /** Follows the layout that was just opened. */
  opened() {
    clearTimeout(this.#timer);
    this.#wait = leastWait;
    this.status.setOffline(false);
    void this.#follow();
  }

  /** Shows that the server answers again. */
  recovered() {
    if (navigator.onLine) this.status.setOffline(false);
  }

  /** Shows that the server cannot be reached, and opens the layout again later.
   * @param {unknown} error */
  failed(error) {
    if (!this.gallery.opened) {
      this.status.failed(text("Cannot reach the server. Trying again…"), { text: text("Try again now"), onPress: this.open });
    // A stream that changes faster than requests can follow is not an interruption.
    } else if (!(error instanceof OtherRevision)) this.status.setOffline(true);
    this.later(this.open);
    this.#wait = Math.min(greatestWait, this.#wait * 1.5);
  }

  /** Does something later, in place of what was to be done later.
   * @param {() => void} work
   * @param {number} wait In milliseconds. */
  later(work, wait = this.#wait) {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(work, wait);
  }
}
