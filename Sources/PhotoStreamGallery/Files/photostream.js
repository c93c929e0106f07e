// @ts-check
/**
 * The client of PhotoStream's HTTP interface, for browsers and Node 18 or later, without dependencies.
 *
 * ```js
 * import { PhotoStreamClient } from "./photostream.js";
 *
 * const client = new PhotoStreamClient("http://127.0.0.1:8080");
 * const { streams } = await client.streams();
 * const first = await client.firstPaint(streams[0].stream, { width: 1200, algorithm: "justified" }, { first: 50 });
 * console.log(first.contentSize.height, first.page.items[0].frame);
 * ```
 *
 * Layout options have the names of the query parameters in camel case: `sectionBy` is `section-by`. Every method takes an
 * `AbortSignal` as `signal`. It throws a {@link Problem} for an answer other than success, and the `TypeError` of `fetch` if the
 * server cannot be reached.
 *
 * Documentation/API.md describes the requests, Documentation/JSON.md the answers.
 */

/** @typedef {{x: number, y: number, width: number, height: number}} Frame */
/** @typedef {{width: number, height: number}} Extent */
/** Degrees; west is greater than east if the antimeridian is between them.
 * @typedef {{west: number, south: number, east: number, north: number}} Bounds */
/** @typedef {{signal?: AbortSignal}} Cancelling */
/** @typedef {{scope: "read" | "write" | "admin", stream: string | null, name: string | null,
 *   share?: {showsPositions: boolean, showsNames: boolean, sendsOriginals: boolean}}} Session */
/** @typedef {{before: string, also?: string[]} | {after: string, also?: string[]} | {reset: true, also?: string[]}} Move */
/** The options of a layout. With `where`, a condition such as `beach rating:>=4`, answers are those of a stream with only the photos
 * that meet it, and cursors need the same condition. The `Problem` with the parameter `where` says why a text is no condition.
 * @typedef {Record<string, string | number | boolean | number[] | undefined> & {where?: string}} LayoutOptions */

/**
 * @typedef {object} Stream
 * @property {string} stream The name.
 * @property {string} [source] The stream that a kept view shows.
 * @property {string} [where] The rule of a kept view: the condition that its photos meet.
 * @property {string} [description] A text about a kept view.
 * @property {"newest" | "oldest" | "manual"} order
 * @property {number} count
 * @property {number} revision
 * @property {string} state The revision with the tag of its history, to send in later requests.
 * @property {{ready: number, failed: number, pending: number}} [pictures] Not of a kept view.
 * @property {boolean} [canEdit] Whether the server allows writing.
 * @property {boolean} [canUpload] Whether the server accepts pictures for it.
 */

/**
 * @typedef {object} PlacedPhoto
 * @property {number} [index] The position in stream order.
 * @property {string} [photo] The id.
 * @property {Frame} [frame] The cell, with the caption.
 * @property {number} [captionExtent]
 * @property {number} [zIndex]
 * @property {boolean} [hidden]
 * @property {string} [takenAt]
 * @property {"year" | "month"} [takenAtPrecision]
 * @property {"person" | "record" | "sidecar" | "embedded" | "fileName" | "fileTime"} [takenAtSource] The last two are guesses.
 * @property {string} [caption]
 * @property {string} [alt]
 * @property {string} [title]
 * @property {string} [location]
 * @property {number} [latitude]
 * @property {number} [longitude]
 * @property {string} [placeholder]
 * @property {string} [color]
 * @property {string} [pictureKey]
 * @property {number} [pixelWidth] The size of the picture as displayed.
 * @property {number} [pixelHeight]
 * @property {number} [duration] The length in seconds; a photo with one is a video.
 * @property {string} [codec] The codec of a video, such as `avc1`.
 * @property {string} [stack] The name of its stack.
 * @property {number} [stackRank] Its rank in the stack; the cover has none.
 * @property {"live" | "raw" | "edited" | "burst" | "manual"} [stackKind] The reason for which it is in the stack.
 * @property {number} [stackCount] The number of photos in its stack.
 * @property {boolean} [favourite] True if it is a favourite; left out of any other.
 * @property {boolean} [archived] True if it is archived; left out of any other.
 * @property {{count: number, bounds: Bounds}} [cluster] In a map with clusters, the photos that this one stands for.
 */

/**
 * @typedef {object} Place
 * @property {string} name
 * @property {string} country The English name.
 * @property {string} countryCode
 * @property {number} latitude
 * @property {number} longitude
 * @property {number} population
 */

/**
 * @typedef {object} Section
 * @property {number} section
 * @property {string} id
 * @property {number} firstIndex
 * @property {number} count
 * @property {Frame} frame
 */

/**
 * @typedef {object} Layout
 * @property {number} revision
 * @property {string} state
 * @property {string} layoutKey
 * @property {string} [where] The condition in canonical form.
 * @property {Extent} contentSize
 * @property {number} count
 * @property {number} sectionCount
 * @property {Section[]} sections
 * @property {number | null} nextSection
 * @property {Frame} [world]
 * @property {{located: number, unlocated: number, bounds: Bounds | null}} [positions] Of a map with clusters.
 */

/**
 * @typedef {object} Facet
 * @property {string} value The value, as most photos have it.
 * @property {number} count The number of photos that also meet `where`.
 * @property {string} where The condition to add to that of the question, with a space between them.
 */

/**
 * What photos have in common. Kinds that the readers of a share do not see are left out.
 * @typedef {object} Facets
 * @property {string} stream
 * @property {string} [where] The condition in canonical form.
 * @property {number} revision
 * @property {string} state
 * @property {number} count The number of photos.
 * @property {Facet[]} [tags] Those of most photos.
 * @property {Facet[]} [albums] Those of most photos, and those above them.
 * @property {Facet[]} [cameras] Those of most photos.
 * @property {Facet[]} [years] The latest first.
 * @property {Facet[]} [ratings] The highest first.
 * @property {Facet[]} [folders] Those of most photos, and those above them.
 * @property {("tags" | "albums" | "cameras" | "years" | "ratings" | "folders")[]} [incomplete] The lists that lack values, because there
 *   are too many.
 */

