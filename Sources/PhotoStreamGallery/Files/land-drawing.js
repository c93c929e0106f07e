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
    // On whole device pixels, so that lines are equally sharp everywhere.
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
    if (alpha > 0) {
      context.globalAlpha = alpha;
      this.#drawLand({ left, top, width: width + 2 * margin, height: height + 2 * margin, side }, color);
    }
    context.globalAlpha = clamp((namesEnd - sight.zoom) / (namesEnd - namesFade), 0, 1);
    if (context.globalAlpha > 0) this.#drawNames({ left, top, width: width + 2 * margin, height: height + 2 * margin, side }, sight, color);
    this.#drawnAt = performance.now();
  }

  #drawLand(/** @type {Part} */ part, /** @type {(name: string) => string} */ color) {
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
      context.lineJoin = "round";
      for (const [paths, fill, line] of /** @type {const} */ ([
        [this.land.land, "--land", "--coast"], [this.land.lakes, "--sea", "--coast"]])) {
        const shape = new Path2D();
        const coast = new Path2D();
        for (const path of paths) trace(path, part, shape, coast, true);
        context.fillStyle = color(fill);
        context.fill(shape, "evenodd");
        context.strokeStyle = color(line);
        context.lineWidth = 0.75;
        context.stroke(coast);
      }
      const borders = new Path2D();
      for (const path of this.land.borders) trace(path, part, borders, null, false);
      context.strokeStyle = color("--border");
      context.lineWidth = 1;
      context.stroke(borders);
    }
    context.restore();
  }

  #drawNames(/** @type {Part} */ part, /** @type {Sight} */ sight, /** @type {(name: string) => string} */ color) {
    const context = this.#context;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3;
    context.strokeStyle = color("--land");
    for (const name of this.#namesAt(Math.floor(sight.zoom))) {
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

/** @typedef {{left: number, top: number, width: number, height: number, side: number}} Part The part of the world on a canvas, in
 *   points, and the side of the world. */

function font(/** @type {import("./land.js").Name} */ name) {
  return name.isCity ? "11.5px system-ui, sans-serif" : "600 12.5px system-ui, sans-serif";
}

/** The bounds of each piece of a path.
 * @type {WeakMap<Path, Int32Array>} */
const pieces = new WeakMap();

function piecesOf(/** @type {Path} */ path) {
  const known = pieces.get(path);
  if (known) return known;
  const { points } = path;
  const count = Math.ceil(points.length / 2 / pieceLength);
  const bounds = new Int32Array(count * 4);
  for (let piece = 0; piece < count; piece += 1) {
    let [left, top, right, bottom] = [units, units, 0, 0];
    // With the first point of the next piece, to which its last line leads.
    const end = Math.min(points.length, ((piece + 1) * pieceLength + 1) * 2);
    for (let i = piece * pieceLength * 2; i < end; i += 2) {
      left = Math.min(left, points[i]);
      right = Math.max(right, points[i]);
      top = Math.min(top, points[i + 1]);
      bottom = Math.max(bottom, points[i + 1]);
    }
    bounds.set([left, top, right, bottom], piece * 4);
  }
  pieces.set(path, bounds);
  return bounds;
}

/** Adds what the canvas shows of a path: as a shape, and its lines, without those along the edges of the world.
 *
 * A piece outside the canvas is replaced by the line to its end, which does not cross the canvas either. Points nearer than half a
 * point to the one before are left out. */
function trace(/** @type {Path} */ path, /** @type {Part} */ part, /** @type {Path2D} */ shape,
  /** @type {Path2D | null} */ lines, /** @type {boolean} */ isRing) {
  const { left, top, width, height, side } = part;
  const scale = side / units;
  const [minX, minY, maxX, maxY] = [left / scale - 2, top / scale - 2, (left + width) / scale + 2, (top + height) / scale + 2];
  const [pathLeft, pathTop, pathRight, pathBottom] = path.bounds;
  if (pathLeft > maxX || pathTop > maxY || pathRight < minX || pathBottom < minY) return;
  // An island of less than a third of a point is invisible.
  if (isRing && (pathRight - pathLeft + pathBottom - pathTop) * scale < 0.7) return;
  const { points } = path;
  const bounds = piecesOf(path);
  const count = points.length / 2;
  // Far coordinates are cut, because canvases draw them without smoothing.
  const [lowX, lowY, highX, highY] = [-4_000, -4_000, width + 4_000, height + 4_000];
  const placeX = (/** @type {number} */ i) => clamp(points[i * 2] * scale - left, lowX, highX);
  const placeY = (/** @type {number} */ i) => clamp(points[i * 2 + 1] * scale - top, lowY, highY);
  let [lastX, lastY] = [placeX(0), placeY(0)];
  let isPenDown = false;
  shape.moveTo(lastX, lastY);
  const step = (/** @type {number} */ i, /** @type {number} */ from, /** @type {boolean} */ isSeen) => {
    const [x, y] = [placeX(i), placeY(i)];
    if (isSeen && i !== count - 1 && Math.abs(x - lastX) < 0.5 && Math.abs(y - lastY) < 0.5) return false;
    shape.lineTo(x, y);
    if (lines) {
      const [ax, ay, bx, by] = [points[from * 2], points[from * 2 + 1], points[i * 2], points[i * 2 + 1]];
      const isEdge = (ax === bx && (ax === 0 || ax === units)) || (ay === by && (ay === 0 || ay === units));
      if (isSeen && !isEdge) {
        if (!isPenDown) lines.moveTo(lastX, lastY);
        lines.lineTo(x, y);
      }
      isPenDown = isSeen && !isEdge;
    }
    [lastX, lastY] = [x, y];
    return true;
  };
  let from = 0;
  for (let piece = 0; piece * pieceLength < count; piece += 1) {
    const at = piece * 4;
    const end = Math.min(count - 1, (piece + 1) * pieceLength);
    const isSeen = bounds[at] <= maxX && bounds[at + 1] <= maxY && bounds[at + 2] >= minX && bounds[at + 3] >= minY;
    if (!isSeen) {
      if (end > from && step(end, from, false)) from = end;
      continue;
    }
    for (let i = piece * pieceLength + 1; i <= end; i += 1) if (step(i, from, true)) from = i;
  }
  if (!isRing) return;
  step(0, from, true);
  shape.closePath();
}
