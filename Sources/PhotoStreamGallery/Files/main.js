// @ts-check
/** The page: joins the parts, and keeps the address equal to what is shown. */

import { Actions, selected } from "./actions.js";
import { Controls } from "./controls.js";
import { photos } from "./dates.js";
import { DeletedPhotos } from "./deleted.js";
import { Dragging } from "./dragging.js";
import { anchorOf, gallery, takeFirst } from "./first-screen.js";
import { clamp } from "./geometry.js";
import { Lightbox } from "./lightbox.js";
import { Live } from "./live.js";
import { choose, client } from "./opening.js";
import { Panning } from "./panning.js";
import { Problem } from "./photostream.js";
import { Scrubber } from "./scrubber.js";
import { Matches, SearchField } from "./search.js";
import { defaults, fragment, parse, zoomRange } from "./settings.js";
import { SignIn } from "./signin.js";
import { Status } from "./status.js";
import { OtherRevision } from "./tiles.js";
import { Toast } from "./toast.js";
import { Uploads } from "./uploads.js";

/** @typedef {import("./settings.js").Settings} Settings */

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const status = new Status();
let settings = parse(window.location.hash);
/** The photos that were added above the window since it was there. @type {Set<string>} */
const news = new Set();
/** The number of those whose ids are not known, as there were too many at once. */
let otherNews = 0;
/** The revision of a stream up to which changes have been looked through for news. */
const counted = { stream: "", revision: 0 };
/** The photos that this page itself brought back: they are not news.
 * @type {Set<string>} */
const restored = new Set();
let isConnected = true;
/** The stream that is known to allow writing, or not to. */
let knownStream = "";
/** The place in the stream from which a search began.
 * @type {import("./gallery.js").Anchor | null} */
let placeBefore = null;
/** The search that is on its way. */
let searching = Promise.resolve();
/** Whether the lightbox was opened from the gallery, so that "back" closes it. */
let isPushed = false;
/** The next attempt after a failure, and the time until then, in milliseconds. */
let retryTimer = 0;
let retryTime = 1_000;

gallery.handlers = {
  onScroll: () => {
    showPlace();
    scrubber.awaken();
  },
  onRest: () => {
    if (gallery.viewport.offset < 1) clearNews();
    savePlace();
  },
  onOpen: (photo) => openPhoto(photo.id),
  onFailure: (error) => {
    if (error instanceof Problem && error.status === 401) return failed(error);
    status.setOffline(true);
    isConnected = false;
  },
  onRecovery: () => {
    if (!isConnected && navigator.onLine) status.setOffline(false);
    isConnected = true;
  },
  onOtherRevision: () => { void refresh(null); },
  address: (photo) => fragment({ ...settings, photo: photo.id }),
  onSelect: (text) => showSelection(text),
  onDelete: (photo) => remove(gallery.selection.isActive ? [...gallery.selection.ids] : [photo.id]),
  onMove: (photo, to) => { void move(photo, to, to.index > photo.index ? "after" : "before"); },
};
const { selection } = gallery;
const toast = new Toast(element("toast"));
const dragging = new Dragging(element("photos"), element("drop"), gallery, {
  canMove: () => gallery.source !== null && !gallery.source.isMap && gallery.source.search === null,
  onMove: (photo, to, side) => { void move(photo, to, side); },
});
new Panning(element("scroller"), {
  isMap: () => gallery.source?.isMap ?? false,
  onZoom: (levels) => change({ zoom: settings.zoom + levels }),
});

const actions = new Actions(client, toast, {
  onDeleted: (ids) => {
    selection.forget(ids);
    return refresh(ids.map((id) => ({ change: /** @type {const} */ ("deleted"), id })));
  },
  onRestored: async (ids, focused) => {
    for (const id of ids) restored.add(id);
    await refresh([]);
    if (deletedPhotos.isOpen) return;
    if (lightbox.isOpen) await openPhoto(ids[0], { isNew: false });
    else await focusUnlessMoved(ids[0], focused, { isLenient: true });
  },
  onMoved: async (ids, focused) => {
    await refresh([]);
    await focusUnlessMoved(ids[0], focused);
  },
});