/**
 * @typedef {object} ImportReport
 * @property {number} read The number of records.
 * @property {number} inserted
 * @property {number} updated
 * @property {number} unchanged
 * @property {number} duplicate
 * @property {number} rejected
 * @property {number} deleted The number of records of deleted photos; they count as unchanged.
 * @property {{line: number, column: number, id: string | null, reason: string}[]} rejects The first of them.
 * @property {{line: number, column: number, field: string, reason: string}[]} warnings The ignored fields.
 */

/** @typedef {Layout & {page: {items: PlacedPhoto[], nextCursor: string | null}}} FirstPaint */

/**
 * @typedef {object} Attributes
 * @property {number} index
 * @property {Frame} frame
 * @property {number} [captionExtent]
 * @property {number} zIndex
 * @property {number} alpha
 */

/**
 * @typedef {object} Update
 * @property {string} kind
 * @property {string} [photo]
 * @property {Attributes} [old]
 * @property {Attributes} [new]
 * @property {Attributes} [initial]
 * @property {Attributes} [final]
 */

/**
 * @typedef {object} DeletedPhoto
 * @property {string} deletedAt
 * @property {any} photo The photo before its deletion.
 * @property {string} [placeholder] The ThumbHash of its picture, in base64.
 * @property {string} [color] The dominant colour of its picture.
 */

/**
 * @typedef {object} Change
 * @property {"inserted" | "deleted" | "updated" | "moved"} change
 * @property {string} id
 * @property {object} [photo]
 */

/**
 * @typedef {object} StreamEvent
 * @property {"state" | "change" | "resync" | "pictures" | "bye"} event
 * @property {any} data
 */

/** The media type of the binary form. */
export const binaryType = "application/vnd.photostream.page";

/** The longer sides of thumbnails, in pixels. */
export const thumbnailSizes = [160, 240, 320, 480, 640, 960, 1280, 1920, 2560];

/** Returns the sizes of thumbnails that a server makes of a picture in advance. For any other, it decodes the original.
 * @param {Extent} picture The size of the picture; only its ratio counts.
 * @returns {number[]} */
export function preparedSizes({ width, height }) {
  return Math.max(width, height) > 2 * Math.min(width, height) ? [240, 480, 960, 1280] : [240, 480, 960];
}

/** Returns the size of the picture of an item; nothing if it is not known.
 * @param {{pixelWidth?: number, pixelHeight?: number}} item
 * @returns {Extent | undefined} */
export function pictureOf({ pixelWidth, pixelHeight }) {
  return pixelWidth && pixelHeight ? { width: pixelWidth, height: pixelHeight } : undefined;
}

/** Returns the size of the thumbnail for a cell that its picture covers: the smallest that is enlarged by at most a twentieth, or
 * else the largest.
 * @param {Extent} cell The size of the cell in points, without a caption.
 * @param {number} density The number of device pixels in a point.
 * @param {Extent} [picture] The size of the picture; by default, its ratio is that of the cell.
 * @param {number[]} [sizes] The sizes to choose from, smallest first; by default those that are made in advance.
 * @returns {number} */
export function thumbnailSize(cell, density, picture = cell, sizes = preparedSizes(picture)) {
  const scale = Math.max(cell.width / picture.width, cell.height / picture.height);
  const side = scale * Math.max(picture.width, picture.height) * density;
  return sizes.find((size) => size * 1.05 >= side) ?? sizes[sizes.length - 1];
}

/** An answer other than success, with its problem document (RFC 9457). */
export class Problem extends Error {
  /** @param {number} status
   * @param {{type?: string, title?: string, detail?: string, parameter?: string}} document
   * @param {number} [retryAfter] The value of `Retry-After`, in seconds. */
  constructor(status, document, retryAfter) {
    super(document.detail ?? document.title ?? `The server responded with status ${status}.`);
    this.name = "Problem";
    this.status = status;
    /** The kind, such as `unknown-stream`; empty if the answer is not a problem document. */
    this.kind = (document.type ?? "").replace("urn:photostream:problem:", "");
    this.title = document.title;
    this.parameter = document.parameter;
    this.retryAfter = retryAfter;
  }
}

/** A client of one server. */
export class PhotoStreamClient {
  #base;
  #fetch;
  /** Whether requests may be sent without `fetch`. */
  #isPlain;
  #headers;
  #answers;

  /** @param {string} [base] The server's address; by default that of the page.
   * @param {object} options
   * @param {typeof fetch} [options.fetch]
   * @param {Record<string, string>} [options.headers] Sent with every request, such as `Authorization`.
   * @param {number} [options.remember] The number of answers to keep for conditional requests. 0 by default, because browsers
   *   have a cache; Node has none. */
  constructor(base = "", { fetch: fetcher, headers = {}, remember = 0 } = {}) {
    this.#base = base.replace(/\/$/, "");
    this.#isPlain = fetcher === undefined && typeof XMLHttpRequest === "function";
    this.#fetch = fetcher ?? ((/** @type {any[]} */ ...parts) => globalThis.fetch(.../** @type {[any, any]} */ (parts)));
    this.#headers = headers;
    this.#answers = new Answers(remember);
  }

  // Streams and photos

  /** Returns the streams, by name.
   * @param {Cancelling} [options]
   * @returns {Promise<{streams: Stream[], truncated: boolean}>} */
  streams(options) {
    return this.#json("/v1/streams", {}, options);
  }

