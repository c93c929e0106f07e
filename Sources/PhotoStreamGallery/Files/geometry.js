// @ts-check
/** Pure functions for layout options, sizes and neighbours. */

/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {import("./photostream.js").LayoutOptions} LayoutOptions */

/** The height of a caption: two lines and the space above them. */
const captionExtent = 44;
/** The height of a section's header. */
const usualHeaderSize = 56;
/** The width of the scrubber when it is next to the photos. */
const scrubberWidth = 44;
/** The number of cells of a map that a window has, and the range of their sides. */
const cellsOfMap = 250;
const cellRange = { least: 64, most: 512 };

/** Returns the options of the layout for settings and a window.
 * @param {Settings} settings
 * @param {{width: number, height: number, scale: number, text: number}} view `text` is the size of texts relative to the usual
 *   one.
 * @returns {LayoutOptions} */
export function layoutOptions(settings, { width, height, scale, text }) {
  const headerSize = Math.ceil(usualHeaderSize * text);
  // For the scrubber, at the side on which reading ends.
  const endInset = width >= 720 ? scrubberWidth : 0;
  const margin = width < 600 ? Math.min(settings.spacing, 8) : Math.max(12, settings.spacing);
  // In a layout from right to left, the left inset is at the right, where reading begins.
  const [left, right] = [margin, Math.max(endInset, margin)];
  const sectionBy = settings.sections ?? "none";
  const isSectioned = sectionBy !== "none";
  const inner = Math.max(1, width - left - right);
  const size = cellSize(settings, inner, height);
  const common = {
    width,
    where: settings.search ?? undefined,
    displayScale: scale,
    contentInset: [isSectioned ? 0 : margin, left, 40, right],
    interitemSpacing: settings.spacing,
    lineSpacing: settings.spacing,
    layoutDirection: settings.direction === "rtl" ? "right-to-left" : undefined,
  };
  const captions = settings.captions ? Math.ceil(captionExtent * text) : undefined;
  const sections = isSectioned
    ? { sectionBy, headerSize, sectionInset: [0, 0, 20, 0], sectionBackground: true } : {};
  const columns = Math.max(1, Math.min(128, Math.round((inner + settings.spacing) / (size + settings.spacing))));
  switch (settings.layout) {
    case "masonry": return { ...common, ...sections, algorithm: "masonry", columns, captionExtent: captions };
    case "grid": return { ...common, ...sections, algorithm: "grid", columns, captionExtent: captions };
    case "flow":
      return { ...common, ...sections, algorithm: "flow", itemHeight: Math.round(size * 0.75), captionExtent: captions };
    // The count and the bounds of the photos are the same at each zoom.
    case "map": return mapOptions(clusterSide(width, height), 0, settings.search);
    default: {
      const targetLineHeight = Math.round(size * 0.8);
      // On a phone, a panorama next to another photo makes a low line: low rather than cropped by a third.
      const minimumLineHeight = width < 600 ? Math.round(targetLineHeight / 4) : undefined;
      return { ...common, ...sections, algorithm: "justified", targetLineHeight, minimumLineHeight, captionExtent: captions };
    }
  }
}

/** Returns the options of the map at a whole zoom.
 * @param {number} cluster The side of the cells.
 * @param {number} zoom
 * @param {string | null} search The condition of the photos; `null` for all.
 * @returns {LayoutOptions} */
export function mapOptions(cluster, zoom, search) {
  const side = clamp(Math.round(cluster * 0.72), 44, 96);
  return { width: 1_024, where: search ?? undefined, algorithm: "map", zoom, itemSize: [side, side], cluster };
}

/** Returns the side of a map's cells for a window.
 * @param {number} width
 * @param {number} height */
export function clusterSide(width, height) {
  return clamp(Math.round(Math.sqrt(width * height / cellsOfMap)), cellRange.least, cellRange.most);
}

/** The greatest number of photos that a window should show, because the page contains few elements. */
const photosInWindow = 70;

/** Returns the size for a window: at least two photos in a line on a phone, and not too many in all. */
function cellSize(/** @type {Settings} */ settings, /** @type {number} */ inner, /** @type {number} */ height) {
  const least = Math.sqrt((inner * height) / photosInWindow);
  const half = (inner - settings.spacing) / 2;
  const fitting = settings.size < 400 ? Math.min(settings.size, half) : Math.min(settings.size, inner);
  return Math.max(Math.min(least, inner), fitting);
}

/** Returns the next photo in a direction: the nearest of those that are entirely on that side. Distance across the direction
 * counts three times.
 * @template {{index: number, x: number, y: number, width: number, height: number}} Place
 * @param {Iterable<Place>} places
 * @param {Place} from
 * @param {"up" | "down" | "left" | "right"} direction
 * @returns {Place | null} */
export function neighbour(places, from, direction) {
  const [across, along] = [from.x + from.width / 2, from.y + from.height / 2];
  const isAcross = direction === "left" || direction === "right";
  let best = null;
  let least = Infinity;
  for (const place of places) {
    if (place.index === from.index) continue;
    const gap = {
      down: place.y - (from.y + from.height), up: from.y - (place.y + place.height),
      right: place.x - (from.x + from.width), left: from.x - (place.x + place.width),
    }[direction];
    if (gap < -1) continue;
    const aside = isAcross ? Math.max(0, place.y - along, along - (place.y + place.height))
      : Math.max(0, place.x - across, across - (place.x + place.width));
    const distance = gap + aside * 3;
    if (distance < least) [best, least] = [place, distance];
  }
  return best;
}

/** Returns the part of [low, high] that is nearest to a value.
 * @param {number} value
 * @param {number} low
 * @param {number} high */
export function clamp(value, low, high) {
  return Math.max(low, Math.min(high, value));
}