const uploads = new Uploads(
  {
    buttons: ["add", "add-in-menu"].map((id) => /** @type {HTMLButtonElement} */ (element(id))),
    input: /** @type {HTMLInputElement} */ (element("files")), zone: element("dropzone"),
  },
  client, toast, {
    stream: () => settings.stream,
    onAdded: () => refresh([]),
    onShow: (id) => { void gallery.focus({ id }, { isLenient: true }); },
  });

const deletedPhotos = new DeletedPhotos(
  /** @type {HTMLDialogElement} */ (element("deleted")), /** @type {HTMLButtonElement} */ (element("show-deleted")), client, {
    stream: () => settings.stream,
    onRestore: (stream, ids) => actions.restore(stream, ids, document.activeElement),
    onClose: (id) => {
      toast.goHome();
      if (id !== null) void gallery.focus({ id }, { isLenient: true });
      else /** @type {HTMLElement} */ (document.querySelector("[popovertarget=view]")).focus();
    },
  });

const signIn = new SignIn(
  {
    dialog: /** @type {HTMLDialogElement} */ (element("sign-in")),
    out: /** @type {HTMLButtonElement} */ (element("sign-out")),
  },
  client,
  () => {
    // Another token may have other rights.
    knownStream = "";
    void open({ anchor: gallery.opened ? gallery.anchor() : undefined });
  });

const searchField = new SearchField(/** @type {HTMLElement} */ (document.querySelector(".search")), {
  onSearch: (text) => search(text),
  onLeave: async () => {
    element("scroller").focus({ preventScroll: true });
    await searching;
    if (document.activeElement === element("scroller")) focusPhotos();
  },
});

const scrubber = new Scrubber(element("scrubber"), { onMove: (offset) => gallery.viewport.scrollTo(offset) });

const lightbox = new Lightbox(/** @type {HTMLDialogElement} */ (element("lightbox")), client, {
  onShow: (item) => {
    settings.photo = item.photo ?? null;
    window.history.replaceState(window.history.state, "", fragment(settings));
  },
  onClose: (item) => {
    const isBack = settings.photo === null;
    settings.photo = null;
    if (!isBack && isPushed) window.history.back();
    else if (!isBack) window.history.replaceState(null, "", fragment(settings));
    isPushed = false;
    toast.goHome();
    if (item?.photo) void gallery.focus({ id: item.photo }, { isLenient: true });
  },
  announce: (text) => status.announce(text),
  thumbnail: (item) => gallery.cells.byID.get(item.photo ?? "")?.shown ?? "",
  onDelete: (id) => { void removeShown(id); },
  onEdited: () => refresh([]),
});

const controls = new Controls(/** @type {HTMLFormElement} */ (element("controls")), {
  onChange: (changed) => change(changed),
  onDate: (day) => goToDate(day).catch(report),
  onNumber: (number) => {
    gallery.reveal({ index: clamp(Math.round(number) - 1, 0, gallery.count - 1) }, { atTop: true }).catch(report);
  },
});

const live = new Live(client, {
  // A page that has searched already knows the revision need not search again.
  onChange: (revision, changes) => {
    deletedPhotos.follow(changes);
    return settings.search !== null && revision <= gallery.revision ? Promise.resolve() : refresh(changes, revision);
  },
  onResync: (state) => {
    deletedPhotos.follow(null);
    return state === gallery.state ? Promise.resolve() : refresh(null);
  },
  onPictures: () => gallery.refreshPictures(),
  onGone: (error) => failed(error),
  onConnection: (connected) => {
    // Events are interrupted at once when the server ends; when they are back, so is everything else.
    status.setOffline(!connected);
    isConnected = connected;
    if (connected) gallery.retry();
  },
});

// Opening

