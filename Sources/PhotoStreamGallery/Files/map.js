// @ts-check
/**
 * The map: clusters of photos on the land, with buttons, gestures and keys of its own.
 *
 * Its window is a place of the world, its middle, and a zoom, which may be a fraction. The photos of a place are shown as a list.
 */

import { clamp, clusterSide } from "./geometry.js";
import { Clusters } from "./clusters.js";
import { ClusterElements } from "./cluster-elements.js";
import { count, photos } from "./dates.js";
import { DamagedLand, Land } from "./land.js";
import { LandDrawing } from "./land-drawing.js";
import { MapControls } from "./map-controls.js";
import { MapGestures } from "./map-gestures.js";
import { extent, project, unproject, worldSide } from "./mercator.js";
import { isReduced } from "./motion.js";
import { PlaceList } from "./place-list.js";
import { PhotosOfPlace } from "./photos-of-place.js";
import { defaults } from "./settings.js";
import { plural, text } from "./texts.js";

/** @typedef {import("./mercator.js").Bounds} Bounds */
/** @typedef {import("./clusters.js").Cluster} Cluster */
/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {{located: number, unlocated: number, bounds: Bounds | null}} Positions */
/** @typedef {{onMove: (place: {middle: string, zoom: number}) => void, onOpen: (id: string) => void,
 *   onFailure: (error: unknown) => void, onRecovery: () => void, onOtherRevision: () => void}} Handlers */

/** The greatest zoom, and that of a window that shows all photos or a city. */
const [greatest, greatestFit, cityZoom] = [20, 14, 11];
/** The room around what is shown as a whole, at the sides and above, in points. */
const [roomAside, roomAbove] = [56, 92];
/** The time of a flight, in milliseconds. */
const flightTime = 320;
/** The time without movement after which the map rests, in milliseconds. */
const restTime = 120;
/** The distance at which another origin is chosen, in points. */
const farAway = 4_000;
/** A city is named if it is nearer than this part of the world, about 60 kilometres at the equator. */
const nearby = 0.0015;

export class MapView {
  #middle = { x: 0.5, y: 0.5 };
  #zoom = 2;
  #size = { width: 0, height: 0 };
  /** The place from which the places of the clusters are measured, and its zoom. */
  #origin = { x: 0, y: 0, zoom: -1 };
  /** The whole zoom whose clusters are shown. */
  #shownZoom = 2;
  /** @type {Clusters | null} */
  #clusters = null;
  /** @type {Positions} */
  #positions = { located: 0, unlocated: 0, bounds: null };
  /** What the positions and the place are those of. */
  #stream = "";
  #frame = 0;
  #restTimer = 0;
  #flight = 0;
  #isMoving = false;
  #isAnnounced = true;
  #isLandAsked = false;
  /** The place and zoom that the address has. */
  #reported = "";

