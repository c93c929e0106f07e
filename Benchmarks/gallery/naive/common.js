// @ts-check
/** The parts that both naive galleries share: questions to the server, masonry, and the elements of the photos. */

const query = new URLSearchParams(window.location.hash.slice(1));
const server = query.get("server") ?? "";
const stream = query.get("stream") ?? "";

/** The layout of the gallery that they are compared with. */
export const page = { left: 12, right: 44, top: 12, bottom: 40, spacing: 6, columns: 4 };
/** The number of photos in an answer: the most that the server sends. */
export const pageLength = 1_000;
/** The number of requests at once: as many connections as a browser opens. */
export const requestLimit = 6;

/** @typedef {{photo: string, pixelWidth: number, pixelHeight: number, color?: string, pictureKey?: string}} Item */
/** @typedef {{id: string, x: number, y: number, width: number, height: number, color: string, key: string}} Placed */

/** @returns {Promise<any>} */
async function ask(/** @type {string} */ path, /** @type {Record<string, string | number>} */ parameters,
  /** @type {AbortSignal} */ signal) {
  const text = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
  const answer = await fetch(`${server}/v1/streams/${encodeURIComponent(stream)}${path}?${text}`, { signal });
  if (!answer.ok) throw new Error(`The server answered with ${answer.status}.`);
  return answer.json();
}

/** Returns the number of photos. */
export async function photoCount() {
  return (await ask("", {}, new AbortController().signal)).count;
}

/**
 * Returns the sizes of photos by their positions. The layout in the question is the one that costs the server least.
 *
 * @param {number} from
 * @param {number} count
 * @param {AbortSignal} signal
 * @returns {Promise<Item[]>}
 */
export async function sizes(from, count, signal) {
  const fields = "photo,pixelWidth,pixelHeight,color,pictureKey";
  const options = { width: 100, algorithm: "grid", from, count, fields };
  return (await ask("/layout/items", options, signal)).items;
}

/** Returns the months of the stream: their first positions and their numbers of photos.
 * @returns {Promise<{firstIndex: number, count: number}[]>} */
export async function months() {
  const all = [];
  for (let next = 0; next !== null;) {
    const options = { width: 100, algorithm: "grid", "section-by": "month", "from-section": next, limit: 1_000 };
    const answer = await ask("/layout", options, new AbortController().signal);
    all.push(...answer.sections);
    next = answer.nextSection;
  }
  return all;
}

/** The shortest-column rule: places one photo after another. */
export class Masonry {
  /** The tops and bottoms of the photos of each column, from the first one down, and their positions.
   * @type {{tops: number[], bottoms: number[], positions: number[], end: number}[]} */
  columns = Array.from({ length: page.columns }, () => ({ tops: [], bottoms: [], positions: [], end: 0 }));

  constructor(/** @type {number} */ width, /** @type {number} */ start) {
    this.columnWidth = (width - page.left - page.right - (page.columns - 1) * page.spacing) / page.columns;
    for (const column of this.columns) column.end = start;
  }

  /** Places the next photo. */
  add(/** @type {number} */ position, /** @type {number} */ aspect) {
    let [column] = this.columns;
    for (const other of this.columns) if (other.end < column.end) column = other;
    const height = Math.round(this.columnWidth / aspect);
    column.tops.push(column.end);
    column.bottoms.push(column.end + height);
    column.positions.push(position);
    column.end += height + page.spacing;
  }

  get height() {
    return Math.max(...this.columns.map(({ end }) => end)) - page.spacing;
  }

  /** Calls a function with the photos that meet a range, found by bisection in each column.
   * @param {number} low
   * @param {number} high
   * @param {(position: number, x: number, y: number, width: number, height: number) => void} visit */
  between(low, high, visit) {
    for (const [number, { tops, bottoms, positions }] of this.columns.entries()) {
      let first = 0;
      for (let end = bottoms.length; first < end;) {
        const middle = (first + end) >> 1;
        if (bottoms[middle] <= low) first = middle + 1;
        else end = middle;
      }
      const x = page.left + number * (this.columnWidth + page.spacing);
      for (let i = first; i < tops.length && tops[i] < high; i += 1) {
        visit(positions[i], x, tops[i], this.columnWidth, bottoms[i] - tops[i]);
      }
    }
  }
}

/** The elements of the photos, which show one photo after another. */
export class Cells {
  /** @type {Map<string, {element: HTMLElement, placed: Placed, image: HTMLImageElement | null}>} */
  #shown = new Map();
  /** @type {HTMLElement[]} */
  #free = [];

  /** Shows exactly these photos.
   * @param {Placed[]} photos
   * @param {(photo: Placed) => HTMLElement} parent
   * @param {boolean} withPictures Whether pictures are loaded: not while one scrolls fast. */
  show(photos, parent, withPictures) {
    const ids = new Set(photos.map(({ id }) => id));
    for (const [id, { element }] of this.#shown) {
      if (ids.has(id)) continue;
      this.#shown.delete(id);
      element.replaceChildren();
      element.remove();
      this.#free.push(element);
    }
    for (const placed of photos) {
      let cell = this.#shown.get(placed.id);
      if (!cell) {
        const element = this.#free.pop() ?? document.createElement("div");
        element.className = "cell";
        element.style.cssText = `width: ${placed.width}px; height: ${placed.height}px; background: ${placed.color};`
          + `transform: translate(${placed.x}px, ${placed.y}px)`;
        parent(placed).append(element);
        cell = { element, placed, image: null };
        this.#shown.set(placed.id, cell);
      }
      if (withPictures && !cell.image && placed.key) this.#load(cell);
    }
  }

  #load(/** @type {{element: HTMLElement, placed: Placed, image: HTMLImageElement | null}} */ cell) {
    const { placed, element } = cell;
    const pixels = Math.max(placed.width, placed.height) * window.devicePixelRatio * 0.9;
    const size = [160, 240, 320, 480, 640, 960, 1280, 1920, 2560].find((size) => size >= pixels) ?? 2560;
    const image = new Image();
    image.decoding = "async";
    // Chromium takes another port of a numeric address for another site.
    image.crossOrigin = "anonymous";
    image.src = `${server}/v1/images/${placed.key}/${size}.webp`;
    cell.image = image;
    element.append(image);
  }
}

/**
 * Calls a function at most once a frame while one scrolls, and once more when scrolling rests.
 *
 * @param {HTMLElement} scroller
 * @param {(isResting: boolean) => void} render
 */
export function followScrolling(scroller, render) {
  let isAsked = false;
  let timer = 0;
  scroller.addEventListener("scroll", () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => render(true), 120);
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      render(false);
    });
  }, { passive: true });
}