/** Opens what the settings say. */
async function open(/** @type {{animated?: boolean, anchor?: import("./gallery.js").Anchor | null}} */ how = {}) {
  document.documentElement.dir = settings.direction;
  document.documentElement.classList.add("ready");
  if (!gallery.opened) status.loading();
  try {
    const first = takeFirst(settings);
    const { stream, sections, streams } = await (first?.chosen ?? choose(settings));
    // Another stream was opened in the meantime.
    if (settings.stream && settings.stream !== stream) return;
    const isComplete = settings.stream && settings.sections;
    settings.stream = stream;
    settings.sections ??= sections;
    if (streams) controls.showStreams(streams, stream);
    if (!stream) {
      status.empty(null);
      lookAgain();
      return;
    }
    if (!isComplete) window.history.replaceState(window.history.state, "", fragment(settings));
    controls.show(settings);
    searchField.show(settings.search);
    const anchor = how.anchor !== undefined ? how.anchor : anchorOf(settings);
    if (!await (first?.isShown ?? gallery.open(settings, anchor, { animated: how.animated }))) return;
    opened();
    if (controls.stream.options.length === 0) controls.showStreams((await client.streams()).streams, settings.stream);
  } catch (error) {
    failed(error);
  }
}

/** Takes note of a layout that is now shown. */
function opened() {
  const stream = /** @type {string} */ (settings.stream);
  window.localStorage.setItem("stream", stream);
  status.setOffline(false);
  isConnected = true;
  clearTimeout(retryTimer);
  retryTime = 1_000;
  // So that the keys that scroll do.
  if (document.activeElement === document.body) element("scroller").focus({ preventScroll: true });
  document.title = `${stream} – PhotoStream`;
  controls.stream.value = stream;
  showCount();
  void learnWhetherEditable(stream);
  void signIn.learn();
  if (!document.hidden) live.start(stream, gallery.state);
  void showStops();
  showPlace();
  if (settings.photo && !lightbox.isOpen) void openPhoto(settings.photo, { isNew: false });
  else if (gallery.source) void lightbox.follow(gallery.source, gallery.count);
}

function showCount() {
  const { source, count } = gallery;
  const matches = source?.reader instanceof Matches ? source.reader : null;
  controls.showCount(matches ? null : count);
  const found = searchField.showFound(matches && count, matches?.isComplete ?? true);
  if (found && found !== announced) status.announce(found);
  announced = found;
  element("photos").setAttribute("aria-label", `${settings.stream}, ${found || photos(count)}`);
  if (count > 0) status.ready();
  else if (matches) status.nothingFound(source?.search ?? "", () => searchField.clear());
  else void showEmpty(/** @type {string} */ (settings.stream));
}

/** Shows that a stream has no photos, once it is known whether some can be added. */
async function showEmpty(/** @type {string} */ stream) {
  await learnWhetherEditable(stream);
  if (gallery.count > 0 || stream !== settings.stream || settings.search !== null) return;
  status.empty(stream, uploads.takesPictures ? () => uploads.choose() : undefined);
}

/** What was last said about a search. */
let announced = "";

/** Finds out whether photos of a stream can be edited, and shows what only then makes sense. */
function learnWhetherEditable(/** @type {string} */ stream) {
  if (stream !== knownStream) learning = learn(stream);
  return learning;
}
/** Ends when the last stream is known. */
let learning = Promise.resolve();

async function learn(/** @type {string} */ stream) {
  knownStream = stream;
  const { canEdit = false, canUpload = false } = await client.stream(stream).catch(() => {
    knownStream = "";
    return { canEdit: false, canUpload: false };
  });
  if (stream !== settings.stream) return;
  uploads.allow({ canEdit, canUpload });
  selection.isEnabled = canEdit;
  dragging.isEnabled = canEdit;
  lightbox.canEdit = canEdit;
  document.documentElement.classList.toggle("can-edit", canEdit);
}