  /** @param {HTMLElement} element
   * @param {import("./photostream.js").PhotoStreamClient} client
   * @param {Handlers} handlers */
  constructor(element, client, handlers) {
    this.element = element;
    this.client = client;
    this.handlers = handlers;
    this.controls = new MapControls(element, client, {
      onZoom: (step) => this.#zoomBy(step),
      onShowAll: () => this.showAll(),
      onPlace: (place) => this.#fly({ ...project(place.latitude, place.longitude), zoom: cityZoom }),
      onUnlocated: () => this.#showUnlocated(),
    });
    this.window = this.controls.window;
    this.drawing = new LandDrawing(this.controls.canvas);
    this.elements = new ClusterElements(this.controls.layer, client, (cluster) => this.#pressed(cluster));
    this.list = new PlaceList(client, { onOpen: (id) => this.handlers.onOpen(id), onFailure: (error) => this.handlers.onFailure(error) });
    new MapGestures(this.window, {
      onPan: (x, y) => this.#pan(x, y),
      onZoom: (levels, point) => this.#zoomAt(levels, point),
      onStep: (step, point) => this.#zoomBy(step, point),
      onTouch: () => cancelAnimationFrame(this.#flight),
    });
    new ResizeObserver(() => this.#resized()).observe(this.window);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.drawing.invalidate();
      this.#renderLater();
    });
  }

  /** Loads the land, unless that has been done or is going on. */
  async #loadLand() {
    if (this.#isLandAsked) return;
    this.#isLandAsked = true;
    try {
      this.drawing.land = new Land(await this.client.land());
      this.elements.name((place) => this.drawing.land?.cityNear(place, nearby) ?? null);
      this.drawing.invalidate();
      this.#renderLater();
    } catch (error) {
      // A map without land still shows the photos. It is requested again when the map is.
      if (error instanceof DamagedLand) console.error(error);
      else this.#isLandAsked = false;
    }
  }

  // Opening

  /** The side of the cells for the window. */
  get #cluster() { return clusterSide(this.#size.width, this.#size.height); }

  #question(/** @type {string} */ stream, /** @type {string | null} */ search, /** @type {string} */ state) {
    return { stream, search, cluster: this.#cluster, state };
  }

  /** Shows a map whose summary is known: at the place of the settings, where it was, or so that all photos are visible.
   * @param {Settings} settings
   * @param {{state: string, positions?: Positions}} answer */
  show(settings, answer) {
    this.element.hidden = false;
    this.#measure();
    const stream = `${settings.stream} ${settings.search ?? ""}`;
    const isOther = stream !== this.#stream;
    // The matches of a search that begins on the map are shown; after it, the map is where it was.
    const isSearch = isOther && this.#stream !== "" && settings.search !== null;
    this.#stream = stream;
    void this.#loadLand();
    this.#positions = answer.positions ?? { located: 0, unlocated: 0, bounds: null };
    this.#follow(this.#question(settings.stream ?? "", settings.search, answer.state));
    this.controls.showPositions(this.#positions);
    const place = parsePlace(settings.middle);
    // The place of the address may be that of a moment ago.
    const isNew = `${settings.middle} ${settings.zoom}` !== this.#reported;
    if (place && !isSearch && (isOther || isNew)) {
      this.#set({ ...place, zoom: settings.zoom });
      this.#reported = `${settings.middle} ${settings.zoom}`;
    } else if (isOther) {
      const hasZoom = !isSearch && settings.zoom !== defaults.zoom;
      this.#set({ ...this.#whole(), ...(hasZoom ? { zoom: settings.zoom } : {}) });
    }
    if (isOther || (place && isNew)) this.list.close();
    if (isOther) this.#shownZoom = this.#level;
    this.list.reload(this.#question(settings.stream ?? "", settings.search, answer.state));
    this.#moved({ isNew: false });
  }

  #follow(/** @type {import("./clusters.js").Question} */ question) {
    this.#clusters?.close();
    this.#clusters = new Clusters(this.client, question, this.#clusterHandlers());
  }

  #clusterHandlers() {
    return {
      onLoad: () => {
        this.handlers.onRecovery();
        this.#renderLater();
      },
      onFailure: (/** @type {unknown} */ error) => this.handlers.onFailure(error),
      onOtherRevision: () => this.handlers.onOtherRevision(),
    };
  }

  /** Hides the map. */
  hide() {
    this.element.hidden = true;
    this.#clusters?.close();
    this.#clusters = null;
    this.#stream = "";
    this.elements.show([]);
    this.list.close();
  }

  /** Gives the focus to the cluster of a photo, or to the photo in the list.
   * @param {string} id */
  focus(id) {
    if (this.list.isOpen) this.list.focus(id);
    else if (!this.elements.focus(id)) this.window.focus({ preventScroll: true });
  }

  // The place

  /** The whole zoom of the clusters for the window. */
  get #level() { return Math.floor(this.#zoom + 1e-6); }

  /** The least zoom: the world fills the smaller side of the window. */
  get #least() {
    const { width, height } = this.#size;
    return Math.max(0, Math.log2(Math.min(width, height) / 256));
  }

