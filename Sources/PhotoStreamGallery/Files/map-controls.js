// @ts-check
/** The elements of the map: its window, buttons, the search for a city, the scale, and the count of photos without a position. */

import { photos } from "./dates.js";
import { metres } from "./mercator.js";
import { PlaceField } from "./place-field.js";
import { locale, text } from "./texts.js";

/** @typedef {{onZoom: (step: number) => void, onShowAll: () => void, onUnlocated: () => void,
 *   onPlace: (place: import("./photostream.js").Place) => void}} Handlers */

/** The greatest length of the scale, in points. */
const scaleLength = 96;
const [inMetres, inKilometres] = ["meter", "kilometer"].map((unit) => new Intl.NumberFormat(locale, { style: "unit", unit }));

export class MapControls {
  #scaleText = "";

  /** @param {HTMLElement} element An empty element, which gets the parts of the map.
   * @param {import("./photostream.js").PhotoStreamClient} client
   * @param {Handlers} handlers */
  constructor(element, client, handlers) {
    const window = make("div", "window");
    window.tabIndex = 0;
    window.setAttribute("role", "group");
    window.setAttribute("aria-label", text("Map: arrow keys move it, plus and minus zoom"));
    this.window = window;
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("aria-hidden", "true");
    this.layer = make("div", "clusters");
    window.append(this.canvas, this.layer);
    const field = new PlaceField(client, handlers.onPlace);
    this.unlocated = button("unlocated", "", handlers.onUnlocated);
    this.unlocated.hidden = true;
    this.none = make("p", "none");
    this.none.textContent = text("No photo here has a position.");
    this.none.hidden = true;
    const top = make("div", "top");
    top.append(field.element, this.unlocated, this.none);
    this.zoomIn = button("in", "+", () => handlers.onZoom(1), text("Zoom in (+)"));
    this.zoomOut = button("out", "−", () => handlers.onZoom(-1), text("Zoom out (-)"));
    this.showAll = button("all", text("Show all"), handlers.onShowAll, text("Show all photos"));
    const zooms = make("div", "zooms");
    zooms.append(this.zoomIn, this.zoomOut);
    const buttons = make("div", "corner");
    buttons.append(this.showAll, zooms);
    this.scale = make("div", "scale");
    this.scale.setAttribute("aria-hidden", "true");
    const foot = make("div", "foot");
    foot.append(this.scale, sources());
    this.status = make("div", "hidden");
    this.status.setAttribute("role", "status");
    // The controls come before the photos for the Tab key, and are above them.
    element.append(top, buttons, window, foot, this.status);
  }

  /** Shows what has no position, and whether anything has one.
   * @param {{located: number, unlocated: number}} positions */
  showPositions({ located, unlocated }) {
    this.unlocated.hidden = unlocated === 0;
    this.unlocated.textContent = text("{photos} without a position", { photos: photos(unlocated) });
    this.none.hidden = located > 0;
    this.showAll.disabled = located === 0;
  }

  /** Shows the scale at the middle of the window, and whether the zoom is at an end.
   * @param {{x: number, y: number}} middle
   * @param {number} zoom
   * @param {boolean} isGreatest
   * @param {boolean} isLeast */
  showScale(middle, zoom, isGreatest, isLeast) {
    const length = metres(middle, zoom);
    // 1, 2 or 5 with zeros.
    const most = length * scaleLength;
    const power = 10 ** Math.floor(Math.log10(most));
    const step = [5, 2, 1].find((factor) => factor * power <= most) ?? 1;
    const distance = step * power;
    const words = distance >= 1_000 ? inKilometres.format(distance / 1_000) : inMetres.format(distance);
    if (words !== this.#scaleText) this.scale.textContent = this.#scaleText = words;
    this.scale.style.width = `${distance / length}px`;
    if (this.zoomIn.disabled !== isGreatest) this.zoomIn.disabled = isGreatest;
    if (this.zoomOut.disabled !== isLeast) this.zoomOut.disabled = isLeast;
  }

  /** @param {string} words */
  announce(words) {
    this.status.textContent = words;
  }
}

/** The sources of the data, which their licence requires to be named. */
function sources() {
  const names = make("p", "sources");
  const link = (/** @type {string} */ name, /** @type {string} */ address) => {
    const anchor = document.createElement("a");
    Object.assign(anchor, { href: address, textContent: name, target: "_blank", rel: "noreferrer" });
    return anchor;
  };
  names.append(
    text("Land:"), " ", link("Natural Earth", "https://www.naturalearthdata.com/"), " · ", text("Cities:"), " ",
    link("GeoNames", "https://www.geonames.org/"), " (", link("CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"), ")");
  return names;
}

function make(/** @type {string} */ tag, /** @type {string} */ name) {
  const element = document.createElement(tag);
  element.className = name;
  return element;
}

/** @param {string} name
 * @param {string} words
 * @param {() => void} onPress
 * @param {string} [label] */
function button(name, words, onPress, label) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = name;
  element.textContent = words;
  if (label) {
    element.title = label;
    element.setAttribute("aria-label", label);
  }
  element.addEventListener("click", onPress);
  return element;
}