/** Shows a failure, and tries again by itself if the server may come back. */
function failed(/** @type {unknown} */ error) {
  if (settings.search !== null && error instanceof Problem && error.parameter === "text") {
    status.failed(error.message, () => searchField.clear());
    status.button.textContent = "Show all photos";
    return;
  }
  if (error instanceof Problem && error.status === 401) {
    // What is shown stays, and so does its place.
    live.stop();
    if (!gallery.opened) status.ready();
    return signIn.ask();
  }
  const isLasting = error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 429
    && error.kind !== "outdated";
  if (error instanceof Problem && error.kind === "share-ended") {
    live.stop();
    return status.ended(error.message);
  }
  if (isLasting) {
    const text = error instanceof Problem && error.kind === "unknown-stream"
      ? `There is no stream named “${settings.stream}”.` : /** @type {Error} */ (error).message;
    status.failed(text, () => change({ ...defaults, direction: settings.direction }));
    status.button.textContent = "Show another stream";
    controls.showCount(null);
    live.stop();
    gallery.cells.clear();
    client.streams().then(({ streams }) => controls.showStreams(streams, settings.stream), () => {});
    return;
  }
  if (gallery.opened) {
    // A stream that changes faster than it can be asked about is reached all the same.
    if (!(error instanceof OtherRevision)) status.setOffline(true);
  } else {
    status.failed("The server does not answer. Trying again…", () => open());
    status.button.textContent = "Try again now";
  }
  clearTimeout(retryTimer);
  retryTimer = window.setTimeout(() => open({ anchor: gallery.opened ? gallery.anchor() : undefined }), retryTime);
  retryTime = Math.min(10_000, retryTime * 1.5);
}

/** Looks for streams from time to time while there are none. */
function lookAgain() {
  clearTimeout(retryTimer);
  retryTimer = window.setTimeout(() => open(), 3_000);
}

/** Shows other settings, at the same photo. */
function change(/** @type {Partial<Settings>} */ changed) {
  const isOtherStream = changed.stream !== undefined && changed.stream !== settings.stream;
  const isSliding = "size" in changed || "spacing" in changed;
  const anchor = isOtherStream ? null : gallery.anchor();
  settings = { ...settings, ...changed };
  settings.zoom = clamp(settings.zoom, zoomRange.least, zoomRange.most);
  if (isOtherStream) {
    clearNews();
    selection.clear();
    placeBefore = null;
    Object.assign(settings, { at: null, offset: 0, across: 0, photo: null, sections: null, search: null });
  }
  if (isSliding) window.history.replaceState(window.history.state, "", fragment(settings));
  else window.history.pushState(null, "", fragment(settings));
  void open({ animated: !isOtherStream, anchor });
}

// Search

/** Shows the photos with a text, or all again, at the place from which the search began. */
function search(/** @type {string | null} */ text) {
  if (text === settings.search) return;
  const isNew = settings.search === null || text === null;
  if (settings.search === null) {
    savePlace();
    placeBefore = gallery.anchor();
  }
  selection.clear();
  clearNews();
  settings = { ...settings, search: text, at: null, offset: 0, across: 0 };
  if (isNew) window.history.pushState(null, "", fragment(settings));
  else window.history.replaceState(window.history.state, "", fragment(settings));
  const anchor = text === null ? placeBefore : null;
  if (text === null) placeBefore = null;
  searching = open({ anchor });
}

function focusPhotos() {
  const link = /** @type {HTMLElement | null} */ (document.querySelector('#photos a[tabindex="0"]'));
  (link ?? element("scroller")).focus({ preventScroll: true });
}

/** Gives a photo the focus, unless the person has put it on another element since an action began. */
async function focusUnlessMoved(/** @type {string} */ id, /** @type {Element | null} */ focused, how = {}) {
  const now = document.activeElement;
  if (now === focused || now === document.body || now === element("scroller")) await gallery.focus({ id }, how);
}

// The place

/** Keeps the place in the address: the photo at the top of the window, and its distance. */
function savePlace() {
  const anchor = gallery.anchor();
  settings.at = anchor?.id ?? null;
  settings.offset = anchor?.offset ?? 0;
  settings.across = gallery.source?.isMap ? anchor?.across ?? 0 : 0;
  if (window.location.hash !== fragment(settings)) window.history.replaceState(window.history.state, "", fragment(settings));
}

function showPlace() {
  const { offset, height, contentSize } = gallery.viewport;
  scrubber.show(offset, height, gallery.source?.isMap ? 0 : contentSize.height);
}

async function showStops() {
  const { source, opened: layout } = gallery;
  if (!source || !layout) return;
  element("scrubber").hidden = source.isMap;
  if (source.isMap) return;
  try {
    const { stops } = await source.reader.scrubber(source.stream, source.options, { steps: 200 });
    if (gallery.source === source) scrubber.setStops(stops, layout.contentSize.height);
    showPlace();
  } catch {
    // The bar works without dates.
  }
}