  /** The place and zoom at which all photos are visible. */
  #whole() {
    const { bounds } = this.#positions;
    return bounds ? this.#fitting(bounds, greatestFit) : { x: 0.5, y: 0.4, zoom: 0 };
  }

  /** Returns the place and zoom at which bounds fill the window. */
  #fitting(/** @type {Bounds} */ bounds, /** @type {number} */ most) {
    const { x, y, width, height } = extent(bounds);
    const room = { width: Math.max(80, this.#size.width - 2 * roomAside), height: Math.max(80, this.#size.height - roomAbove - roomAside) };
    const zoom = width + height === 0 ? Math.min(most, cityZoom)
      : Math.min(most, Math.log2(room.width / Math.max(1e-12, width) / 256), Math.log2(room.height / Math.max(1e-12, height) / 256));
    const fit = Math.max(this.#least, zoom);
    return { x: x + width / 2, y: y + height / 2 - (roomAbove - roomAside) / 2 / worldSide(fit), zoom: fit };
  }

  #set(/** @type {{x: number, y: number, zoom: number}} */ { x, y, zoom }) {
    this.#zoom = clamp(zoom, this.#least, greatest);
    const side = worldSide(this.#zoom);
    // The window does not leave the world, unless that is smaller.
    const held = (/** @type {number} */ value, /** @type {number} */ length) => {
      const half = length / 2 / side;
      return half >= 0.5 ? 0.5 : clamp(value, half, 1 - half);
    };
    this.#middle = { x: held(x, this.#size.width), y: held(y, this.#size.height) };
  }

  #pan(/** @type {number} */ x, /** @type {number} */ y) {
    const side = worldSide(this.#zoom);
    this.#set({ x: this.#middle.x - x / side, y: this.#middle.y - y / side, zoom: this.#zoom });
    this.#moved();
  }

  /** Zooms so that the place under a point of the window stays there. */
  #zoomAt(/** @type {number} */ levels, /** @type {{x: number, y: number}} */ point) {
    this.#set(this.#zoomed(clamp(this.#zoom + levels, this.#least, greatest), point));
    this.#moved();
  }

  #zoomed(/** @type {number} */ zoom, /** @type {{x: number, y: number}} */ point) {
    const [x, y] = [point.x - this.#size.width / 2, point.y - this.#size.height / 2];
    const [before, after] = [worldSide(this.#zoom), worldSide(zoom)];
    return { x: this.#middle.x + x / before - x / after, y: this.#middle.y + y / before - y / after, zoom };
  }

  /** Zooms by a level, to a whole one. */
  #zoomBy(/** @type {number} */ step, point = { x: this.#size.width / 2, y: this.#size.height / 2 }) {
    const zoom = step > 0 ? Math.floor(this.#zoom + step + 1e-6) : Math.ceil(this.#zoom + step - 1e-6);
    this.#fly(this.#zoomed(clamp(zoom, this.#least, greatest), point));
  }

  /** Shows all photos. */
  showAll() {
    this.#fly(this.#whole());
  }

  /** Moves to a place. A place that is out of sight is shown at once: the way there has nothing to show. */
  #fly(/** @type {{x: number, y: number, zoom: number}} */ to) {
    cancelAnimationFrame(this.#flight);
    this.#isAnnounced = false;
    const from = { ...this.#middle, zoom: this.#zoom };
    const side = worldSide(Math.min(from.zoom, to.zoom));
    const isFar = Math.abs(to.x - from.x) * side > this.#size.width || Math.abs(to.y - from.y) * side > this.#size.height;
    if (isReduced() || isFar || Math.abs(to.zoom - from.zoom) > 6) {
      this.#set(to);
      return this.#moved();
    }
    const start = performance.now();
    const step = () => {
      const part = clamp((performance.now() - start) / flightTime, 0, 1);
      const eased = 1 - (1 - part) ** 3;
      const zoom = from.zoom + (to.zoom - from.zoom) * eased;
      // The place moves as the scale does, so that the point that stays does so on the way, too.
      const [a, b, now] = [1 / worldSide(from.zoom), 1 / worldSide(to.zoom), 1 / worldSide(zoom)];
      const way = from.zoom === to.zoom ? eased : (a - now) / (a - b);
      this.#set({ x: from.x + (to.x - from.x) * way, y: from.y + (to.y - from.y) * way, zoom });
      this.#moved();
      if (part < 1) this.#flight = requestAnimationFrame(step);
    };
    step();
  }

  #measure() {
    this.#size = { width: this.window.clientWidth, height: this.window.clientHeight };
  }

  #resized() {
    if (this.element.hidden) return;
    const before = this.#cluster;
    this.#measure();
    const question = this.#clusters?.question;
    if (question && this.#cluster !== before) this.#follow(this.#question(question.stream, question.search, question.state));
    this.#set({ ...this.#middle, zoom: this.#zoom });
    this.#renderLater();
  }

  #moved({ isNew = true } = {}) {
    this.#isMoving = true;
    this.#renderLater();
    clearTimeout(this.#restTimer);
    this.#restTimer = window.setTimeout(() => {
      this.#isMoving = false;
      this.#renderLater();
      if (this.element.hidden || !isNew) return;
      const place = { middle: placeText(this.#middle, this.#zoom), zoom: Math.round(this.#zoom * 100) / 100 };
      this.#reported = `${place.middle} ${place.zoom}`;
      this.handlers.onMove(place);
    }, restTime);
  }

  // Drawing

  #renderLater() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      if (!this.element.hidden) this.#render();
    });
  }

  /** The part of the world in the window, in points of the world at a zoom. */
  #part(/** @type {number} */ zoom) {
    const side = worldSide(zoom);
    const scale = 2 ** (zoom - this.#zoom);
    const [width, height] = [this.#size.width * scale, this.#size.height * scale];
    return { x: this.#middle.x * side - width / 2, y: this.#middle.y * side - height / 2, width, height };
  }

  #render() {
    const clusters = this.#clusters;
    const sight = { ...this.#middle, zoom: this.#zoom, ...this.#size };
    if (this.drawing.show(sight, this.#isMoving)) this.#renderLater();
    this.controls.showScale(this.#middle, this.#zoom, this.#zoom >= greatest - 1e-6, this.#zoom <= this.#least + 1e-6);
    if (!clusters) return;
    const level = this.#level;
    clusters.want(level, this.#part(level), !this.#isMoving);
    const isLoaded = clusters.isLoaded(level, this.#part(level));
    if (isLoaded) this.#shownZoom = level;
    const found = clusters.clusters(this.#shownZoom, this.#part(this.#shownZoom));
    this.#moveLayer();
    // Until the first answers, the former elements stay.
    if (found.length > 0 || isLoaded) this.elements.show(found.map(({ cluster, zoom }) => ({ cluster, ...this.#placed(cluster, zoom) })));
    if (!isLoaded || this.#isMoving) return;
    this.elements.sort();
    this.#announce(found.map(({ cluster }) => cluster));
  }

  /** Moves all clusters together, so that panning changes the style of one element. */
  #moveLayer() {
    const { x, y, zoom } = this.#origin;
    const side = worldSide(this.#zoom);
    const isFar = Math.max(Math.abs(this.#middle.x - x), Math.abs(this.#middle.y - y)) * side > farAway;
    if (zoom !== this.#zoom || isFar) this.#origin = { ...this.#middle, zoom: this.#zoom };
    const [left, top] = [(this.#origin.x - this.#middle.x) * side, (this.#origin.y - this.#middle.y) * side];
    this.elements.move(left + this.#size.width / 2, top + this.#size.height / 2);
  }

  /** Returns the place of a cluster, from the origin. */
  #placed(/** @type {Cluster} */ cluster, /** @type {number} */ zoom) {
    const scale = 2 ** (this.#zoom - zoom);
    const side = worldSide(zoom);
    const [x, y] = [
      cluster.x + cluster.width / 2 - this.#origin.x * side, cluster.y + cluster.height / 2 - this.#origin.y * side];
    // Of a zoom that is left, clusters are nearer to each other, but never larger than their cells.
    const size = Math.min(1, Math.max(0.5, scale));
    return {
      x: x * scale - cluster.width * size / 2, y: y * scale - cluster.height * size / 2, scale: size, side };
  }

  #announce(/** @type {Cluster[]} */ clusters) {
    if (this.#isAnnounced) return;
    this.#isAnnounced = true;
    const [number, total] = [clusters.reduce((sum, cluster) => sum + cluster.count, 0), clusters.length];
    const places = plural(total, "{count} place", "{count} places", { count: count(total) });
    this.controls.announce(number === 0 ? text("No photos here") : text("{photos} in {places}", { photos: photos(number), places }));
  }

  // Photos

  #pressed(/** @type {Cluster} */ cluster) {
    const zoom = this.#shownZoom;
    const { width, height } = extent(cluster.bounds);
    if (cluster.count === 1) return this.handlers.onOpen(cluster.id);
    // The zoom at which the photos are in several cells, as far as the bounds tell.
    const separation = Math.log2(this.#cluster / 256 / Math.max(width, height));
    if (separation > greatest || this.#zoom >= greatest - 1e-6) return this.#showPlace(cluster, zoom);
    const fit = this.#fitting(cluster.bounds, greatest);
    this.#fly({ ...fit, zoom: clamp(fit.zoom, Math.min(greatest, this.#level + 1), greatest) });
  }

  #showPlace(/** @type {Cluster} */ cluster, /** @type {number} */ zoom) {
    const question = this.#clusters?.question;
    if (!question) return;
    const point = { x: cluster.x + cluster.width / 2, y: cluster.y + cluster.height / 2 };
    this.list.open(new PhotosOfPlace(this.client, question, zoom, point), this.elements.city(cluster, worldSide(zoom)));
  }

  #showUnlocated() {
    const question = this.#clusters?.question;
    if (question) this.list.open(new PhotosOfPlace(this.client, question, 0, null), null);
  }
}

/** Reads a latitude and a longitude, as the address has them; `null` for anything else.
 * @param {string | null} text */
function parsePlace(text) {
  const numbers = (text ?? "").split(",").map(Number);
  if (!text || numbers.length !== 2 || !numbers.every(Number.isFinite)) return null;
  return project(clamp(numbers[0], -90, 90), clamp(numbers[1], -180, 180));
}

/** Writes a place with as many digits as a tenth of a point needs. */
function placeText(/** @type {{x: number, y: number}} */ place, /** @type {number} */ zoom) {
  const { latitude, longitude } = unproject(place);
  const digits = clamp(Math.ceil(zoom * 0.302 + 0.9), 1, 8);
  return `${latitude.toFixed(digits)},${longitude.toFixed(digits)}`;
}
