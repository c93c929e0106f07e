// @ts-check
/** One photo on the whole screen: a dialog with zoom, the neighbours, and information about the photo. */

import { clamp } from "./geometry.js";
import { count, dateWithSource, photoName } from "./dates.js";
import { detailsOf, showDetails } from "./details.js";
import { Editor, listIn } from "./editor.js";
import { Favourite } from "./favourite.js";
import { placeholderAddress } from "./placeholders.js";
import { Problem, thumbnailSize, thumbnailSizes } from "./photostream.js";
import { Gestures } from "./gestures.js";
import { Player } from "./player.js";
import { Stack, kindOf } from "./stack.js";
import { text } from "./texts.js";
import { isVideo } from "./videos.js";

/** @typedef {Pick<import("./photostream.js").PhotoStreamClient, "locate" | "items">} Neighbours */
/** @typedef {import("./tiles.js").Source & {reader: Neighbours}} Among The photos among which an open one is. `reader` answers the
 *   requests about them: the client, or the photos of a place of the map. */
/** @typedef {import("./photostream.js").PlacedPhoto} Item */

const fields = [
  "index", "photo", "pictureKey", "placeholder", "color", "pixelWidth", "pixelHeight", "caption", "alt", "title", "takenAt",
  "takenAtSource", "location", "duration", "codec", "stack", "stackCount", "favourite", "archived",
];
/** The greatest scale at which a picture is shown unzoomed. */
const greatestEnlargement = 2;
/** The room at the sides for the buttons, in a window that is wide enough for them. */
const sideRoom = 64;
/** The longer side of the largest thumbnail, in pixels. */
const largestThumbnail = /** @type {number} */ (thumbnailSizes.at(-1));
/** The extensions of pictures that every browser displays. Others may be displayed by some, but are downloaded by all. */
const displayable = /\.(jpe?g|jfif|png|webp|gif|avif)$/i;
/** The endings of pictures that may move, which thumbnails do not. */
const animated = /\.(gif|webp|apng)$/i;
const wantsLessMotion = window.matchMedia("(prefers-reduced-motion: reduce)");

export class Lightbox {
  /** The photo that is shown, and the photo of the stream in whose place it is: the cover, if it is one of a stack.
   * @type {Item | null} */
  #item = null;
  /** @type {Item | null} */
  #cover = null;
  /** @type {Map<number, Item>} */
  #neighbours = new Map();
  /** Ends the opening of a photo. What is asked about the shown one has an end of its own: a change of the stream asks anew. */
  #opening = new AbortController();
  #asking = new AbortController();
  #count = 0;
  #box = { width: 0, height: 0 };
  #view = { scale: 1, x: 0, y: 0 };
  /** The longer side of the picture that is shown, and of the one that was last requested, in pixels. */
  #shownSize = 0;
  #loadingSize = 0;
  /** Counts the opened photos: an answer about an earlier one may arrive later. */
  #turn = 0;
  /** @type {Among | null} */
  #source = null;