/** Goes to the first photo of a day, or of the one after it in the stream. */
async function goToDate(/** @type {string} */ day) {
  const { source } = gallery;
  if (!source) return;
  if (source.search !== null) return goToMatch(source, day);
  const { order } = await client.stream(source.stream);
  // The sections of the stream by day, of which one is asked for at a time; a grid costs the server nothing.
  const layout = { width: 1_000, algorithm: "grid", sectionBy: "day" };
  const section = async (/** @type {number} */ number) =>
    (await client.layout(source.stream, layout, { fromSection: number, limit: 1 }));
  const isBefore = (/** @type {string} */ id) =>
    id !== "undated" && id !== "all" && (order === "oldest" ? id < day : id.slice(0, 10) > day.slice(0, id.length));
  const total = (await section(0)).sectionCount;
  let [low, high] = [0, total];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { sections: [found] } = await section(middle);
    if (isBefore(found.id)) low = middle + 1;
    else high = middle;
  }
  const { sections: [found] } = await section(Math.min(low, total - 1));
  await gallery.reveal({ index: found.firstIndex }, { atTop: true });
}

/** Goes to the first match of a day, or of the one after it. */
async function goToMatch(/** @type {import("./tiles.js").Source} */ { stream, options, reader }, /** @type {string} */ day) {
  const [{ order }, { items }] = await Promise.all([
    client.stream(stream), reader.items(stream, options, { from: 0, count: 1_000 })]);
  const isReached = (/** @type {string} */ date) => order === "oldest" ? date >= day : date.slice(0, 10) <= day;
  const found = items.find(({ takenAt }) => !takenAt || isReached(takenAt)) ?? items.at(-1);
  if (found) await gallery.reveal({ index: found.index ?? 0 }, { atTop: true });
}

// One photo

async function openPhoto(/** @type {string} */ id, { isNew = true } = {}) {
  if (!gallery.source) return;
  settings.photo = id;
  if (isNew) {
    isPushed = true;
    window.history.pushState(null, "", fragment(settings));
  }
  if (await lightbox.open(gallery.source, id, gallery.count)) return;
  status.announce("The stream has no such photo");
  lightbox.close();
}

// Selecting, deleting and moving

function showSelection(/** @type {string} */ what) {
  const bar = element("selection");
  const number = selection.ids.size;
  bar.hidden = number === 0;
  const text = selected(number);
  /** @type {HTMLElement} */ (bar.querySelector(".number")).textContent = text;
  if (number > 0 || what) status.announce(what && number > 0 ? `${what}, ${text}` : number > 0 ? text : "Nothing selected");
  else status.announce("Selection cleared");
}

async function remove(/** @type {string[]} */ ids) {
  if (!gallery.source || !selection.isEnabled || ids.length === 0) return;
  const isInBar = element("selection").contains(document.activeElement);
  await actions.delete(gallery.source.stream, ids);
  // The bar is gone with the selection.
  if (isInBar && !selection.isActive) focusPhotos();
}

/** Deletes the photo of the lightbox, which goes on with the next one. */
async function removeShown(/** @type {string} */ id) {
  if (!gallery.source) return;
  await lightbox.stepAway();
  const [deleted] = await actions.delete(gallery.source.stream, [id]);
  if (!deleted) await openPhoto(id, { isNew: !lightbox.isOpen });
}

/**
 * Moves a photo, or all that are selected if it is one of them, to a side of another photo.
 *
 * @param {import("./tiles.js").Photo} photo
 * @param {import("./tiles.js").Photo} to
 * @param {"before" | "after"} side
 */
