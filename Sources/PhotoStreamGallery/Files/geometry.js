// @ts-check
/** Pure functions for layout options, sizes and neighbours. */

/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {import("./photostream.js").LayoutOptions} LayoutOptions */

/** The height of a caption: two lines and the space above them. */
const captionExtent = 44;
/** The height of a section's header. */
export const headerSize = 56;
/** The width of the scrubber when it is next to the photos. */
const scrubberWidth = 44;
/** The side of a photo on the map. */
const mapItemSize = 56;

/** Returns the options of the layout for settings and a window.
 * @param {Settings} settings
 * @param {{width: number, height: number, scale: number}} view
 * @returns {LayoutOptions} */
export function layoutOptions(settings, { width, height, scale }) {
  // For the scrubber, at the side on which reading ends.
  const endInset = width >= 720 && settings.layout !== "map" ? scrubberWidth : 0;
  const margin = width < 600 ? Math.min(settings.spacing, 8) : Math.max(12, settings.spacing);
  // In a layout from right to left, the left inset is at the right, where reading begins.
  const [left, right] = [margin, Math.max(endInset, margin)];
  const sectionBy = settings.sections ?? "none";
  const isSectioned = sectionBy !== "none" && settings.layout !== "map";
  const inner = Math.max(1, width - left - right);
  const size = cellSize(settings, inner, height);
  const common = {
    width,
    displayScale: scale,
    contentInset: [isSectioned ? 0 : margin, left, 40, right],
    interitemSpacing: settings.spacing,
    lineSpacing: settings.spacing,
    layoutDirection: settings.direction === "rtl" ? "right-to-left" : undefined,
  };
  const captions = settings.captions ? captionExtent : undefined;
  const sections = isSectioned
    ? { sectionBy, headerSize, sectionInset: [0, 0, 20, 0], sectionBackground: true } : {};
  const columns = Math.max(1, Math.min(128, Math.round((inner + settings.spacing) / (size + settings.spacing))));
  switch (settings.layout) {
    case "masonry": return { ...common, ...sections, algorithm: "masonry", columns, captionExtent: captions };
    case "grid": return { ...common, ...sections, algorithm: "grid", columns, captionExtent: captions };
    case "flow":
      return { ...common, ...sections, algorithm: "flow", itemHeight: Math.round(size * 0.75), captionExtent: captions };
    case "map": {
      // Centers a world that is narrower than the window.
      const free = Math.max(0, Math.floor((width - 256 * 2 ** settings.zoom - mapItemSize) / 2));
      return {
        ...common, algorithm: "map", zoom: settings.zoom, itemSize: [mapItemSize, mapItemSize], headerSize,
        contentInset: [0, free, 40, free], sectionInset: [0, margin, 20, margin], sectionBackground: true,
      };
    }
    default:
      return {
        ...common, ...sections, algorithm: "justified", targetLineHeight: Math.round(size * 0.8), captionExtent: captions,
      };
  }
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

/** Returns the photo above or below another one: the nearest of those that are entirely further up or down. Distance to the side
 * counts three times.
 * @template {{index: number, x: number, y: number, width: number, height: number}} Place
 * @param {Iterable<Place>} places
 * @param {Place} from
 * @param {"up" | "down"} direction
 * @returns {Place | null} */
export function neighbour(places, from, direction) {
  const middle = from.x + from.width / 2;
  let best = null;
  let least = Infinity;
  for (const place of places) {
    if (place.index === from.index) continue;
    const gap = direction === "down" ? place.y - (from.y + from.height) : from.y - (place.y + place.height);
    if (gap < -1) continue;
    const aside = Math.max(0, place.x - middle, middle - (place.x + place.width));
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
