// @ts-check
/** The photos of one place of the map, or those without a position, in stream order. They answer requests of the open photo as a
 * whole stream does, so that its neighbours are those of the place. */

import { mapOptions } from "./geometry.js";
import { Problem } from "./photostream.js";
import { OtherRevision } from "./tiles.js";

/** @typedef {import("./photostream.js").PlacedPhoto} PlacedPhoto */
/** @typedef {import("./photostream.js").LayoutOptions} LayoutOptions */

/** The number of photos in an answer. */
const page = 200;
const fields = [
  "index", "photo", "pictureKey", "placeholder", "color", "pixelWidth", "pixelHeight", "caption", "alt", "title", "takenAt", "location",
  "duration", "codec", "stack", "stackCount", "favourite", "archived",
];

export class PhotosOfPlace {
  /** The photos that are loaded, with their positions among those of the place.
   * @type {PlacedPhoto[]} */
  loaded = [];
  /** The number of all photos; `null` until the first are loaded.
   * @type {number | null} */
  count = null;
  revision = 0;
  state = "";
  /** @type {string | null} */
  #cursor = null;
  #loading = Promise.resolve();

  /** @param {import("./photostream.js").PhotoStreamClient} client
   * @param {import("./clusters.js").Question} question
   * @param {number} zoom The whole zoom of the cluster.
   * @param {{x: number, y: number} | null} point A point of the cluster in points of the world at that zoom; `null` for the photos
   *   without a position. */
  constructor(client, question, zoom, point) {
    this.client = client;
    this.question = question;
    this.zoom = zoom;
    this.point = point;
  }

  /** The same place after a change of the stream.
   * @param {import("./clusters.js").Question} question */
  again(question) {
    return new PhotosOfPlace(this.client, question, this.zoom, this.point);
  }

  get options() { return mapOptions(this.question.cluster, this.zoom, this.question.search); }

  /** Loads photos until as many as a number, or all, are loaded.
   * @param {number} number */
  async load(number) {
    // One request after another: each begins where the one before ended.
    const next = this.#loading.catch(() => {}).then(async () => {
      while (this.count === null || (this.loaded.length < Math.min(number, this.count) && this.#cursor)) await this.#loadPage();
    });
    this.#loading = next;
    return next;
  }

  async #loadPage() {
    const which = this.point ?? { unlocated: /** @type {const} */ (true) };
    const answer = await this.client.cluster(
      this.question.stream, this.options, which, { limit: page, fields, cursor: this.#cursor ?? undefined });
    if (this.count === null) [this.revision, this.state] = [answer.revision, answer.state];
    if (answer.state !== this.state) throw new OtherRevision();
    const from = this.loaded.length;
    this.loaded.push(...answer.items.map((item, index) => ({ ...item, index: from + index })));
    this.count = answer.count;
    this.#cursor = answer.nextCursor;
  }

  // The requests of the open photo

  /** @param {string} _stream
   * @param {object} _options
   * @param {{from: number, count: number} | {ids: string[]}} which */
  async items(_stream, _options, which) {
    await this.load("from" in which ? which.from + which.count : 0);
    const items = "from" in which ? this.loaded.slice(which.from, which.from + which.count)
      : this.loaded.filter(({ photo }) => which.ids.includes(photo ?? ""));
    return { revision: this.revision, state: this.state, count: this.count ?? 0, items };
  }

  /** @param {string} _stream
   * @param {object} _options
   * @param {string} photo */
  async locate(_stream, _options, photo) {
    for (let number = page; ; number += page) {
      await this.load(number);
      const item = this.loaded.find((other) => other.photo === photo);
      if (item) return { revision: this.revision, state: this.state, contentSize: { width: 0, height: 0 }, item, cursor: "" };
      if (this.loaded.length < number) break;
    }
    throw new Problem(404, { type: "urn:photostream:problem:unknown-photo", detail: "This photo is not at this place." });
  }
}