async function move(photo, to, side) {
  const { source } = gallery;
  if (!source || source.isMap || source.search !== null) {
    status.announce("Photos can be moved where all of them are shown in order");
    return;
  }
  const { stream, options, reader } = source;
  const isWhole = selection.ids.has(photo.id) && selection.ids.size <= 1_000;
  if (isWhole && selection.ids.has(to.id)) return;
  const ids = isWhole ? await inOrder([...selection.ids]) : [photo.id];
  const { order } = await client.stream(stream);
  // In an order by date, a photo returns to the place of its date; in a manual one, to its neighbour.
  const { items } = order === "manual" && ids.length === 1 ? await reader.items(
    stream, options, { from: Math.max(0, photo.index - 1), count: 3 }, { fields: ["photo", "index"] }) : { items: [] };
  const beside = items.find(({ photo: id, index = 0 }) => id !== photo.id && index < photo.index) ?? items.find(
    ({ photo: id }) => id !== photo.id);
  const back = order !== "manual" ? { reset: /** @type {const} */ (true) }
    : beside?.photo === undefined ? null
      : (beside.index ?? 0) < photo.index ? { after: beside.photo } : { before: beside.photo };
  await actions.move(stream, ids, side === "after" ? { after: to.id } : { before: to.id }, back);
}

/** Puts ids into the order of the stream. */
async function inOrder(/** @type {string[]} */ ids) {
  if (!gallery.source) return ids;
  const { stream, options, reader } = gallery.source;
  /** @type {import("./photostream.js").PlacedPhoto[]} */
  const all = [];
  for (let from = 0; from < ids.length; from += 200) {
    all.push(...(await reader.items(
      stream, options, { ids: ids.slice(from, from + 200) }, { fields: ["photo", "index"] })).items);
  }
  return all.sort((a, b) => (a.index ?? 0) - (b.index ?? 0)).map(({ photo }) => photo ?? "");
}

// Changes

/** @type {Promise<void>} */
let refreshing = Promise.resolve();
/** Shows the stream as it is now, and counts what is new above: one state after the other.
 * @param {import("./photostream.js").Change[] | null} changes `null` if too much has changed to be known.
 * @param {number | null} revision The one that the changes lead to; `null` for what this page has written. */
function refresh(changes, revision = null) {
  refreshing = refreshing.then(() => refreshNow(changes, revision));
  return refreshing;
}

async function refreshNow(/** @type {import("./photostream.js").Change[] | null} */ changes,
  /** @type {number | null} */ revision) {
  const { focused, revision: before } = gallery;
  const anchor = gallery.anchor();
  try {
    if (await gallery.update()) updated();
    else await open({ anchor });
    if (focused && focused === gallery.focused) await leaveIfGone(focused, changes);
    const deleted = (changes ?? []).filter(({ change: kind }) => kind === "deleted").map(({ id }) => id);
    for (const id of deleted) news.delete(id);
    selection.forget(deleted);
    await countNews(changes, revision, before, anchor);
    showNews();
  } catch (error) {
    if (error instanceof OtherRevision) {
      // The stream changes faster than it can be asked about, for a moment.
      clearTimeout(retryTimer);
      retryTimer = window.setTimeout(() => refresh(null), retryTime);
    } else if (!(error instanceof DOMException && error.name === "AbortError")) failed(error);
  }
}

/**
 * Counts what is new above the window.
 *
 * A page may be ahead of the events: what it shows then also has changes that are not known yet. They are counted by the
 * position of the photo at the top, and not again when their event comes.
 *
 * @param {import("./photostream.js").Change[] | null} changes
 * @param {number | null} revision
 * @param {number} before The revision that was shown before.
 * @param {import("./gallery.js").Anchor | null} anchor The photo at the top before.
 */
async function countNews(changes, revision, before, anchor) {
  const stream = settings.stream ?? "";
  if (stream !== counted.stream) Object.assign(counted, { stream, revision: 0 });
  if (revision !== null && revision <= counted.revision) return;
  const isKnown = changes !== null && (revision === null || before >= revision || gallery.revision === revision);
  if (!isKnown) counted.revision = gallery.revision;
  else if (revision !== null) counted.revision = revision;
  // A search says itself what is new in it.
  if (gallery.viewport.offset < 1 || !anchor || settings.search !== null) return;
  if (!isKnown) {
    otherNews += Math.max(0, (await gallery.shownIndexOf(anchor.id) ?? 0) - anchor.index);
    return;
  }
  const inserted = changes.filter(({ change: kind, id }) => kind === "inserted" && !restored.delete(id)).map(({ id }) => id);
  for (const id of await gallery.above(inserted)) news.add(id);
}