  /** Returns a stream.
   * @param {string} name
   * @param {Cancelling} [options]
   * @returns {Promise<Stream>} */
  stream(name, options) {
    return this.#json(path(name), {}, options);
  }

  /** Returns the tags, albums, cameras, years, ratings and folders of photos, with the number of photos that have each.
   * @param {string} stream
   * @param {{where?: string, limit?: number} & Cancelling} options `where` is a condition, by default that of all photos;
   *   `limit` is the maximum number of values of each kind.
   * @returns {Promise<Facets>} */
  facets(stream, { signal, ...questions } = {}) {
    return this.#json(`${path(stream)}/facets`, questions, { signal });
  }

  /** Returns the albums of photos by path, each with the number of photos in it and in those in it.
   * @param {string} stream
   * @param {{where?: string} & Cancelling} options `where` is a condition, by default that of all photos.
   * @returns {Promise<{state: string, albums: Facet[], incomplete?: boolean}>} */
  albums(stream, { signal, ...questions } = {}) {
    return this.#json(`${path(stream)}/albums`, questions, { signal });
  }

  /** Puts photos into an album such as `Italy/2025`, which need not exist, and takes others out of it: all of them, or none.
   * @param {string} stream
   * @param {string} album
   * @param {{add?: string[], remove?: string[]}} photos
   * @param {Cancelling} options
   * @returns {Promise<{album: string, changed: number}>} */
  async changeAlbum(stream, album, photos, options = {}) {
    return (await this.#write("POST", albumPath(stream, album), photos, options)).json();
  }

  /** Gives an album and those in it another path; `null` removes it, which deletes no photo.
   * @param {string} stream
   * @param {string} album
   * @param {string | null} newAlbum
   * @param {Cancelling} options
   * @returns {Promise<{album: string, changed: number}>} */
  async moveAlbum(stream, album, newAlbum, options = {}) {
    const address = albumPath(stream, album);
    const asked = newAlbum === null
      ? this.#write("DELETE", address, undefined, options) : this.#write("PATCH", address, { album: newAlbum }, options);
    return (await asked).json();
  }

  /** Returns a photo with all of its fields.
   * @param {string} stream
   * @param {string} id
   * @param {Cancelling} [options] */
  photo(stream, id, options) {
    return this.#json(photoPath(stream, id), {}, options);
  }

  /** Returns a photo with all of its fields, and the validator of this version, for `ifMatch`.
   * @param {string} stream
   * @param {string} id
   * @param {Cancelling} [options]
   * @returns {Promise<{photo: any, tag: string | null}>} */
  async photoWithTag(stream, id, options = {}) {
    const answer = await this.#ask(photoPath(stream, id), {}, options, "application/json");
    return { photo: await answer.json(), tag: answer.headers.get("ETag") };
  }

  /** Returns the photos of the stack that a photo is in, the cover first; only the photo itself if it is in none.
   * @param {string} stream
   * @param {string} id
   * @param {Cancelling} [options]
   * @returns {Promise<{photos: any[]}>} */
  stack(stream, id, options) {
    return this.#json(`${photoPath(stream, id)}/stack`, {}, options);
  }

  // Sessions

  /** Begins a session: the browser receives a cookie in place of the token, and also sends it when it loads pictures. For an
   * invalid token, the `Problem` has status 401.
   * @param {string} token
   * @param {Cancelling} options
   * @returns {Promise<Session>} */
  async signIn(token, options = {}) {
    const headers = { Authorization: `Bearer ${token}` };
    return (await this.#ask("/v1/session", {}, { ...options, method: "POST", headers }, "application/json")).json();
  }

  /** Returns the rights of this client.
   * @param {Cancelling} options
   * @returns {Promise<Session>} */
  session(options = {}) {
    return this.#json("/v1/session", {}, options);
  }

  /** Ends the session, and removes its cookie.
   * @param {Cancelling} options */
  async signOut(options = {}) {
    await this.#ask("/v1/session", {}, { ...options, method: "DELETE" }, "application/json");
  }

  // Writing

  /** Writes members of a photo, such as `{caption: "A letter", rating: null}`; `null` clears one.
   * @param {string} stream
   * @param {string} id
   * @param {Record<string, unknown>} members
   * @param {{ifMatch?: string | null} & Cancelling} options With `ifMatch`, a photo that has changed since is not
   *   edited, and the `Problem` has status 412.
   * @returns {Promise<{photo: any, tag: string | null}>} The edited photo. */
  async edit(stream, id, members, { ifMatch, signal } = {}) {
    const answer = await this.#write("PATCH", photoPath(stream, id), members, { ifMatch, signal });
    return { photo: await answer.json(), tag: answer.headers.get("ETag") };
  }

  /** Deletes a photo from its stream, but not the file of its picture. {@link restore} restores it within 30 days.
   * @param {string} stream
   * @param {string} id
   * @param {{ifMatch?: string | null} & Cancelling} options */
  async delete(stream, id, options = {}) {
    await this.#write("DELETE", photoPath(stream, id), undefined, options);
  }

  /** Restores a deleted photo exactly to its former place, and returns it.
   * @param {string} stream
   * @param {string} id
   * @param {Cancelling} options */
  async restore(stream, id, options = {}) {
    return (await this.#write("POST", `${photoPath(stream, id)}/restore`, {}, options)).json();
  }

  /** Returns the photos that can be restored, latest deletion first.
   * @param {string} stream
   * @param {{limit?: number, after?: string} & Cancelling} options `after` is the id of the last photo of the previous answer.
   * @returns {Promise<{photos: DeletedPhoto[], truncated: boolean}>} */
  deleted(stream, { signal, ...questions } = {}) {
    return this.#json(`${path(stream)}/deleted`, questions, { signal });
  }

  /** Moves a photo next to another one, or undoes its moves. The photos in `also` follow it, in that order.
   * @param {string} stream
   * @param {string} id
   * @param {Move} where
   * @param {{ifMatch?: string | null} & Cancelling} options */
  async move(stream, id, where, options = {}) {
    return (await this.#write("POST", `${photoPath(stream, id)}/move`, where, options)).json();
  }

  /** Makes a photo the cover of its stack, which layouts show, and returns it.
   * @param {string} stream
   * @param {string} id
   * @param {{ifMatch?: string | null} & Cancelling} options */
  async makeCover(stream, id, options = {}) {
    return (await this.#write("POST", `${photoPath(stream, id)}/cover`, undefined, options)).json();
  }

  /** Takes the stack of a photo apart: layouts show each of its photos.
   * @param {string} stream
   * @param {string} id
   * @param {{ifMatch?: string | null} & Cancelling} options */
  async takeApart(stream, id, options = {}) {
    await this.#write("DELETE", `${photoPath(stream, id)}/stack`, undefined, options);
  }

  /** Uploads a picture, and returns its photo. Send at most two at a time.
   * @param {string} stream One with `canUpload`.
   * @param {Blob} file The picture, such as a `File` that a person has chosen.
   * @param {{name?: string, onSent?: (bytes: number) => void} & Cancelling} options The name of the new file on the
   *   server, by default that of a `File`. `onSent` is called with the number of bytes that are sent: repeatedly in browsers,
   *   and otherwise once at the end.
   * @returns {Promise<any>} */
  async uploadPicture(stream, file, { name = /** @type {Partial<File>} */ (file).name ?? "", onSent, signal } = {}) {
    return (await this.#upload(stream, file, { name }, { onSent, signal })).json();
  }

  /** Uploads a picture under its name or, if that is taken, with a number such as `IMG_0001-2.JPG`, unless the stream has a photo
   * with the same content. It may be sent again after a lost connection, and is still stored once.
   * @param {string} stream
   * @param {Blob} file
   * @param {{name?: string, modified?: number, onSent?: (bytes: number) => void} & Cancelling} options As of `uploadPicture`;
   *   `modified` is the time of the file in milliseconds since 1970, by default that of a `File`.
   * @returns {Promise<{photo: any, isNew: boolean}>} The photo, and whether it is new. */
  async addPicture(stream, file, {
    name = /** @type {Partial<File>} */ (file).name ?? "", modified = /** @type {Partial<File>} */ (file).lastModified, onSent, signal,
  } = {}) {
    const time = modified !== undefined && modified >= 0 ? Math.round(modified) : undefined;
    const answer = await this.#upload(stream, file, { name, nameTaken: "rename", modified: time }, { onSent, signal });
    return { photo: await answer.json(), isNew: answer.status === 201 };
  }

  /** @param {string} stream
   * @param {Blob} file
   * @param {object} query
   * @param {{onSent?: (bytes: number) => void} & Cancelling} options */
  #upload(stream, file, query, { onSent, signal }) {
    const type = /^(image|video)\//.test(file.type) ? file.type : "application/octet-stream";
    const options = { signal, method: "POST", headers: { "Content-Type": type }, body: file, onSent };
    return this.#ask(`${path(stream)}/pictures`, query, options, "application/json");
  }

  /** Imports records in JSON Lines, JSON or CSV, and returns the outcomes.
   * @param {string} stream
   * @param {Blob | string} records A text, or a `File` whose name ends with .jsonl, .json or .csv.
   * @param {{type?: string, restore?: boolean} & Cancelling} options The media type, by default that of the
   *   name: `application/jsonl`, `application/json` or `text/csv`. With `restore`, deleted photos are restored.
   * @returns {Promise<ImportReport>} */
  async importRecords(stream, records, { type, restore, signal } = {}) {
    const name = (/** @type {Partial<File>} */ (records).name ?? "").toLowerCase();
    type ??= name.endsWith(".csv") ? "text/csv" : name.endsWith(".json") ? "application/json" : "application/jsonl";
    const options = { signal, method: "POST", headers: { "Content-Type": type }, body: records };
    return (await this.#ask(`${path(stream)}/photos`, { restore }, options, "application/json")).json();
  }

  // Layouts

  /** Returns a layout as a whole: content size, counts, and sections.
   * @param {string} stream
   * @param {LayoutOptions} layout
   * @param {{fromSection?: number, limit?: number, revision?: string} & Cancelling} options
   * @returns {Promise<Layout>} */
  layout(stream, layout, { signal, ...questions } = {}) {
    return this.#json(`${path(stream)}/layout`, { ...layout, ...questions }, { signal });
  }

  /** Returns the layout as a whole and its first photos, for the first screen.
   * @param {string} stream
   * @param {LayoutOptions} layout
   * @param {{first: number, fields?: string[], limit?: number, revision?: string} & Cancelling} options
   * @returns {Promise<FirstPaint>} */
  firstPaint(stream, layout, { signal, ...questions }) {
    return this.#json(`${path(stream)}/layout`, { ...layout, ...questions }, { signal });
  }

  /** Returns a page in the binary form: the first of a layout, or the one after a cursor.
   * @param {string} stream
   * @param {LayoutOptions | {cursor: string, where?: string}} layoutOrCursor
   * @param {{limit?: number, ids?: boolean, pictures?: boolean, sizes?: boolean, revision?: string} & Cancelling} options
   * @returns {Promise<Frames>} */
  page(stream, layoutOrCursor, { signal, ...questions } = {}) {
    return this.#frames(`${path(stream)}/layout/page`, { ...layoutOrCursor, ...questions }, { signal });
  }

  /** Returns all elements that intersect a rectangle, in the binary form.
   * @param {string} stream
   * @param {LayoutOptions} layout
   * @param {Frame} rect
   * @param {{limit?: number, ids?: boolean, pictures?: boolean, sizes?: boolean, revision?: string} & Cancelling} options
   * @returns {Promise<Frames>} */
  rect(stream, layout, rect, { signal, ...questions } = {}) {
    const query = { ...layout, rect: [rect.x, rect.y, rect.width, rect.height], ...questions };
    return this.#frames(`${path(stream)}/layout/rect`, query, { signal });
  }

  /** Returns all elements that intersect a rectangle, as JSON with the fields of the photos.
   * @param {string} stream
   * @param {LayoutOptions} layout
   * @param {Frame} rect
   * @param {{limit?: number, fields?: string[], revision?: string} & Cancelling} options
   * @returns {Promise<{revision: number, state: string, contentSize: Extent, items: PlacedPhoto[], elements: any[],
   *   truncated: boolean}>} */
  rectWithFields(stream, layout, rect, { signal, ...questions } = {}) {
    const query = { ...layout, rect: [rect.x, rect.y, rect.width, rect.height], ...questions };
    return this.#json(`${path(stream)}/layout/rect`, query, { signal });
  }

  /** Returns photos by their positions in stream order, or by their ids.
   * @param {string} stream
   * @param {LayoutOptions} layout
   * @param {{from: number, count: number} | {ids: string[]}} which
   * @param {{fields?: string[], revision?: string} & Cancelling} options
   * @returns {Promise<{revision: number, state: string, count: number, items: PlacedPhoto[], missing?: string[]}>} */
  items(stream, layout, which, { signal, ...questions } = {}) {
    const query = "ids" in which ? { id: which.ids } : which;
    return this.#json(`${path(stream)}/layout/items`, { ...layout, ...query, ...questions }, { signal });
  }

  /** Returns the frame of a photo, and the cursor of a page that contains it.
   * @param {string} stream
   * @param {LayoutOptions} layout
   * @param {string} photo
   * @param {{fields?: string[], limit?: number, revision?: string} & Cancelling} options
   * @returns {Promise<{revision: number, state: string, contentSize: Extent, item: PlacedPhoto, cursor: string}>} */
  locate(stream, layout, photo, { signal, ...questions } = {}) {
    return this.#json(`${path(stream)}/layout/locate`, { ...layout, photo, ...questions }, { signal });
  }

  /** Returns the section, photo and day at even distances of the content.
   * @param {string} stream
   * @param {LayoutOptions} layout
   * @param {{steps?: number, revision?: string} & Cancelling} options
   * @returns {Promise<{revision: number, state: string, stops: {offset: number, index: number, day: string | null,
   *   precision: string | null}[]}>} */
  scrubber(stream, layout, { signal, ...questions } = {}) {
    return this.#json(`${path(stream)}/layout/scrubber`, { ...layout, ...questions }, { signal });
  }

  // Maps

  /** Returns the photos of a cluster, in stream order.
   * @param {string} stream
   * @param {LayoutOptions} layout A map with clusters.
   * @param {{x: number, y: number} | {unlocated: true}} which A point of the content in the cluster's cell, or the photos
   *   without a position.
   * @param {{limit?: number, fields?: string[], cursor?: string} & Cancelling} options
   * @returns {Promise<{revision: number, state: string, count: number, bounds: Bounds | null, items: PlacedPhoto[],
   *   nextCursor: string | null}>} */
  cluster(stream, layout, which, { signal, ...questions } = {}) {
    // The cursor contains the layout and the place.
    const query = questions.cursor === undefined ? { ...layout, ...which, ...questions } : { where: layout.where, ...questions };
    return this.#json(`${path(stream)}/layout/cluster`, query, { signal });
  }

  /** Returns the cities with a name that begins with a text, the largest first.
   * @param {string} query
   * @param {{limit?: number} & Cancelling} options
   * @returns {Promise<{places: Place[]}>} */
  places(query, { signal, ...questions } = {}) {
    return this.#json("/v1/places", { query, ...questions }, { signal });
  }

  /** Returns the coastlines and names of the gallery's map, in the form that `scripts/make-land` describes.
   * @param {Cancelling} options
   * @returns {Promise<ArrayBuffer>} */
  async land(options = {}) {
    return (await this.#ask("/gallery/land.bin", {}, options, "application/octet-stream")).arrayBuffer();
  }

  // Changes

  /** Returns the changes since the `state` of an earlier answer. If the answer has `reload`, read the stream again.
   * @param {string} stream
   * @param {string} since
   * @param {{limit?: number} & Cancelling} options
   * @returns {Promise<{since: number, revision: number, state: string, complete?: boolean, changes?: Change[], reload?: object}>} */
  async changes(stream, since, { signal, ...questions } = {}) {
    const answer = await this.#ask(`${path(stream)}/changes`, { since, ...questions }, { signal }, "application/jsonl");
    // The first line is the answer without its changes, each further line is a change.
    const [first, ...changes] = (await answer.text()).split("\n").filter(Boolean).map((line) => JSON.parse(line));
    return first.reload ? first : { ...first, changes: first.changes ?? changes };
  }

  /** Returns the effect of the changes since a state on a rectangle, with the attributes of animations.
   * @param {string} stream
   * @param {LayoutOptions} layout
   * @param {{since: string, rect: Frame, keep?: "item" | "offset", fields?: string[]} & Cancelling} question With `fields`,
   *   insertions and reloads of photos have an `item`.
   * @returns {Promise<{revision: number, state: string, contentSize: Extent, contentOffset: number, anchor?: string,
   *   insertions: Update[], deletions: Update[], moves: Update[], reloads: Update[], reload?: object}>} */
  updates(stream, layout, { signal, rect, ...questions }) {
    const query = { ...layout, rect: [rect.x, rect.y, rect.width, rect.height], ...questions };
    return this.#json(`${path(stream)}/layout/updates`, query, { signal });
  }

  /**
   * Yields the events of a stream without an end: it reconnects after every interruption, and continues after the last event
   * that it has received.
   *
   * In contrast to `EventSource`, it uses `fetch`, so it works in Node and can send headers. It ends when it is aborted, and
   * throws a {@link Problem} if there are no events at this address (404, 405), or if a valid token is required (401, 403).
   *
   * @param {string} stream
   * @param {{since?: string, onState?: (state: "connected" | "disconnected") => void,
   *   wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>} & Cancelling} options
   * @returns {AsyncGenerator<StreamEvent, void, void>}
   */
  async *events(stream, { since, signal, onState = () => {}, wait = pause } = {}) {
    /** @type {string | undefined} */
    let last;
    let retry = 2_000;
    let failures = 0;
    while (!signal?.aborted) {
      try {
        /** @type {Record<string, string>} */
        const headers = last === undefined ? {} : { "Last-Event-ID": last };
        const query = last === undefined ? { since } : {};
        const answer = await this.#ask(`${path(stream)}/events`, query, { signal, headers }, "text/event-stream");
        onState("connected");
        for await (const message of messages(answer)) {
          failures = 0;
          if (message.retry !== undefined) retry = message.retry;
          if (message.id !== undefined) last = message.id;
          if (message.event === undefined) continue;
          yield { event: /** @type {StreamEvent["event"]} */ (message.event), data: parsed(message.data) };
        }
      } catch (error) {
        if (signal?.aborted) return;
        if (error instanceof Problem && [401, 403, 404, 405].includes(error.status)) throw error;
        if (error instanceof Problem && error.retryAfter) retry = Math.max(retry, error.retryAfter * 1_000);
      }
      onState("disconnected");
      // Doubles after each failure in a row, up to ten seconds, and is random, so that not all clients reconnect at once.
      const time = Math.min(10_000, retry * 2 ** failures) * (0.75 + Math.random() / 2);
      failures += 1;
      await wait(time, signal);
    }
  }

  // Pictures

  /** Returns the address of a thumbnail. Its bytes never change.
   * @param {string} key The `pictureKey` of a photo.
   * @param {number} size One of {@link thumbnailSizes}; {@link thumbnailSize} returns that for a cell.
   * @param {"webp" | "jpg"} [format] */
  thumbnail(key, size, format = "webp") {
    return `${this.#base}/v1/images/${encodeURIComponent(key)}/${size}.${format}`;
  }

  /** Returns the address of a photo's original, or, with a size, of a thumbnail, which the server creates if necessary.
   * @param {string} stream
   * @param {string} id
   * @param {number} [size] */
  image(stream, id, size) {
    const address = `${this.#base}${photoPath(stream, id)}/image`;
    return size === undefined ? address : `${address}?size=${size}`;
  }

  /** Returns the address of the film in the file of a motion photo, for photos with `film`.
   * @param {string} stream
   * @param {string} id */
  film(stream, id) {
    return `${this.#base}${photoPath(stream, id)}/film`;
  }

  // Requests

  /** @param {string} path
   * @param {object} query
   * @param {Cancelling} [options]
   * @returns {Promise<any>} */
  #json(path, query, options) {
    return this.#remembered(path, query, options, "application/json", (answer) => answer.json());
  }

  /** @param {string} path
   * @param {object} query
   * @param {Cancelling} [options]
   * @returns {Promise<Frames>} */
  #frames(path, query, options) {
    return this.#remembered(path, query, options, binaryType, async (answer) => new Frames(await answer.arrayBuffer()));
  }

  /** Sends a conditional request if the answer is remembered, and none if it is immutable.
   * @template T
   * @param {string} path
   * @param {object} query
   * @param {Cancelling | undefined} options
   * @param {string} form
   * @param {(answer: Response) => Promise<T>} read
   * @returns {Promise<T>} */
  async #remembered(path, query, options = {}, form, read) {
    const name = `${form} ${path}?${parameters(query)}`;
    const known = this.#answers.get(name);
    if (known?.isLasting) return known.value;
    /** @type {Record<string, string>} */
    const headers = known ? { "If-None-Match": known.tag } : {};
    const answer = await this.#ask(path, query, { ...options, headers }, form);
    if (answer.status === 304 && known) return known.value;
    const value = await read(answer);
    const isLasting = (answer.headers.get("Cache-Control") ?? "").includes("immutable");
    this.#answers.set(name, { tag: answer.headers.get("ETag"), isLasting, value });
    return value;
  }

  /** Sends a write.
   * @param {"PATCH" | "POST" | "DELETE"} method
   * @param {string} path
   * @param {object | undefined} body
   * @param {{ifMatch?: string | null} & Cancelling} options */
  #write(method, path, body, { ifMatch, signal }) {
    /** @type {Record<string, string>} */
    const headers = ifMatch ? { "If-Match": ifMatch } : {};
    if (body) headers["Content-Type"] = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    return this.#ask(path, {}, { signal, headers, method, body: body && JSON.stringify(body) }, "application/json");
  }

  /** Sends a request.
   * @param {string} path
   * @param {object} query
   * @param {Cancelling & {headers?: Record<string, string>, method?: string, body?: string | Blob,
   *   onSent?: (bytes: number) => void}} options
   * @param {string} form The media type to request.
   * @returns {Promise<Response>} A successful answer, or 304. */
  async #ask(path, query, { signal, headers, method, body, onSent } = {}, form) {
    const text = parameters(query);
    const address = this.#base + path + (text && `?${text}`);
    const all = { Accept: `${form}, application/problem+json`, ...this.#headers, ...headers };
    const answer = onSent && this.#isPlain ? await sendWatched(address, { signal, method, body, headers: all, onSent })
      : await this.#fetch(address, { signal, method, body, headers: all });
    if (!this.#isPlain && answer.ok) onSent?.(/** @type {Blob} */ (body).size);
    if (answer.ok || answer.status === 304) return answer;
    const type = answer.headers.get("Content-Type") ?? "";
    const document = type.includes("json") ? await answer.json().catch(() => ({})) : (await answer.body?.cancel(), {});
    const seconds = Number(answer.headers.get("Retry-After"));
    throw new Problem(answer.status, document, seconds > 0 ? seconds : undefined);
  }
}

/** The answers that a client remembers, least recently used first. */
class Answers {
  /** @type {Map<string, {tag: string, isLasting: boolean, value: any}>} */
  #byName = new Map();
  #limit;

  /** @param {number} limit */
  constructor(limit) {
    this.#limit = limit;
  }

  /** @param {string} name */
  get(name) {
    const answer = this.#byName.get(name);
    if (answer) {
      this.#byName.delete(name);
      this.#byName.set(name, answer);
    }
    return answer;
  }

  /** @param {string} name
   * @param {{tag: string | null, isLasting: boolean, value: any}} answer */
  set(name, { tag, isLasting, value }) {
    if (!tag || this.#limit === 0) return;
    this.#byName.delete(name);
    this.#byName.set(name, { tag, isLasting, value });
    while (this.#byName.size > this.#limit) this.#byName.delete(this.#byName.keys().next().value);
  }
}

/**
 * The places of photos, read from the binary form.
 *
 * Lengths are device pixels: divided by `scale`, they are points.
 */
export class Frames {
  /** @param {ArrayBuffer} buffer */
  constructor(buffer) {
    const view = new DataView(buffer);
    const bytes = new Uint8Array(buffer);
    if (buffer.byteLength < 80 || view.getUint32(0, true) !== 0x47505350 || view.getUint16(4, true) !== 1) {
      throw new TypeError("Not frames in the binary form, or in an unsupported version.");
    }
    const flags = view.getUint16(6, true);
    const count = view.getUint32(8, true);
    const cursorLength = view.getUint32(12, true);
    const originX = Number(view.getBigInt64(32, true));
    const originY = Number(view.getBigInt64(40, true));
    this.count = count;
    this.revision = Number(view.getBigInt64(16, true));
    this.chainRevision = Number(view.getBigInt64(24, true));
    this.scale = view.getFloat64(48, true);
    this.firstIndex = Number(view.getBigInt64(56, true));
    this.inPlace = (flags & 1) !== 0;
    this.truncated = (flags & 2) !== 0;
    /** The positions of the photos in stream order. */
    this.index = new Uint32Array(count);
    this.x = new Float64Array(count);
    this.y = new Float64Array(count);
    this.width = new Int32Array(count);
    this.height = new Int32Array(count);
    let at = 64;
    for (let i = 0; i < count; i += 1, at += 20) {
      this.x[i] = originX + view.getInt32(at, true);
      this.y[i] = originY + view.getInt32(at + 4, true);
      this.width[i] = view.getInt32(at + 8, true);
      this.height[i] = view.getInt32(at + 12, true);
      this.index[i] = view.getUint32(at + 16, true);
    }
    /** The size of all content in device pixels; a page has none.
     * @type {Extent | undefined} */
    this.contentSize = undefined;
    /** Everything that is not a photo.
     * @type {{kind: string, x: number, y: number, width: number, height: number, zIndex: number, section: number,
     *   item: number, index: number}[]} */
    this.elements = [];
    if (flags & 8) {
      const number = (/** @type {number} */ offset) => Number(view.getBigInt64(offset, true));
      this.contentSize = { width: number(at), height: number(at + 8) };
      const elements = view.getUint32(at + 16, true);
      at += 20;
      for (let i = 0; i < elements; i += 1, at += 56) {
        this.elements.push({
          kind: elementKinds[view.getUint32(at + 52, true)] ?? "unknown",
          x: number(at),
          y: number(at + 8),
          width: number(at + 16),
          height: number(at + 24),
          zIndex: number(at + 32),
          section: view.getUint32(at + 40, true),
          item: view.getUint32(at + 44, true),
          index: view.getUint32(at + 48, true),
        });
      }
    }
    /** The photos' ids, if they were requested.
     * @type {string[] | undefined} */
    this.ids = undefined;
    if (flags & 4) [this.ids, at] = texts(view, bytes, at, count);
    /** The keys of the photos' pictures; `null` without one.
     * @type {(string | null)[] | undefined} */
    this.keys = undefined;
    /** The photos' colours as 0xRRGGBB; -1 without one. @type {Int32Array | undefined} */
    this.colors = undefined;
    /** The photos' placeholders; empty without one. @type {string[] | undefined} */
    this.placeholders = undefined;
    if (flags & 16) {
      this.keys = [];
      this.colors = new Int32Array(count);
      for (let i = 0; i < count; i += 1, at += 20) {
        this.keys.push(key(bytes.subarray(at, at + 16)));
        const color = view.getUint32(at + 16, true);
        this.colors[i] = color >>> 24 ? color & 0xffffff : -1;
      }
      [this.placeholders, at] = texts(view, bytes, at, count);
    }
    /** The sizes of the pictures, if they were requested: width and height of each. @type {Uint32Array | undefined} */
    this.pictureSizes = undefined;
    if (flags & 64) {
      this.pictureSizes = new Uint32Array(2 * count);
      for (let i = 0; i < 2 * count; i += 1, at += 4) this.pictureSizes[i] = view.getUint32(at, true);
    }
    /** The photos that each photo of a map stands for; only of a map with clusters.
     * @type {{count: number, bounds: Bounds}[] | undefined} */
    this.clusters = undefined;
    if (flags & 32) {
      this.clusters = [];
      for (let i = 0; i < count; i += 1, at += 36) {
        const [west, south, east, north] = [4, 12, 20, 28].map((edge) => view.getFloat64(at + edge, true));
        this.clusters.push({ count: view.getUint32(at, true), bounds: { west, south, east, north } });
      }
    }
    /** The cursor that continues; `null` at the end. */
    this.nextCursor = cursorLength ? textDecoder().decode(bytes.subarray(at, at + cursorLength)) : null;
    at += cursorLength;
    /** The revision and its tag as text, as JSON has it. */
    this.state = state(view.getBigInt64(16, true), view.getBigUint64(at, true));
    this.chainState = state(view.getBigInt64(24, true), view.getBigUint64(at + 8, true));
  }

  /** Returns a photo's frame in points.
   * @param {number} i
   * @returns {Frame} */
  frame(i) {
    const { scale } = this;
    return { x: this.x[i] / scale, y: this.y[i] / scale, width: this.width[i] / scale, height: this.height[i] / scale };
  }
}

/** Returns a decoder that changes no text; the default one drops a U+FEFF at the beginning of an id. */
function textDecoder() {
  return new TextDecoder("utf-8", { ignoreBOM: true });
}

/** Returns a revision with its tag as text; revision 0 has none.
 * @param {bigint} revision
 * @param {bigint} tag */
function state(revision, tag) {
  return revision === 0n ? "0" : `${revision}.${tag.toString(36)}`;
}

/** The time without a byte, in milliseconds, after which a connection counts as lost: three heartbeats of the server. */
const silenceLimit = 45_000;

const elementKinds = [
  "item", "section-background", "separator", "badge", "section-header", "section-footer",
];

/** Reads texts that follow the table of their starts.
 * @param {DataView} view
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {number} count
 * @returns {[string[], number]} The texts, and the position after them. */
function texts(view, bytes, at, count) {
  const decoder = textDecoder();
  const start = at + 4 * (count + 1);
  const list = [];
  for (let i = 0; i < count; i += 1) {
    const from = start + view.getUint32(at + 4 * i, true);
    const to = start + view.getUint32(at + 4 * i + 4, true);
    list.push(decoder.decode(bytes.subarray(from, to)));
  }
  return [list, start + view.getUint32(at + 4 * count, true)];
}

/** Writes a key as in addresses; `null` if all bytes are zero.
 * @param {Uint8Array} bytes */
function key(bytes) {
  if (bytes.every((byte) => byte === 0)) return null;
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} stream */
function path(stream) {
  return `/v1/streams/${encodeURIComponent(stream)}`;
}

/** @param {string} stream
 * @param {string} id */
function photoPath(stream, id) {
  return `${path(stream)}/photos/${encodeURIComponent(id)}`;
}

/** @param {string} stream
 * @param {string} album */
function albumPath(stream, album) {
  return `${path(stream)}/albums/${encodeURIComponent(album)}`;
}

/** Writes a query: camel case becomes hyphens, lists are joined by commas, except ids, which are repeated.
 * @param {object} query */
function parameters(query) {
  const all = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    const parameter = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (parameter === "id") {
      for (const id of value) all.append("id", id);
    } else {
      all.append(parameter, Array.isArray(value) ? value.join(",") : String(value));
    }
  }
  return all.toString();
}

/**
 * Yields the messages of an event stream.
 *
 * Source: the HTML standard, section "Interpreting an event stream".
 *
 * @param {Response} answer
 * @returns {AsyncGenerator<{event?: string, data: string, id?: string, retry?: number}>}
 */
async function* messages(answer) {
  if (!answer.body) return;
  const reader = answer.body.getReader();
  const decoder = textDecoder();
  let rest = "";
  let fields = /** @type {Record<string, string>} */ ({});
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let silence;
  try {
    for (;;) {
      clearTimeout(silence);
      silence = setTimeout(() => reader.cancel().catch(() => {}), silenceLimit);
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = /** @type {string} */ (lines.pop());
      for (const line of lines) {
        if (line === "") {
          const { event, data, id, retry } = fields;
          fields = {};
          if (event === undefined && data === undefined && id === undefined && retry === undefined) continue;
          const number = retry !== undefined && /^\d+$/.test(retry) ? Number(retry) : undefined;
          yield { event: data === undefined ? undefined : (event ?? "message"), data: data ?? "", id, retry: number };
        } else if (!line.startsWith(":")) {
          const colon = line.indexOf(":");
          const name = colon < 0 ? line : line.slice(0, colon);
          const text = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
          fields[name] = name === "data" && fields.data !== undefined ? `${fields.data}\n${text}` : text;
        }
      }
    }
  } finally {
    clearTimeout(silence);
    reader.cancel().catch(() => {});
  }
}

/** Sends a request as `fetch` does, and reports how much of its body is sent, which `fetch` cannot.
 * @param {string} address
 * @param {{signal?: AbortSignal, method?: string, body?: string | Blob, headers: Record<string, string>,
 *   onSent: (bytes: number) => void}} options
 * @returns {Promise<Response>} */
function sendWatched(address, { signal, method = "GET", body, headers, onSent }) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(method, address);
    request.responseType = "blob";
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    const abort = () => request.abort();
    signal?.addEventListener("abort", abort);
    request.upload.addEventListener("progress", ({ loaded }) => onSent(loaded));
    request.addEventListener("loadend", () => signal?.removeEventListener("abort", abort));
    request.addEventListener("abort", () => reject(signal?.reason));
    request.addEventListener("error", () => reject(new TypeError("The server did not respond.")));
    request.addEventListener("load", () => {
      const { status, response } = request;
      const fields = request.getAllResponseHeaders().trim().split("\r\n").map((line) => line.split(/: ?(.*)/, 2));
      // Answers with these statuses have no content.
      const content = [204, 205, 304].includes(status) ? null : response;
      resolve(new Response(content, { status, headers: /** @type {[string, string][]} */ (fields) }));
    });
    request.send(body);
  });
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Waits; returns early when aborted.
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>} */
export function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
    signal?.addEventListener("abort", done);
    if (signal?.aborted) done();
  });
}
