// @ts-check
/** Draws the land under the photos of a map, on a canvas a little larger than the window, so that panning only moves it. */

import { clamp } from "./geometry.js";
import { units } from "./land.js";
import { worldSide } from "./mercator.js";

/** @typedef {import("./land.js").Path} Path */
/** @typedef {{x: number, y: number, zoom: number, width: number, height: number}} Sight The place of the middle of the window
 *   in a world of side 1, the zoom, and the size of the window in points. */

/** The room of the canvas at each side of the window, in points. */
const margin = 192;
/** The zooms at which the land begins to fade and is invisible, and the same for names. */
const [landFades, landEnds, namesFade, namesEnd] = [9, 12, 11, 14];
/** The zoom below which shapes are those of the whole world. Beyond, their coordinates would be too large. */
const wholeZoom = 4.5;
/** The least distance of two points of an outline, in points of the screen. */
const leastDetail = 1.1;
/** The number of points whose bounds are known together. */
const pieceLength = 32;
/** The least time between two drawings while the zoom changes, in milliseconds. */
const zoomInterval = 90;

export class LandDrawing {
  /** @type {import("./land.js").Land | null} */
  land = null;
  /** The sight that is drawn.
   * @type {Sight | null} */
  #drawn = null;
  #drawnAt = 0;
  #isDark = false;
  /** The names that a whole zoom shows, without those that would overlap more important ones.
   * @type {Map<number, import("./land.js").Name[]>} */
  #names = new Map();
  /** @type {Map<number, {land: Outline[], lakes: Outline[], borders: Outline[]}>} */
  #outlines = new Map();
  /** The shapes of the whole world at small zooms.
   * @type {Map<number, {land: Path2D, lakes: Path2D, borders: Path2D}>} */
  #whole = new Map();
  #canvas;
  #context;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  }

  /** Draws again in any case. */
  invalidate() {
    this.#drawn = null;
  }

  /** Shows a sight: moves what is drawn, and draws if that is not enough.
   * @param {Sight} sight
   * @param {boolean} isMoving Whether the zoom is changing, so that a drawing may be late.
   * @returns {boolean} Whether a drawing is still due. */
  show(sight, isMoving) {
    const drawn = this.#drawn;
    const isSame = drawn !== null && drawn.width === sight.width && drawn.height === sight.height;
    if (!isSame || (!this.#covers(sight) && (drawn.zoom === sight.zoom || !isMoving))) this.#draw(sight);
    else if (drawn.zoom !== sight.zoom && (!isMoving || performance.now() - this.#drawnAt > zoomInterval)) this.#draw(sight);
    this.#place(sight);
    return this.#drawn?.zoom !== sight.zoom;
  }

  /** Whether the canvas covers the window. */
  #covers(/** @type {Sight} */ sight) {
    const drawn = /** @type {Sight} */ (this.#drawn);
    const side = worldSide(sight.zoom);
    return Math.abs(drawn.x - sight.x) * side <= margin && Math.abs(drawn.y - sight.y) * side <= margin;
  }

  /** Moves and scales the canvas from the drawn sight to another one. */
  #place(/** @type {Sight} */ sight) {
    const drawn = this.#drawn;
    if (!drawn) return;
    const scale = 2 ** (sight.zoom - drawn.zoom);
    const side = worldSide(sight.zoom);
    const [width, height] = [sight.width + 2 * margin, sight.height + 2 * margin];
    const x = (drawn.x - sight.x) * side + sight.width / 2 - width / 2 * scale;
    const y = (drawn.y - sight.y) * side + sight.height / 2 - height / 2 * scale;
    this.#canvas.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  }

  #draw(/** @type {Sight} */ sight) {
    const { width, height } = sight;
    const density = window.devicePixelRatio;
    const [across, down] = [Math.round((width + 2 * margin) * density), Math.round((height + 2 * margin) * density)];
    const canvas = this.#canvas;
    if (canvas.width !== across) canvas.width = across;
    if (canvas.height !== down) canvas.height = down;
    canvas.style.width = `${width + 2 * margin}px`;
    canvas.style.height = `${height + 2 * margin}px`;
    const side = worldSide(sight.zoom);
    this.#drawn = { ...sight };
    const style = getComputedStyle(canvas);
    const color = (/** @type {string} */ name) => style.getPropertyValue(name);
    const context = this.#context;
    context.setTransform(density, 0, 0, density, 0, 0);
    context.globalAlpha = 1;
    context.fillStyle = color("--ground");
    context.fillRect(0, 0, width + 2 * margin, height + 2 * margin);
    const left = sight.x * side - width / 2 - margin;
    const top = sight.y * side - height / 2 - margin;
    const alpha = clamp((landEnds - sight.zoom) / (landEnds - landFades), 0, 1);
    const part = { left, top, width: width + 2 * margin, height: height + 2 * margin, side };
    if (alpha > 0) {
      context.globalAlpha = alpha;
      this.#drawLand(part, sight.zoom, color);
    }
    context.globalAlpha = clamp((namesEnd - sight.zoom) / (namesEnd - namesFade), 0, 1);
    if (context.globalAlpha > 0) this.#drawNames(part, sight.zoom, color);
    this.#drawnAt = performance.now();
  }

  /** Returns what a whole zoom shows of the land. */
  #outlinesAt(/** @type {number} */ zoom) {
    const known = this.#outlines.get(zoom);
    if (known) return known;
    const { land, lakes, borders } = /** @type {import("./land.js").Land} */ (this.land);
    const all = { land: outlines(land, zoom, true), lakes: outlines(lakes, zoom, true), borders: outlines(borders, zoom, false) };
    this.#outlines.set(zoom, all);
    return all;
  }

  /** Returns the shapes of the whole world, in units. They are drawn at any place without another walk over their points. */
  #wholeShapes(/** @type {number} */ zoom) {
    const known = this.#whole.get(zoom);
    if (known) return known;
    const shapes = this.#shapes(zoom, { left: 0, top: 0, width: units, height: units, side: units });
    this.#whole.set(zoom, shapes);
    return shapes;
  }

  /** Returns the shapes of a part of the world. */
  #shapes(/** @type {number} */ zoom, /** @type {Part} */ part) {
    const { land, lakes, borders } = this.#outlinesAt(zoom);
    const shape = (/** @type {Outline[]} */ outlines, /** @type {boolean} */ areRings) => {
      const path = new Path2D();
      for (const outline of outlines) trace(outline, part, path, areRings);
      return path;
    };
    return { land: shape(land, true), lakes: shape(lakes, true), borders: shape(borders, false) };
  }