/** Moves the focus on if its photo is gone. */
async function leaveIfGone(/** @type {import("./tiles.js").Photo} */ photo,
  /** @type {import("./photostream.js").Change[] | null} */ changes) {
  const isGone = changes ? changes.some(({ change: kind, id }) => kind === "deleted" && id === photo.id)
    : await gallery.indexOf(photo.id) === null;
  if (isGone) gallery.leave(photo);
}

function updated() {
  showCount();
  showPlace();
  void showStops();
  if (gallery.source) void lightbox.follow(gallery.source, gallery.count);
}

function showNews() {
  status.setNews(news.size + otherNews, () => {
    clearNews();
    gallery.viewport.scrollTo(0, { smooth: true });
  });
}

function clearNews() {
  news.clear();
  otherNews = 0;
  showNews();
}

function report(/** @type {unknown} */ error) {
  status.announce(error instanceof Error ? error.message : "That did not work");
}

// The window

window.addEventListener("popstate", () => {
  const before = settings;
  settings = parse(window.location.hash);
  settings.stream ??= before.stream;
  if (settings.stream === before.stream) settings.sections ??= before.sections;
  isPushed = false;
  if (before.search === null && settings.search !== null) placeBefore = gallery.anchor();
  if (before.search !== settings.search || before.stream !== settings.stream) selection.clear();
  if (settings.photo === null && lightbox.isOpen) lightbox.close();
  const layoutOf = (/** @type {Settings} */ value) => fragment({ ...value, at: null, offset: 0, across: 0, photo: null });
  if (layoutOf(before) !== layoutOf(settings)) void open();
  else if (settings.photo) void openPhoto(settings.photo, { isNew: false });
});

let resizeTimer = 0;
const windowSize = () => `${gallery.viewport.width} ${gallery.viewport.height} ${window.devicePixelRatio}`;
/** The size of the window with which the photos were laid out. */
let shownSize = windowSize();
new ResizeObserver(() => {
  gallery.viewport.measure();
  const size = windowSize();
  if (!gallery.opened || size === shownSize) {
    shownSize = size;
    return;
  }
  shownSize = size;
  clearTimeout(resizeTimer);
  const anchor = gallery.anchor();
  resizeTimer = window.setTimeout(() => open({ anchor }), 120);
}).observe(element("scroller"));

element("skip").addEventListener("click", () => {
  /** @type {HTMLElement | null} */ (document.querySelector('#photos a[tabindex="0"]'))?.focus();
});
// A browser slows a tab down that is not seen, or freezes it: it does not follow, so that no other tab waits for its events.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) live.stop();
  else if (gallery.source) live.start(gallery.source.stream, gallery.state);
});
window.addEventListener("online", () => gallery.retry());
window.addEventListener("offline", () => status.setOffline(true));
// The browser knows only the part of the stream that the scrolled element has.
element("scroller").addEventListener("keydown", (event) => {
  if (event.target !== event.currentTarget || (event.key !== "Home" && event.key !== "End")) return;
  event.preventDefault();
  gallery.viewport.scrollTo(event.key === "Home" ? 0 : gallery.viewport.maximumOffset);
});

document.addEventListener("keydown", (event) => {
  const isWriting = event.target instanceof Element && event.target.closest("input:not([type=radio]), textarea, select");
  const hasCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  if (event.defaultPrevented || isWriting || deletedPhotos.isOpen) return;
  if (hasCommand && event.key.toLowerCase() === "z" && settings.stream) actions.undo(settings.stream);
  else if (lightbox.isOpen || event.ctrlKey || event.metaKey || event.altKey) return;
  else if (event.key === "/" && !selection.isActive) searchField.focus();
  else if (event.key === "Escape" && selection.isActive) selection.clear();
  else if (event.key === "Escape" && settings.search !== null && !document.querySelector(":popover-open")) searchField.clear();
  else return;
  event.preventDefault();
});
element("selection").addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  if (button?.classList.contains("clear")) {
    selection.clear();
    focusPhotos();
  } else if (button) {
    void remove([...selection.ids]);
  }
});
element("selection").addEventListener("keydown", (event) => {
  if (event.key === "Delete") void remove([...selection.ids]);
});

window.history.scrollRestoration = "manual";
void open();
