// @ts-check
/**
 * The page: adds the controls to the gallery of the first screen.
 *
 * {@link Address} keeps the settings, {@link Connection} follows the server, and {@link News} shows changes. The page connects them
 * with the controls.
 */

import { Address } from "./address.js";
import { Connection } from "./connection.js";
import { Controls } from "./controls.js";
import { photos, selected } from "./dates.js";
import { FacetPanel } from "./facets.js";
import { Later } from "./later.js";
import { News } from "./news.js";
import { choose } from "./opening.js";
import { Problem } from "./photostream.js";
import { preparePrinting } from "./printing.js";
import { Scrubber } from "./scrubber.js";
import { SearchField } from "./search.js";
import { anchorOf, defaults, fragment } from "./settings.js";
import { Status } from "./status.js";
import { text as translated, translate } from "./texts.js";
import { Toast } from "./toast.js";

/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {import("./gallery.js").Anchor} Anchor */
/** @typedef {import("./gallery.js").Place} Place */
/** @typedef {import("./tiles.js").Photo} Photo */
/** @typedef {{settings: Settings, chosen: Promise<import("./opening.js").Chosen>, isShown: Promise<boolean>}} First The first
 *   screen: what it shows, and whether that is shown. */

/** The time before looking again for streams while there are none, in milliseconds. */
const emptyWait = 3_000;
/** The time without another change of the window's size after which the layout is opened for it, in milliseconds. */
const resizeWait = 120;
/** The note about a link to a photo that no longer exists. */
const lostPhoto = "The photo of this link is no longer in this stream.";

const element = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));