  #drawLand(/** @type {Part} */ part, /** @type {number} */ zoom, /** @type {(name: string) => string} */ color) {
    const context = this.#context;
    const { left, top, width, height, side } = part;
    // The sea is as large as the world.
    const [x, y] = [Math.max(0, -left), Math.max(0, -top)];
    context.save();
    context.beginPath();
    context.rect(x, y, Math.min(width, side - left) - x, Math.min(height, side - top) - y);
    context.clip();
    context.fillStyle = color("--sea");
    context.fillRect(0, 0, width, height);
    if (this.land) {
      const scale = side / units;
      const isWhole = zoom < wholeZoom;
      const shapes = isWhole ? this.#wholeShapes(Math.round(zoom)) : this.#shapes(Math.round(zoom), part);
      const density = window.devicePixelRatio;
      if (isWhole) context.setTransform(density * scale, 0, 0, density * scale, -left * density, -top * density);
      const point = isWhole ? 1 / scale : 1;
      context.lineJoin = "bevel";
      context.lineWidth = 0.75 * point;
      context.strokeStyle = color("--coast");
      for (const [shape, fill] of /** @type {const} */ ([[shapes.land, "--land"], [shapes.lakes, "--sea"]])) {
        context.fillStyle = color(fill);
        context.fill(shape, "evenodd");
        context.stroke(shape);
      }
      context.strokeStyle = color("--border");
      context.lineWidth = point;
      context.stroke(shapes.borders);
    }
    context.restore();
  }

  #drawNames(/** @type {Part} */ part, /** @type {number} */ zoom, /** @type {(name: string) => string} */ color) {
    const context = this.#context;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3;
    context.strokeStyle = color("--land");
    for (const name of this.#namesAt(Math.floor(zoom))) {
      const x = name.x / units * part.side - part.left;
      const y = name.y / units * part.side - part.top;
      if (x < -100 || y < -20 || x > part.width + 100 || y > part.height + 20) continue;
      context.font = font(name);
      const at = name.isCity ? y - 9 : y;
      context.fillStyle = color(name.isCity ? "--city" : "--country");
      context.strokeText(name.name, x, at);
      context.fillText(name.name, x, at);
      if (!name.isCity) continue;
      context.beginPath();
      context.arc(x, y, 1.75, 0, 2 * Math.PI);
      context.fill();
    }
  }

  /** Returns the names of a zoom. They are the same for every window, so that none disappears during panning. */
  #namesAt(/** @type {number} */ zoom) {
    const known = this.#names.get(zoom);
    if (known || !this.land) return known ?? [];
    const side = worldSide(zoom);
    /** The occupied squares of a grid, in which a name occupies those under it.
     * @type {Set<number>} */
    const occupied = new Set();
    const chosen = this.land.names.filter((name) => {
      if (zoom < name.least || zoom > name.most) return false;
      this.#context.font = font(name);
      const half = this.#context.measureText(name.name).width / 2 + 6;
      const [x, y] = [name.x / units * side, name.y / units * side - (name.isCity ? 9 : 0)];
      const squares = [];
      for (let row = Math.floor((y - 9) / 12); row <= Math.floor((y + 9) / 12); row += 1) {
        for (let column = Math.floor((x - half) / 12); column <= Math.floor((x + half) / 12); column += 1) {
          squares.push(row * 0x2000000 + column);
        }
      }
      if (squares.some((square) => occupied.has(square))) return false;
      for (const square of squares) occupied.add(square);
      return true;
    });
    this.#names.set(zoom, chosen);
    return chosen;
  }
}