  /** @param {HTMLDialogElement} dialog
   * @param {import("./photostream.js").PhotoStreamClient} client
   * @param {{onShow: (item: Item) => void, onClose: (item: Item | null) => void, announce: (text: string) => void,
   *   note: (text: string) => void, thumbnail: (item: Item) => string, onDelete: (id: string) => void,
   *   onArchive: (id: string, isArchived: boolean) => void, onEdited: () => Promise<void>,
   *   onStack: (id: string, change: "makeCover" | "takeApart") => void,
   *   onMap: (photo: string, middle: string) => string, onSearch: (condition: string) => string}} handlers `thumbnail` returns the
   *   address of a thumbnail that the page already shows, or an empty text; `onMap` returns the fragment of the address that shows a
   *   photo on the map, with its latitude and longitude in the middle; `onSearch` that of the photos that meet a condition. */
  constructor(dialog, client, handlers) {
    const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (dialog.querySelector(`.${name}`));
    this.dialog = dialog;
    this.client = client;
    this.handlers = handlers;
    this.stage = part("stage");
    this.frame = part("frame");
    this.counter = part("counter");
    this.words = part("words");
    this.note = part("note");
    this.player = new Player(part("unplayable"));
    this.stack = new Stack(part("stack"), client, {
      onShow: (member) => { void this.#showMember(member); },
      onChange: (id, change) => { if (this.canEdit && !this.editor.isOpen) handlers.onStack(id, change); },
    });
    this.panel = part("panel");
    this.details = /** @type {HTMLDListElement} */ (dialog.querySelector("dl"));
    this.original = /** @type {HTMLAnchorElement} */ (part("original"));
    this.infoButton = /** @type {HTMLButtonElement} */ (part("info"));
    this.linkButton = part("link");
    this.filmButton = part("film");
    this.filmButton.addEventListener("click", () => this.#playFilm());
    /** Whether photos can be edited and deleted. */
    this.canEdit = false;
    this.favourite = new Favourite(part("favourite"), client, {
      onSaved: handlers.onEdited, announce: handlers.announce, note: handlers.note,
    });
    this.favourite.button.addEventListener("click", () => this.#toggleFavourite());
    this.editButton = /** @type {HTMLButtonElement} */ (part("edit"));
    this.editor = new Editor(/** @type {HTMLFormElement} */ (dialog.querySelector("form")), client, {
      onSaved: async () => {
        await handlers.onEdited();
        handlers.announce(text("Saved"));
      },
      onClose: () => this.#editorClosed(),
    });
    this.editButton.addEventListener("click", () => this.#edit());
    part("delete").addEventListener("click", () => this.#delete());
    this.archiveButton = part("archive");
    this.archiveButton.addEventListener("click", () => this.#archive());
    this.previous = /** @type {HTMLButtonElement} */ (part("previous"));
    this.next = /** @type {HTMLButtonElement} */ (part("next"));
    part("close").addEventListener("click", () => { if (!this.editor.isHeld()) dialog.close(); });
    this.infoButton.addEventListener("click", () => { if (!this.editor.isHeld()) this.#showPanel(this.panel.hidden); });
    this.linkButton.addEventListener("click", () => this.#copyLink());
    this.previous.addEventListener("click", () => this.#go(-1));
    this.next.addEventListener("click", () => this.#go(1));
    dialog.addEventListener("close", () => this.#closed());
    document.addEventListener("keydown", (event) => {
      // The page has the focus if the control that had it is hidden.
      const isHere = event.target === document.body || event.target instanceof Node && dialog.contains(event.target);
      if (dialog.open && isHere) this.#press(event);
    });
    new Gestures(this.stage, {
      view: () => this.#view,
      onView: (view) => this.#setView(view),
      onSwipe: (direction) => this.#go(direction * (this.#isRightToLeft ? -1 : 1)),
      onDismiss: () => { if (!this.editor.isHeld()) dialog.close(); },
    });
    new ResizeObserver(() => this.#item && this.#fit()).observe(this.stage);
  }

  get isOpen() { return this.dialog.open; }
  /** The id of the photo in whose place one is shown. */
  get shown() { return this.#cover?.photo ?? null; }
  get #isRightToLeft() { return document.documentElement.dir === "rtl"; }

  /** Opens a photo.
   * @param {Among} source
   * @param {string} id
   * @param {number} total The number of photos.
   * @returns {Promise<boolean>} Whether the stream contains it. */
  async open(source, id, total) {
    this.#source = source;
    this.#count = total;
    this.#turn += 1;
    this.#opening.abort();
    const { signal } = (this.#opening = new AbortController());
    if (!this.dialog.open) this.dialog.showModal();
    try {
      const { item } = await source.reader.locate(source.stream, source.options, id, { fields, signal });
      await this.#show(item);
      return true;
    } catch (error) {
      if (signal.aborted) return true;
      if (error instanceof Problem && error.kind === "unknown-photo") return false;
      this.#note(text("This photo cannot be loaded right now."));
      return true;
    }
  }

  close() {
    if (this.dialog.open) this.dialog.close();
  }

  /** Closes without returning to the photo. */
  discard() {
    [this.#item, this.#cover] = [null, null];
    this.close();
  }

  /** Follows the stream to another state, in which the photo may be elsewhere or deleted.
   * @param {Among} source
   * @param {number} total */
  async follow(source, total) {
    this.#source = source;
    this.#count = total;
    const id = this.#item?.photo;
    if (!this.dialog.open || !id) return;
    const turn = this.#turn;
    this.#neighbours.clear();
    try {
      const { item } = await source.reader.locate(source.stream, source.options, id, { fields });
      const before = this.#item;
      if (before?.photo !== id || this.#turn !== turn) return;
      if (item.photo !== this.#cover?.photo) this.handlers.onShow(item);
      this.#cover = item;
      // Layouts do not show it: it stays in the place of the cover of its stack.
      const shown = item.photo === id ? item : { ...before, index: item.index, stackCount: undefined };
      this.#item = shown;
      // Its poster has changed.
      if (shown.pictureKey !== before.pictureKey && !this.player.isPlaying) this.#draw(shown);
      this.#describe(shown);
      await this.#askForNeighbours(shown);
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== "unknown-photo") return;
      if (this.#item?.photo !== id || this.#turn !== turn) return;
      const cover = this.shown;
      // It is not in the stack any more, or the source has covers only, as a place of the map does.
      if (cover && cover !== id && await this.open(source, cover, total)) return;
      this.handlers.announce(text("This photo has been deleted"));
      this.dialog.close();
    }
  }

  async #go(/** @type {number} */ step) {
    const from = this.#item;
    const index = (from?.index ?? 0) + step;
    // The form may have unsaved changes.
    if (!from || index < 0 || index >= this.#count || this.editor.isOpen) return;
    // A key may be pressed before the neighbours are known, and while the stream's next state is followed.
    for (let attempt = 0; attempt < 3 && !this.#neighbours.has(index); attempt += 1) {
      const present = this.#item;
      if (!present || present.photo !== from.photo) return;
      await this.#askForNeighbours(present).catch(() => {});
    }
    const item = this.#neighbours.get(index);
    if (item && this.#item?.photo === from.photo) await this.#show(item);
  }

  /** Shows the next photo in place of one that is about to be deleted, the previous one in place of the last, or closes. In place
   * of another photo of a stack, it shows the cover. */
  async stepAway() {
    const cover = this.#cover;
    if (cover && cover.photo !== this.#item?.photo) return this.#show(cover);
    const index = this.#item?.index ?? 0;
    if (this.#count <= 1) this.close();
    else await this.#go(index < this.#count - 1 ? 1 : -1);
  }

  #delete() {
    if (this.canEdit && this.#item?.photo && !this.editor.isOpen) this.handlers.onDelete(this.#item.photo);
  }

  /** Archives the photo that is shown, or takes it back out of the archive. */
  #archive() {
    const { photo, archived = false } = this.#item ?? {};
    if (this.canEdit && photo && !this.editor.isOpen) this.handlers.onArchive(photo, !archived);
  }

  #toggleFavourite() {
    if (this.canEdit && this.#item && !this.editor.isOpen) void this.favourite.toggle();
  }

  async #edit() {
    const id = this.#item?.photo;
    if (!this.canEdit || !this.#source || !id) return;
    if (this.editor.isHeld()) return;
    if (this.editor.isOpen) return this.editor.close();
    this.#showPanel(true);
    this.details.hidden = true;
    this.dialog.classList.add("editing");
    this.editButton.setAttribute("aria-expanded", "true");
    try {
      await this.editor.open(this.#source.stream, id);
    } catch {
      this.#editorClosed();
      this.handlers.announce(text("This photo cannot be edited right now"));
    }
    this.#fit();
  }

  #editorClosed() {
    this.details.hidden = false;
    this.dialog.classList.remove("editing");
    this.editButton.setAttribute("aria-expanded", "false");
    this.#fit();
    if (this.dialog.open) this.editButton.focus();
  }

  async #show(/** @type {Item} */ item) {
    this.#opening.abort();
    [this.#item, this.#cover] = [item, item];
    // The words first, because the picture gets the remaining room.
    this.#describe(item);
    this.#draw(item);
    this.handlers.onShow(item);
    const index = item.index ?? 0;
    const name = photoName(item, index);
    const position = this.#positionOf(index);
    this.handlers.announce(position.startsWith(name) ? position : `${position}, ${name}`);
    await this.#askForNeighbours(item).catch(() => {});
  }

  /** Shows a photo of the stack in the place of its cover. */
  async #showMember(/** @type {Item} */ member) {
    const cover = this.#cover;
    if (!cover || this.editor.isOpen || member.photo === this.#item?.photo) return;
    const item = member.photo === cover.photo ? cover : { ...member, index: cover.index };
    this.#item = item;
    this.#describe(item);
    this.#draw(item);
    // A press on a film is one to play it.
    if (isVideo(item)) this.player.toggle();
    this.handlers.announce(`${kindOf(member)}, ${photoName({ ...item, stackCount: undefined }, item.index ?? 0)}`);
    await this.#askForNeighbours(item).catch(() => {});
  }

  #positionOf(/** @type {number} */ index) {
    return text("Photo {number} of {total}", { number: count(index + 1), total: count(this.#count) });
  }

  async #askForNeighbours(/** @type {Item} */ item) {
    if (!this.#source) return;
    const index = item.index ?? 0;
    const from = Math.max(0, index - 1);
    this.#asking.abort();
    const { signal } = (this.#asking = new AbortController());
    const { stream, options, reader } = this.#source;
    this.#askForDetails(item, signal);
    void this.#askForStack(stream, signal);
    const answer = await reader.items(stream, options, { from, count: 3 }, { fields, signal });
    this.#neighbours = new Map(answer.items.map((other) => [other.index ?? 0, other]));
    this.#count = answer.count;
    for (const other of answer.items) {
      if (other.photo !== item.photo && other.pictureKey) new Image().src = this.#address(other);
    }
  }

  /** Requests the photos of the stack, and shows the present texts of the one that is shown. */
  async #askForStack(/** @type {string} */ stream, /** @type {AbortSignal} */ signal) {
    const members = await this.stack.load(stream, signal);
    const [item, cover] = [this.#item, this.#cover];
    const member = members.find(({ photo }) => photo === item?.photo);
    if (!item || !cover || !member || member.photo === cover.photo) return;
    Object.assign(item, { title: undefined, caption: undefined, alt: undefined, favourite: undefined, archived: undefined }, member);
    this.#showWords(item);
    this.#showFlags(stream, item);
  }

  #showFlags(/** @type {string} */ stream, /** @type {Item} */ item) {
    this.favourite.show(stream, item);
    this.archiveButton.setAttribute("aria-pressed", String(item.archived === true));
  }

  /** Draws a picture: first its placeholder and a small thumbnail that is loaded, then the thumbnail that fits. */
  #draw(/** @type {Item} */ item) {
    // A new element for each photo: one that moved would count as a layout shift.
    const frame = document.createElement("div");
    frame.className = "frame";
    this.player.leave();
    this.frame.replaceWith(frame);
    this.frame = frame;
    [this.#shownSize, this.#loadingSize] = [0, 0];
    this.#view = { scale: 1, x: 0, y: 0 };
    const placeholder = placeholderAddress(item.placeholder ?? "");
    this.frame.style.backgroundColor = item.color ?? "var(--empty)";
    this.frame.style.backgroundImage = placeholder ? `url("${placeholder}")` : "";
    const isElsewhere = /^[a-z][a-z0-9+.-]*:/i.test(item.location ?? "");
    const hasPicture = Boolean(item.pictureKey) || (Boolean(item.location) && !isElsewhere);
    const isPlayed = isVideo(item) && !isElsewhere;
    this.#note(hasPicture || isPlayed ? "" : text(isElsewhere ? "This picture is on another server." : "This photo has no picture."));
    this.#fit();
    const shown = this.handlers.thumbnail(item);
    if (shown) {
      const image = new Image();
      image.alt = altOf(item);
      image.src = shown;
      this.frame.append(image);
    }
    if (hasPicture) this.#load(item);
    if (isPlayed) this.#play(item);
  }

  /** Plays the film of a motion photo.
   * @returns {boolean} Whether it has one. */
  #playFilm() {
    const item = this.#item;
    if (!item || this.filmButton.hidden) return false;
    if (this.player.toggle()) return true;
    this.#setView({ scale: 1, x: 0, y: 0 });
    const address = this.client.film(this.#source?.stream ?? "", item.photo ?? "");
    this.player.playOver(this.frame, { address, name: photoName(item, item.index ?? 0) });
    return true;
  }

  /** Shows the player of a video over its poster. */
  #play(/** @type {Item} */ item) {
    const address = this.client.image(this.#source?.stream ?? "", item.photo ?? "");
    this.player.show(this.frame, item, {
      address, name: photoName(item, item.index ?? 0), poster: item.pictureKey ? this.#address(item) : "",
      onFailure: async () => {
        const photo = await this.client.photo(this.#source?.stream ?? "", item.photo ?? "").catch(() => null);
        if (this.#item !== item) return;
        if (photo?.vanished) this.#note(text("The file of this photo is gone."));
        else this.player.refuse(item, address);
      },
    });
  }

  /** Makes the picture as large as fits. */
  #fit() {
    if (!this.#item) return;
    this.#box = this.#boxOf(this.#item);
    this.frame.style.width = `${this.#box.width}px`;
    this.frame.style.height = `${this.#box.height}px`;
    this.#setView(this.#view);
  }

  #boxOf(/** @type {Item} */ item) {
    const { clientWidth, clientHeight } = this.stage;
    const { pixelWidth: width = 3, pixelHeight: height = 2 } = item;
    const room = clientWidth - (window.innerWidth < 720 ? 0 : 2 * sideRoom);
    const scale = Math.min(room / width, clientHeight / height, item.pixelWidth ? greatestEnlargement : Infinity);
    return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  }

  #address(/** @type {Item} */ item, zoom = 1) {
    const { width, height } = this.#boxOf(item);
    const box = { width: width * zoom, height: height * zoom };
    const size = thumbnailSize(box, window.devicePixelRatio, box, thumbnailSizes);
    return item.pictureKey ? this.client.thumbnail(item.pictureKey, size)
      : this.client.image(this.#source?.stream ?? "", item.photo ?? "", size);
  }

  /** Returns the address of the original, with a size above that of all thumbnails, if it may move or is shown larger than the
   * largest thumbnail, and browsers display its type. */
  #originalBeyond(/** @type {Item} */ item) {
    const { pixelWidth = 0, pixelHeight = 0, location = "" } = item;
    const { width, height } = this.#boxOf(item);
    const longest = Math.max(pixelWidth, pixelHeight);
    const wanted = Math.max(width, height) * this.#view.scale * window.devicePixelRatio;
    if (this.original.hidden || document.documentElement.classList.contains("no-originals")) return null;
    // The thumbnail comes first.
    const moves = this.#shownSize > 0 && animated.test(location) && !wantsLessMotion.matches;
    const isBeyond = wanted > largestThumbnail && longest > largestThumbnail && displayable.test(location);
    if (!moves && !isBeyond) return null;
    return { address: this.client.image(this.#source?.stream ?? "", item.photo ?? ""), size: Infinity };
  }

  async #load(/** @type {Item} */ item) {
    const thumbnail = this.#address(item, this.#view.scale);
    const { address, size } = this.#originalBeyond(item) ?? { address: thumbnail, size: sizeIn(thumbnail) };
    if (size <= this.#shownSize || size === this.#loadingSize) return;
    this.#loadingSize = size;
    const image = new Image();
    image.alt = altOf(item);
    image.draggable = false;
    image.src = address;
    try {
      await image.decode();
    } catch {
      if (this.#item === item && this.#shownSize === 0 && !isVideo(item)) await this.#explainFailure(item);
      return;
    }
    if (this.#item?.photo !== item.photo || size <= this.#shownSize) return;
    this.#shownSize = size;
    this.frame.querySelector("img")?.remove();
    this.frame.prepend(image);
    this.frame.style.backgroundColor = "transparent";
    this.frame.style.backgroundImage = "";
    this.#note("");
    void this.#load(item);
  }

  /** Shows why a picture is not displayed. */
  async #explainFailure(/** @type {Item} */ item) {
    const photo = await this.client.photo(this.#source?.stream ?? "", item.photo ?? "").catch(() => null);
    if (this.#item !== item || this.#shownSize > 0) return;
    const isGone = photo?.vanished === true;
    this.#note(text(isGone ? "The file of this photo is gone." : "This picture cannot be displayed."));
  }

  /** Shows a note over the picture; an empty text hides it. */
  #note(/** @type {string} */ words) {
    this.note.textContent = words;
    this.note.hidden = words === "";
  }

  #setView(/** @type {{scale: number, x: number, y: number}} */ view) {
    if (view.scale !== 1 && this.#item && isVideo(this.#item)) return;
    const scale = clamp(view.scale, 1, 8);
    // Not beyond the edges of the picture.
    const most = (/** @type {number} */ length, /** @type {number} */ room) => Math.max(0, (length * scale - room) / 2);
    const isDragged = scale === 1;
    const [across, along] = [
      most(this.#box.width, this.stage.clientWidth), most(this.#box.height, this.stage.clientHeight),
    ];
    const x = isDragged ? view.x : clamp(view.x, -across, across);
    const y = isDragged ? view.y : clamp(view.y, -along, along);
    this.#view = { scale, x, y };
    this.frame.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    this.dialog.classList.toggle("zoomed", scale > 1);
    if (scale > 1 && this.#item?.pictureKey) this.#load(this.#item);
  }

  #describe(/** @type {Item} */ item) {
    const index = item.index ?? 0;
    this.counter.textContent = `${count(index + 1)} / ${count(this.#count)}`;
    this.#showWords(item);
    const { row } = this.stack;
    const hadFocus = row.contains(document.activeElement);
    this.stack.show(this.#cover ?? item, item);
    // So that the keys work when the button with the focus is gone.
    if (hadFocus && (!row.contains(document.activeElement) || document.activeElement?.closest("[hidden]"))) this.stage.focus();
    this.previous.hidden = index === 0;
    this.next.hidden = index >= this.#count - 1;
    this.dialog.setAttribute("aria-label", this.#positionOf(index));
    this.#linkToOriginal(item);
    this.#showFlags(this.#source?.stream ?? "", item);
    this.filmButton.hidden = true;
    listIn(this.details, [[text("Date"), dateWithSource(item)]]);
  }

  /** Shows the title and the caption. */
  #showWords(/** @type {Item} */ item) {
    const words = /** @type {HTMLElement} */ (this.words.cloneNode(false));
    for (const [name, content] of [["title", item.title], ["text", item.caption]]) {
      if (!content) continue;
      const paragraph = document.createElement("p");
      paragraph.className = /** @type {string} */ (name);
      paragraph.dir = "auto";
      paragraph.textContent = content;
      words.append(paragraph);
    }
    this.words.replaceWith(words);
    this.words = words;
  }

  #linkToOriginal(/** @type {Item} */ item) {
    const location = item.location ?? "";
    this.original.hidden = !item.pictureKey && !location;
    const isElsewhere = /^https?:/i.test(location);
    this.original.href = isElsewhere ? location : this.client.image(this.#source?.stream ?? "", item.photo ?? "");
    // The server names the file; browsers open addresses of other servers instead.
    this.original.toggleAttribute("download", !isElsewhere);
    this.original.title = text(isElsewhere ? "Original" : "Download original");
    this.original.setAttribute("aria-label", this.original.title);
  }

  async #askForDetails(/** @type {Item} */ item, /** @type {AbortSignal} */ signal) {
    try {
      const photo = await this.client.photo(this.#source?.stream ?? "", item.photo ?? "", { signal });
      if (this.#item?.photo !== item.photo) return;
      this.filmButton.hidden = !photo.film || document.documentElement.classList.contains("no-originals");
      const has = (/** @type {string} */ name) => !document.documentElement.classList.contains(`no-${name}`);
      showDetails(this.details, detailsOf(photo, {
        width: item.pixelWidth, height: item.pixelHeight, hasNames: has("names"), search: this.handlers.onSearch,
        map: (middle) => has("maps") ? this.handlers.onMap(item.photo ?? "", middle) : "",
      }));
    } catch {
      // The photo is shown without its details.
    }
  }

  #showPanel(/** @type {boolean} */ isShown) {
    if (!isShown) this.editor.close();
    this.panel.hidden = !isShown;
    this.#fit();
    this.infoButton.setAttribute("aria-expanded", String(isShown));
  }

  async #copyLink() {
    try {
      await navigator.clipboard.writeText(window.location.href);
      this.handlers.announce(text("Link copied"));
      this.linkButton.classList.add("done");
      window.setTimeout(() => this.linkButton.classList.remove("done"), 1_200);
    } catch {
      this.handlers.announce(text("The link could not be copied. Copy it from the address bar."));
    }
  }

  #press(/** @type {KeyboardEvent} */ event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest("form")) return;
    const isOnControl = event.target instanceof Element && event.target.closest("video, button, a");
    // The controls of a video seek and play by themselves.
    if (event.target instanceof HTMLVideoElement && (event.key === " " || event.key.startsWith("Arrow"))) return;
    if (event.key === " " && !isOnControl && (this.player.toggle() || this.#playFilm())) event.preventDefault();
    const step = this.#isRightToLeft ? -1 : 1;
    const actions = /** @type {Record<string, () => void>} */ ({
      ArrowRight: () => this.#go(step), ArrowLeft: () => this.#go(-step), ArrowDown: () => this.#go(1),
      ArrowUp: () => this.#go(-1), i: () => this.#showPanel(this.panel.hidden), e: () => this.#edit(),
      f: () => this.#toggleFavourite(), a: () => this.#archive(), Delete: () => this.#delete(),
      "+": () => this.#setView({ ...this.#view, scale: this.#view.scale * 1.5 }),
      "=": () => this.#setView({ ...this.#view, scale: this.#view.scale * 1.5 }),
      "-": () => this.#setView({ ...this.#view, scale: this.#view.scale / 1.5 }),
      0: () => this.#setView({ scale: 1, x: 0, y: 0 }),
    });
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  #closed() {
    this.#opening.abort();
    this.#asking.abort();
    this.editor.close();
    const cover = this.#cover;
    [this.#item, this.#cover] = [null, null];
    this.#neighbours.clear();
    this.player.leave();
    this.frame.replaceChildren();
    this.handlers.onClose(cover);
  }
}

/** Returns the size in the address of a thumbnail. */
function sizeIn(/** @type {string} */ address) {
  return Number.parseInt(address.slice(address.lastIndexOf("/") + 1).replace(/^image\?size=/, ""), 10);
}

/** Returns the text of a picture, or none of a poster: its video has the name. */
function altOf(/** @type {Item} */ item) {
  return isVideo(item) ? "" : photoName(item, item.index ?? 0);
}