export class Page {
  /** The last announcement about a search. */
  #announced = "";
  /** The search that the server has refused: until another one, the earlier photos are shown.
   * @type {string | null} */
  #refused = null;
  /** The opening for the last search. */
  #searching = Promise.resolve();
  /** The stream whose rights are known, or requested. */
  #rights = { stream: "", isKnown: Promise.resolve() };
  /** @param {import("./gallery.js").Gallery} gallery
   * @param {import("./photostream.js").PhotoStreamClient} client
   * @param {First} first */
  constructor(gallery, client, first) {
    translate(document);
    this.gallery = gallery;
    this.client = client;
    this.status = new Status();
    this.address = new Address({
      anchor: () => gallery.anchor(),
      onTravel: (before) => this.#travelled(before),
      onPaste: () => this.#pasted(),
      onEndSelection: () => gallery.selection.clear(),
    });
    this.connection = new Connection(client, gallery, this.status, {
      onChange: async (revision, changes) => {
        this.later.editing?.deleted.follow(changes);
        await this.news.refresh(changes, revision);
      },
      onResync: async (state) => {
        this.later.editing?.deleted.follow(null);
        if (state !== gallery.state) await this.news.refresh(null);
      },
      onGone: (error) => this.#failed(error),
      open: () => { void this.#reopen(); },
    });
    this.news = new News(gallery, this.status, {
      open: (anchor) => this.#open({ anchor }),
      onUpdate: () => this.#updated(),
      onBehind: () => this.connection.later(() => this.news.refresh(null)),
      onFailure: (error) => this.#failed(error),
    });
    preparePrinting(element("scroller"), element("photos"));
    this.toast = new Toast(element("toast"));
    const searchBox = /** @type {HTMLElement} */ (document.querySelector(".search"));
    this.searchField = new SearchField(searchBox, {
      onSearch: (condition) => this.#search(condition),
      onLeave: async () => {
        element("scroller").focus({ preventScroll: true });
        await this.#searching;
        if (document.activeElement === element("scroller")) this.#focusPhotos();
      },
    });
    this.facets = new FacetPanel(searchBox, client, (where) => this.searchField.narrow(where));
    this.scrubber = new Scrubber(element("scrubber"), { onMove: (offset) => gallery.view.viewport.scrollTo(offset) });
    this.controls = new Controls(element("controls"), {
      onChange: (changed) => this.#change(changed),
      onDate: (day) => this.later.go(({ goToDay }) => goToDay(gallery, day, this.toast)),
      onNumber: (number) => this.later.go(({ goToNumber }) => goToNumber(gallery, Math.round(number), this.toast)),
    });
    element("show-keys").addEventListener("click", () => {
      element("view").hidePopover();
      void this.later.showKeys();
    });
    /** @type {Later} */
    this.later = new Later({
      client, gallery, address: this.address, news: this.news, status: this.status, toast: this.toast,
      canMove: () => this.#canMove,
      onMove: (photo, to, side) => { void this.#move(photo, to, side); },
      onDelete: (id) => { void this.#deleteShown(id); },
      onArchive: (id, isArchived) => { void this.#archiveShown(id, isArchived); },
      onSignIn: () => {
        // Another token may have other rights.
        this.#rights.stream = "";
        void this.#reopen();
      },
      openPhoto: (id) => this.#openPhoto(id, { isNew: false }),
      focus: (id, focused, how) => this.#focusUnlessMoved(id, focused, how),
      onFailure: (error) => this.#report(error),
    });
    this.#takeGallery();
    this.#followWindow();
    this.#takeKeys();
    const isFirst = fragment(this.address.settings) === fragment(first.settings);
    void this.#open({ first: isFirst ? first : undefined });
  }

  #takeGallery() {
    const { gallery, status } = this;
    gallery.handlers = {
      onScroll: () => {
        this.#showPlace();
        this.scrubber.awaken();
      },
      onKnown: () => this.#showPlace(),
      onRest: () => {
        if (gallery.view.viewport.offset < 1) this.news.clear();
        this.address.keepPlace(gallery.place());
      },
      onOpen: (photo) => { void this.#openPhoto(photo.id); },
      onFailure: (error) => {
        if (error instanceof Problem && error.status === 401) this.#failed(error);
        else status.setOffline(true);
      },
      onRecovery: () => this.connection.recovered(),
      onOtherRevision: () => { void this.news.refresh(null); },
      address: (photo) => fragment({ ...this.address.settings, photo: photo.id }),
      onSelect: (text) => this.#showSelection(text),
      onDelete: (photo) => { void this.#delete(gallery.selection.isActive ? [...gallery.selection.ids] : [photo.id]); },
      onArchive: (photo) => { void this.#archive(gallery.selection.isActive ? [...gallery.selection.ids] : [photo.id]); },
      onMove: (photo, to) => { void this.#move(photo, to, to.index > photo.index ? "after" : "before"); },
      onPlace: (place) => this.address.replace(place),
    };
    element("selection").addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      if (button?.classList.contains("clear")) {
        gallery.selection.clear();
        this.#focusPhotos();
      } else if (button?.classList.contains("archive")) void this.#archive([...gallery.selection.ids]);
      else if (button) void this.#delete([...gallery.selection.ids]);
    });
    element("selection").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Delete") void this.#delete([...gallery.selection.ids]);
      if (event.key === "a" && !event.ctrlKey && !event.metaKey && !event.altKey) void this.#archive([...gallery.selection.ids]);
    });
  }

  /** Opens the layout again when the window has another size. */
  #followWindow() {
    const { gallery, gallery: { view: { viewport } } } = this;
    const sizeOfWindow = () => `${viewport.width} ${viewport.height} ${window.devicePixelRatio}`;
    let size = sizeOfWindow();
    let timer = 0;
    element("scroller").addEventListener("wheel", (/** @type {WheelEvent} */ event) => {
      const { left, top } = element("scroller").getBoundingClientRect();
      // The browser zooms the page: the photo under the pointer stays there.
      if (event.ctrlKey && !gallery.source?.isMap) gallery.anchorUnder({ x: event.clientX - left, y: event.clientY - top });
    }, { passive: true });
    new ResizeObserver(() => {
      clearTimeout(timer);
      // While an open picture is printed, no photos are shown.
      if (element("scroller").clientWidth === 0) return;
      // The middle of the window as it was.
      const anchor = gallery.anchor();
      viewport.measure();
      if (!gallery.opened) size = sizeOfWindow();
      if (sizeOfWindow() === size) return;
      timer = window.setTimeout(() => {
        size = sizeOfWindow();
        void this.#open({ anchor });
      }, resizeWait);
    }).observe(element("scroller"));
  }

  #takeKeys() {
    const { gallery, gallery: { selection, view: { viewport } } } = this;
    element("skip").addEventListener("click", () => this.#focusPhotos());
    // The browser knows only the part of the stream that is in the scrolled element.
    element("scroller").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.target !== event.currentTarget || (event.key !== "Home" && event.key !== "End")) return;
      event.preventDefault();
      viewport.scrollTo(event.key === "Home" ? 0 : viewport.maximumOffset);
    });
    document.addEventListener("keydown", (event) => {
      const { stream, search } = this.address.settings;
      const canSelect = selection.isEnabled && !gallery.source?.isMap;
      const isWriting = event.target instanceof Element && event.target.closest("input:not([type=radio]), textarea, select");
      const hasCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (event.defaultPrevented || isWriting || this.later.editing?.deleted.isOpen) return;
      if (hasCommand && event.key.toLowerCase() === "z" && stream) this.later.editing?.actions.undo(stream);
      else if (event.key === "?" && !document.querySelector("dialog[open]:not(#lightbox)")) void this.later.showKeys();
      else if (hasCommand && event.key.toLowerCase() === "a" && canSelect && !document.querySelector("dialog[open]")) {
        void selection.selectAll();
      } else if (this.later.lightbox?.isOpen || event.ctrlKey || event.metaKey || event.altKey) return;
      else if (event.key === "/" && !selection.isActive) this.searchField.focus();
      else if (event.key === "Escape" && selection.isActive) selection.clear();
      else if (event.key === "Escape" && search !== null && !document.querySelector(":popover-open")) this.searchField.clear();
      else return;
      event.preventDefault();
    });
  }

  // Opening

  /** Opens the layout of the settings.
   * @param {{animated?: boolean, anchor?: Anchor | Place | null, first?: First}} how `anchor` is the place to show, by default
   *   that of the settings; `first` is the first screen, if it shows the same. */
  async #open({ animated, anchor, first } = {}) {
    const { address, client, controls, gallery, status } = this;
    document.documentElement.dir = address.settings.direction;
    document.documentElement.classList.add("ready");
    if (!gallery.opened) status.loading();
    this.#showBusy(gallery.opened !== null && !this.#isShownOf(this.#shown));
    try {
      const { stream, sections, streams } = await (first?.chosen ?? choose(address.settings));
      // Another stream was opened in the meantime.
      if (address.settings.stream && address.settings.stream !== stream) return;
      if (streams) controls.showStreams(streams, stream);
      if (!stream) {
        status.empty(null);
        this.connection.later(() => this.#open(), emptyWait);
        return;
      }
      address.replace({ stream, sections: address.settings.sections ?? sections });
      const { settings } = address;
      controls.show(settings);
      this.searchField.show(settings.search);
      const isShown = first?.isShown ?? gallery.open(this.#shown, anchor === undefined ? anchorOf(settings) : anchor, { animated });
      if (!await isShown) return;
      this.#showBusy(false);
      this.#opened(stream);
      if (controls.stream.options.length === 0) controls.showStreams((await client.streams()).streams, settings.stream);
    } catch (error) {
      this.#showBusy(false);
      this.facets.follow(null);
      this.#failed(error);
    }
  }

  /** The settings that can be shown: those of the address, with the search of the photos on the page in place of a refused one. */
  get #shown() {
    const { address: { settings }, gallery: { source, search } } = this;
    const isRefused = settings.search !== null && settings.search === this.#refused && settings.stream === source?.stream;
    return isRefused ? { ...settings, search } : settings;
  }

  /** Whether the photos that are shown are those of a stream and a search. */
  #isShownOf(/** @type {Settings} */ { stream, search }) {
    const { source } = this.gallery;
    return source !== null && source.stream === (stream ?? source.stream) && this.gallery.search === search;
  }

  /** Shows whether the photos on the page are those of an earlier stream or search. */
  #showBusy(/** @type {boolean} */ isBusy) {
    const { searchField, address: { settings: { search } } } = this;
    element("photos").setAttribute("aria-busy", String(isBusy));
    if (!isBusy) return;
    this.controls.showCount(null);
    searchField.showSearching(search !== null);
    this.facets.follow(undefined);
    this.#announced = "";
    if (search !== null) this.status.announce(translated("Searching…"));
  }

  /** Opens the layout again, at the same place. */
  #reopen() {
    return this.#open({ anchor: this.gallery.opened ? this.gallery.anchor() : undefined });
  }

  #opened(/** @type {string} */ stream) {
    window.localStorage.setItem("stream", stream);
    this.connection.opened();
    // So that the scrolling keys work.
    if (document.activeElement === document.body) {
      if (this.gallery.source?.isMap) this.#focusPhotos();
      else element("scroller").focus({ preventScroll: true });
    }
    document.title = `${stream} – PhotoStream`;
    this.controls.stream.value = stream;
    if (this.#shown === this.address.settings) {
      this.#refused = null;
      this.searchField.showProblem("");
    }
    void this.#learnRights(stream);
    void this.later.loadAll(this.#rights.isKnown);
    this.#updated();
    const { photo } = this.address.settings;
    if (this.gallery.opened?.isLost && !photo) this.toast.show(translated(lostPhoto));
    if (photo && this.later.lightbox?.shown !== photo) void this.#openPhoto(photo, { isNew: false });
  }

  /** Shows the state of the layout that is shown now. */
  #updated() {
    const { gallery } = this;
    this.#showCount();
    this.#showPlace();
    void this.#showStops();
    this.#showFacets();
    const { source, count } = gallery.among;
    if (source) void this.later.lightbox?.follow(source, count);
  }

  /** Shows what the photos have in common, unless another search is in the field. */
  #showFacets() {
    const { gallery: { source, search }, address: { settings } } = this;
    if (!source || search !== settings.search || source.stream !== settings.stream) return;
    this.facets.follow({ stream: source.stream, state: source.state, where: search ?? undefined });
  }

  #showCount() {
    const { gallery: { count, search }, searchField, status } = this;
    this.controls.showCount(search === null ? count : null);
    const found = searchField.showFound(search === null ? null : count);
    if (found && found !== this.#announced) status.announce(found);
    this.#announced = found;
    element("photos").setAttribute("aria-label", `${this.address.settings.stream}, ${found || photos(count)}`);
    if (count > 0) status.ready();
    else if (search !== null) status.nothingFound(search, () => searchField.clear());
    else void this.#showEmpty(/** @type {string} */ (this.address.settings.stream));
  }

  /** Shows that a stream is empty, as soon as it is known whether photos can be added. */
  async #showEmpty(/** @type {string} */ stream) {
    await this.#learnRights(stream);
    const { settings } = this.address;
    if (this.gallery.count > 0 || stream !== settings.stream || settings.search !== null) return;
    const uploads = this.later.editing?.uploads;
    this.status.empty(stream, uploads?.takesPictures ? () => uploads.choose() : undefined);
  }

  /** Requests whether the photos of a stream can be edited, and shows the controls for that. */
  #learnRights(/** @type {string} */ stream) {
    if (stream !== this.#rights.stream) this.#rights = { stream, isKnown: this.#requestRights(stream) };
    return this.#rights.isKnown;
  }

  async #requestRights(/** @type {string} */ stream) {
    const [{ canEdit = false, canUpload = false, where }, editing] = await Promise.all([
      this.client.stream(stream).catch(() => {
        this.#rights.stream = "";
        return { canEdit: false, canUpload: false, where: undefined };
      }),
      this.later.edit(),
    ]);
    if (stream !== this.address.settings.stream) return;
    editing.allow({ canEdit, canUpload, canMove: canEdit && where === undefined });
    this.gallery.selection.isEnabled = canEdit;
    if (this.later.lightbox) this.later.lightbox.canEdit = canEdit;
    // The stacks of a kept view are those of its stream.
    document.documentElement.classList.toggle("can-stack", canEdit && where === undefined);
    document.documentElement.classList.toggle("can-edit", canEdit);
  }

  /** Shows a failure; one that may be temporary leads to another attempt. */
  #failed(/** @type {unknown} */ error) {
    const { status, gallery, controls, address: { settings } } = this;
    const isLasting = error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 429
      && error.kind !== "outdated";
    if (!isLasting) return this.connection.failed(error);
    if (error.parameter === "where") return this.#refuse(error.message);
    this.connection.stop();
    if (error.status === 401) {
      // The photos stay, at the same place.
      if (!gallery.opened) status.ready();
      return void this.later.signIn().then((signIn) => signIn.ask());
    }
    if (error.kind === "share-ended") return status.ended(error.message);
    const unknown = () => translated("There is no stream named “{name}”.", { name: settings.stream ?? "" });
    status.failed(error.kind === "unknown-stream" ? unknown() : error.message, {
      text: translated("Show another stream"), onPress: () => this.#change({ ...defaults, direction: settings.direction }),
    });
    controls.showCount(null);
    gallery.view.cells.clear();
    this.client.streams().then(({ streams }) => controls.showStreams(streams, this.address.settings.stream), () => {});
  }

  /** Shows why a search is refused, and the earlier photos. */
  #refuse(/** @type {string} */ sentence) {
    const { status, gallery, searchField } = this;
    if (!gallery.opened) {
      return status.failed(sentence, { text: translated("Show all photos"), onPress: () => searchField.clear() });
    }
    this.#refused = this.address.settings.search;
    this.#showCount();
    searchField.showProblem(sentence);
    status.announce(sentence);
  }

  #report(/** @type {unknown} */ error) {
    this.status.announce(error instanceof Error ? error.message : translated("Something went wrong"));
  }

  // Other settings

  /** Shows other settings, at the same photo. */
  #change(/** @type {Partial<Settings>} */ changed) {
    const anchor = this.gallery.anchor();
    const isOtherStream = this.address.change(changed);
    if (isOtherStream) {
      this.news.clear();
      this.gallery.selection.clear();
    }
    void this.#open({ animated: !isOtherStream, anchor: isOtherStream ? null : anchor });
  }

  /** Shows the photos that meet a condition, or all of them again, at the place from which the search began. */
  #search(/** @type {string | null} */ condition) {
    if (condition === this.address.settings.search) return;
    const anchor = this.address.search(condition, { anchor: this.gallery.anchor(), place: this.gallery.place() });
    this.gallery.selection.clear();
    this.news.clear();
    this.#searching = this.#open({ anchor });
  }

  /** Shows the settings of another entry of the history. */
  #travelled(/** @type {Settings} */ before) {
    const { address, address: { settings } } = this;
    if (before.search !== settings.search || before.stream !== settings.stream) this.gallery.selection.clear();
    if (settings.photo === null) this.later.lightbox?.close();
    if (!address.hasLayoutOf(before)) void this.#open();
    else {
      // The entry may be from before the window was scrolled.
      if (this.gallery.opened) address.keepPlace(this.gallery.place());
      if (settings.photo) void this.#openPhoto(settings.photo, { isNew: false });
    }
  }

  /** Shows an address that was entered, as a new tab does. */
  #pasted() {
    const { gallery, later: { lightbox }, address: { settings } } = this;
    gallery.selection.clear();
    this.news.clear();
    if (settings.photo === null) lightbox?.discard();
    void this.#open();
  }

  // The place

  #showPlace() {
    const { view: { viewport }, source } = this.gallery;
    this.scrubber.show({
      offset: viewport.offset, window: viewport.height, height: source?.isMap ? 0 : viewport.contentSize.height,
      day: this.gallery.view.dayAtTop,
    });
  }

  async #showStops() {
    const { source, opened } = this.gallery;
    if (!source || !opened) return;
    element("scrubber").hidden = source.isMap;
    if (source.isMap) return;
    try {
      const { stops } = await this.client.scrubber(source.stream, source.options, { steps: 200 });
      if (this.gallery.source === source) this.scrubber.setStops(stops, opened.contentSize.height);
      this.#showPlace();
    } catch {
      // The scroll bar works without dates.
    }
  }

  #focusPhotos() {
    const map = this.gallery.source?.isMap ? document.querySelector("#map .window") : null;
    (map ?? document.querySelector('#photos a[tabindex="0"]') ?? element("scroller")).focus({ preventScroll: true });
  }

  /** Gives a photo the focus, unless the person has moved it since an action began. */
  async #focusUnlessMoved(/** @type {string} */ id, /** @type {Element | null} */ focused, how = {}) {
    const now = document.activeElement;
    if (now === focused || now === document.body || now === element("scroller")) await this.gallery.focus({ id }, how);
  }

  // Photos

  async #openPhoto(/** @type {string} */ id, { isNew = true } = {}) {
    const { gallery } = this;
    if (!gallery.source) return;
    if (isNew) this.address.pushPhoto(id);
    else this.address.replace({ photo: id });
    const lightbox = await this.later.photo();
    const { source, count } = gallery.among;
    // It was closed in the meantime.
    if (!source || this.address.settings.photo !== id) return;
    if (await lightbox.open(source, id, count)) return;
    lightbox.close();
    this.toast.show(translated(lostPhoto));
  }

  #showSelection(/** @type {string} */ what) {
    const bar = element("selection");
    const number = this.gallery.selection.ids.size;
    bar.hidden = number === 0;
    if (number > 0) this.address.beginSelection();
    else this.address.endSelection();
    const text = selected(number);
    bar.querySelector(".number").textContent = text;
    this.status.announce(number === 0 ? translated("Nothing selected") : what ? `${what}, ${text}` : text);
  }

  #delete(/** @type {string[]} */ ids) {
    return this.#changeSelected(ids, (actions, stream) => actions.delete(stream, ids));
  }

  /** Archives those photos that are not archived, or takes them all out of the archive if there are none. */
  #archive(/** @type {string[]} */ ids) {
    return this.#changeSelected(ids, async (actions, stream) => {
      // Without those that others have deleted, or that another key press has just changed.
      const items = await this.gallery.items(ids, ["photo", "archived"]).catch((error) => { this.#report(error); return []; });
      const others = items.filter(({ archived }) => !archived);
      const changed = (others.length ? others : items).map(({ photo = "" }) => photo);
      return changed.length ? actions.archive(stream, changed, others.length > 0) : [];
    });
  }

  /** Does something with photos that are selected, or with the one that has the focus.
   * @param {string[]} ids
   * @param {(actions: import("./actions.js").Actions, stream: string) => Promise<unknown>} change */
  async #changeSelected(ids, change) {
    const { source, selection } = this.gallery;
    if (!source || !selection.isEnabled || ids.length === 0) return;
    const isInBar = element("selection").contains(document.activeElement);
    const { actions } = this.later.editing ?? {};
    if (actions) await change(actions, source.stream);
    // The bar disappears with the selection.
    if (isInBar && !selection.isActive) this.#focusPhotos();
  }

  /** Deletes the photo in the lightbox, which then shows the next one. */
  async #deleteShown(/** @type {string} */ id) {
    const { source } = this.gallery;
    if (!source) return;
    await this.later.lightbox?.stepAway();
    const [deleted] = await this.later.editing?.actions.delete(source.stream, [id]) ?? [];
    if (!deleted) await this.#openPhoto(id, { isNew: !this.later.lightbox?.isOpen });
  }

  /** Archives the photo in the lightbox, or takes it out of the archive; the next one is shown then. */
  async #archiveShown(/** @type {string} */ id, /** @type {boolean} */ isArchived) {
    const { source } = this.gallery;
    if (!source) return;
    await this.later.lightbox?.stepAway();
    const [changed] = await this.later.editing?.actions.archive(source.stream, [id], isArchived) ?? [];
    if (!changed) await this.#openPhoto(id, { isNew: !this.later.lightbox?.isOpen });
  }

  get #canMove() {
    const { source } = this.gallery;
    return source !== null && !source.isMap && this.gallery.search === null;
  }

  /** Moves a photo, or all that are selected if it is one of them, to a side of another photo. */
  async #move(/** @type {Photo} */ photo, /** @type {Photo} */ to, /** @type {"before" | "after"} */ side) {
    const { gallery, gallery: { source, selection: { ids } } } = this;
    if (!source || !this.#canMove) {
      this.status.announce(translated("Photos cannot be moved on the map or in search results"));
      return;
    }
    const isWhole = ids.has(photo.id) && ids.size <= 1_000;
    if (isWhole && ids.has(to.id)) return;
    const items = isWhole ? await gallery.items([...ids], ["photo", "index"]) : [];
    const moved = items.sort((a, b) => (a.index ?? 0) - (b.index ?? 0)).map(({ photo: id }) => id ?? "");
    const where = side === "after" ? { after: to.id } : { before: to.id };
    await this.later.editing?.actions.move(source, photo, isWhole ? moved : [photo.id], where);
  }
}
