// @ts-check
/**
 * The events of a stream, read once for all tabs of a browser, which opens at most six HTTP/1.1 connections to a server: a
 * reader of events occupies one of them.
 *
 * The tabs that follow a stream request one lock. The tab that holds it reads the events, and passes them to the others through
 * a channel. When it closes, crashes or stops following, the browser gives the lock to the next tab, which continues after the
 * last state that it knows. A tab that has missed events, because it started late or because no tab was reading, detects that by
 * the states, and requests the changes in between.
 *
 * Locks, channels and the cookie of a session belong to the same site in the same browser, so every tab is allowed to read what
 * another tab passes on.
 */

import { Problem } from "./photostream.js";

/** @typedef {import("./photostream.js").StreamEvent} StreamEvent */
/**
 * @typedef {{kind: "join"} | {kind: "event", event: StreamEvent} | {kind: "connection", isConnected: boolean}
 *   | {kind: "problem", status: number, type: string, detail: string, parameter?: string}} Message `join` requests the
 *   state of the reader, which sends the other messages.
 */

/** The greatest number of changes to request, which is that of an event. */
const changeLimit = 100;

export class SharedEvents {
  /** @type {BroadcastChannel | null} */
  #channel = null;
  /** The state that the page shows, and its revision. */
  #state;
  #revision;
  #isReader = false;
  /** Whether another tab was the reader before this one. */
  #hasFollowed = false;
  #isConnected = false;
  /** Resolves when the last event is handled.
   * @type {Promise<unknown>} */
  #work = Promise.resolve();

  /** @param {import("./photostream.js").PhotoStreamClient} client
   * @param {string} stream
   * @param {string} since The state that the page shows.
   * @param {{onEvent: (event: StreamEvent) => void, onConnection: (isConnected: boolean) => void}} handlers */
  constructor(client, stream, since, handlers) {
    this.client = client;
    this.stream = stream;
    this.handlers = handlers;
    this.#state = since;
    this.#revision = Number.parseInt(since, 10);
  }

  /** Follows the stream until it is aborted.
   * @param {AbortSignal} signal
   * @throws {Problem} If there are no events: see `events` of the client. It is thrown in all tabs that follow. */
  async follow(signal) {
    // Browsers have locks only on HTTPS and for this machine. On plain HTTP from another one, each tab reads by itself.
    if (!navigator.locks) return this.#read(signal);
    // The page of a share receives other events than that of the stream.
    const name = `photostream events ${window.location.pathname} ${this.stream}`;
    const channel = new BroadcastChannel(name);
    const end = new AbortController();
    this.#channel = channel;
    signal.addEventListener("abort", () => end.abort(), { once: true });
    channel.addEventListener("message", ({ data }) => this.#receive(data, end));
    this.#send({ kind: "join" });
    try {
      await navigator.locks.request(name, { signal: end.signal }, () => this.#read(end.signal));
      // The reader's problem may have arrived together with the lock.
      if (!signal.aborted) end.signal.throwIfAborted();
    } catch (error) {
      if (signal.aborted) return;
      if (this.#isReader && error instanceof Problem) {
        const { status, kind, message, parameter } = error;
        this.#send({ kind: "problem", status, type: kind, detail: message, parameter });
      }
      throw error;
    } finally {
      channel.close();
    }
  }

  /** Reads events, for this tab and the others. */
  async #read(/** @type {AbortSignal} */ signal) {
    this.#isReader = true;
    const onState = (/** @type {string} */ state) => {
      this.#isConnected = state === "connected";
      this.#send({ kind: "connection", isConnected: this.#isConnected });
      this.handlers.onConnection(this.#isConnected);
    };
    // The events of the last reader come first: they end at the state to begin with.
    await this.#work;
    let mayMissPictures = this.#hasFollowed;
    for await (const event of this.client.events(this.stream, { since: this.#state, signal, onState })) {
      this.#share(event, signal);
      // The log does not contain the pictures that became ready between two readers.
      if (mayMissPictures) this.#share({ event: "pictures", data: {} }, signal);
      mayMissPictures = false;
    }
  }

  #share(/** @type {StreamEvent} */ event, /** @type {AbortSignal} */ signal) {
    this.#send({ kind: "event", event });
    this.#handle(event, signal);
  }

  #send(/** @type {Message} */ message) {
    this.#channel?.postMessage(message);
  }

  /** Handles a message of another tab. */
  #receive(/** @type {Message} */ message, /** @type {AbortController} */ end) {
    if (message.kind === "join") {
      if (this.#isReader) this.#work = this.#work.then(() => this.#sendState());
      return;
    }
    // The former reader may still be sending; this tab reads the same events itself.
    if (this.#isReader || end.signal.aborted) return;
    this.#hasFollowed = true;
    if (message.kind === "event") this.#handle(message.event, end.signal);
    else if (message.kind === "connection") this.handlers.onConnection(message.isConnected);
    else end.abort(new Problem(message.status, { ...message, type: `urn:photostream:problem:${message.type}` }));
  }

  /** Sends the current state to a tab that has joined. */
  #sendState() {
    if (this.#isConnected) this.#send({ kind: "connection", isConnected: true });
    this.#send({ kind: "event", event: { event: "state", data: { revision: this.#revision, state: this.#state } } });
  }

  /** Handles an event, after those before it. */
  #handle(/** @type {StreamEvent} */ event, /** @type {AbortSignal} */ signal) {
    this.#work = this.#work.then(async () => {
      const next = await this.#next(event, signal);
      if (!next || signal.aborted) return;
      this.#revision = next.data.revision ?? this.#revision;
      this.#state = next.data.state ?? this.#state;
      this.handlers.onEvent(next);
    });
  }

  /** Returns an event with the changes that were missed before it; `null` if it is already known. */
  async #next(/** @type {StreamEvent} */ event, /** @type {AbortSignal} */ signal) {
    const { revision, state, sinceState = state } = event.data;
    if (revision === undefined || event.event === "resync") return event;
    if (state === this.#state) return null;
    if (sinceState === this.#state) return event;
    // A tab may be ahead of the reader.
    if (revision < this.#revision) return null;
    return this.#missed(event.data, signal);
  }

  /** @returns {Promise<StreamEvent>} */
  async #missed(/** @type {{revision: number, state: string}} */ { revision, state }, /** @type {AbortSignal} */ signal) {
    const answer = await this.client.changes(this.stream, this.#state, { limit: changeLimit, signal }).catch(() => null);
    const isWhole = answer?.changes && answer.complete !== false;
    return isWhole ? { event: "change", data: answer } : { event: "resync", data: { revision, state } };
  }
}