/** @typedef {{points: Int32Array, bounds: number[], pieces: Int32Array}} Outline Points as in a path, its bounds, and those of each
 *   piece of the points. */
/** @typedef {{left: number, top: number, width: number, height: number, side: number}} Part The part of the world on a canvas, in
 *   points, and the side of the world. */

function font(/** @type {import("./land.js").Name} */ name) {
  return name.isCity ? "11.5px system-ui, sans-serif" : "600 12.5px system-ui, sans-serif";
}

/** Adds the part of a path on the canvas to a shape.
 *
 * A piece outside the canvas is replaced by the line to its end, which does not cross the canvas either. */
function trace(/** @type {Outline} */ outline, /** @type {Part} */ part, /** @type {Path2D} */ shape, /** @type {boolean} */ isRing) {
  const { points, pieces, bounds } = outline;
  const { left, top, side } = part;
  const scale = side / units;
  const [minX, minY] = [left / scale - 2, top / scale - 2];
  const [maxX, maxY] = [(left + part.width) / scale + 2, (top + part.height) / scale + 2];
  if (bounds[0] > maxX || bounds[1] > maxY || bounds[2] < minX || bounds[3] < minY) return;
  // Far points are moved nearer, because canvases draw those without smoothing.
  const far = 8_000 / scale;
  const [lowX, lowY, highX, highY] = [minX - far, minY - far, maxX + far, maxY + far];
  const add = (/** @type {number} */ i) => shape.lineTo(
    clamp(points[i], lowX, highX) * scale - left, clamp(points[i + 1], lowY, highY) * scale - top);
  shape.moveTo(clamp(points[0], lowX, highX) * scale - left, clamp(points[1], lowY, highY) * scale - top);
  const last = points.length - 2;
  for (let piece = 0, at = 0; at < pieces.length; piece += 1, at += 4) {
    const end = Math.min(last, (piece + 1) * pieceLength * 2);
    const isSeen = pieces[at] <= maxX && pieces[at + 1] <= maxY && pieces[at + 2] >= minX && pieces[at + 3] >= minY;
    if (isSeen) for (let i = piece * pieceLength * 2 + 2; i <= end; i += 2) add(i);
    else add(end);
  }
  if (isRing) shape.closePath();
}

/** Returns the outlines of paths for a whole zoom: without points that are invisible between their neighbours, and without rings that
 * are smaller than a point.
 * @param {Path[]} paths
 * @param {number} zoom
 * @param {boolean} areRings
 * @returns {Outline[]} */
function outlines(paths, zoom, areRings) {
  const least = units / worldSide(zoom) * leastDetail;
  /** @type {Outline[]} */
  const found = [];
  for (const { points, bounds } of paths) {
    if (areRings && bounds[2] - bounds[0] + bounds[3] - bounds[1] < 2.5 * least) continue;
    const kept = new Int32Array(points.length);
    let length = 0;
    let [x, y] = [-Infinity, -Infinity];
    for (let i = 0; i < points.length; i += 2) {
      const isLast = i === points.length - 2;
      if (!isLast && Math.abs(points[i] - x) < least && Math.abs(points[i + 1] - y) < least) continue;
      [x, y] = [points[i], points[i + 1]];
      kept[length] = x;
      kept[length + 1] = y;
      length += 2;
    }
    const short = kept.slice(0, length);
    found.push({ points: short, bounds, pieces: piecesOf(short) });
  }
  return found;
}

/** Returns the bounds of each piece of points, with the first point of the next one, to which its last line leads. */
function piecesOf(/** @type {Int32Array} */ points) {
  const count = Math.max(1, Math.ceil((points.length / 2 - 1) / pieceLength));
  const bounds = new Int32Array(count * 4);
  for (let piece = 0; piece < count; piece += 1) {
    let [left, top, right, bottom] = [units, units, 0, 0];
    const end = Math.min(points.length, ((piece + 1) * pieceLength + 1) * 2);
    for (let i = piece * pieceLength * 2; i < end; i += 2) {
      if (points[i] < left) left = points[i];
      if (points[i] > right) right = points[i];
      if (points[i + 1] < top) top = points[i + 1];
      if (points[i + 1] > bottom) bottom = points[i + 1];
    }
    bounds.set([left, top, right, bottom], piece * 4);
  }
  return bounds;
}
