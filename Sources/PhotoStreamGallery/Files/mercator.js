// @ts-check
/** Web Mercator: the world is a square from 0 to 1, x to the east, y to the south. `Documentation/Layouts/Map.md` has the rules. */

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{west: number, south: number, east: number, north: number}} Bounds In degrees; over the antimeridian, west is
 *   greater than east. */

/** The side of the world at zoom 0, in points. */
const side = 256;
/** The latitude of the northern edge. */
const edge = 85.0511287798066;
/** The length of the equator in metres. */
const equator = 40_075_016.686;

/** Returns the place of a position.
 * @param {number} latitude
 * @param {number} longitude
 * @returns {Point} */
export function project(latitude, longitude) {
  const sine = Math.sin(Math.max(-edge, Math.min(edge, latitude)) * Math.PI / 180);
  return { x: (longitude + 180) / 360, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
}

/** Returns the position of a place.
 * @param {Point} place */
export function unproject({ x, y }) {
  return { latitude: Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI, longitude: x * 360 - 180 };
}

/** Returns the side of the world in points.
 * @param {number} zoom */
export function worldSide(zoom) {
  return side * 2 ** zoom;
}

/** Returns the place and the size of bounds. The world is shown once, so bounds over the antimeridian are as wide as the world.
 * @param {Bounds} bounds */
export function extent({ west, south, east, north }) {
  const [a, b] = west > east ? [project(north, -180), project(south, 180)] : [project(north, west), project(south, east)];
  return { x: a.x, y: a.y, width: b.x - a.x, height: Math.max(0, b.y - a.y) };
}

/** Returns the number of metres in a point at a place.
 * @param {Point} place
 * @param {number} zoom */
export function metres(place, zoom) {
  return equator * Math.cos(unproject(place).latitude * Math.PI / 180) / worldSide(zoom);
}
