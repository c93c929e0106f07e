// Laws of the anchor and of the neighbours, over seeded random layouts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { anchorAt, offsetOf, pointOf } from "../../Sources/PhotoStreamGallery/Files/anchor.js";
import { neighbour } from "../../Sources/PhotoStreamGallery/Files/geometry.js";

/** A generator of random numbers below 1 (mulberry32). */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Columns of photos with captions, spacing and headers. */
function layout(next, width) {
  const columns = 1 + Math.floor(next() * 6);
  const cell = width / columns;
  const bottoms = Array.from({ length: columns }, () => 0);
  return Array.from({ length: 80 }, (_, index) => {
    const column = bottoms.indexOf(Math.min(...bottoms));
    const captionExtent = next() < 0.3 ? 44 : 0;
    const height = 20 + Math.floor(next() * 400) + captionExtent;
    const y = bottoms[column] + (next() < 0.1 ? 56 : 6);
    bottoms[column] = y + height;
    return { id: `p${index}`, index, x: column * cell, y, width: cell - 6, height, captionExtent };
  });
}

test("an anchor is the point from which it was chosen, and its photo is the nearest", () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const next = random(seed);
    const photos = layout(next, 1_200);
    const [x, y, at] = [next() * 1_200, next() * 5_000, next()];
    const anchor = anchorAt(photos, { x, y }, at);
    const photo = photos.find(({ id }) => id === anchor.id);
    assert.ok(Math.abs(pointOf(anchor, photo) - y) < 1e-6);
    assert.ok(anchor.part >= 0 && anchor.part <= 1 && anchor.at === at && anchor.index === photo.index);
    // Naively: the least distance of any point of a picture, on a grid of points.
    const distance = ({ x: left, y: top, width, height, captionExtent }) => {
      const [right, bottom] = [left + width, top + height - captionExtent];
      return Math.hypot(x - Math.min(right, Math.max(left, x)), y - Math.min(bottom, Math.max(top, y)));
    };
    assert.equal(distance(photo), Math.min(...photos.map(distance)));
  }
});

test("any number of layouts and back moves nothing", () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const next = random(seed);
    const [photos, height] = [layout(next, 1_200), 800];
    const offset = 500 + next() * 3_000;
    const anchor = anchorAt(photos, { x: 600, y: offset + height / 2 }, 0.5);
    for (let step = 0; step < 20; step += 1) {
      const other = layout(next, 300 + next() * 2_000).find(({ id }) => id === anchor.id);
      const size = 300 + next() * 1_500;
      const there = pointOf(anchor, other) - anchor.at * size;
      const point = there + size / 2;
      const picture = other.height - other.captionExtent;
      if (anchor.beyond === 0) assert.ok(point >= other.y - 1e-6 && point <= other.y + picture + 1e-6);
    }
    assert.ok(Math.abs(pointOf(anchor, photos[anchor.index]) - anchor.at * height - offset) < 1e-6);
  }
});

test("without photos there is no anchor", () => {
  assert.equal(anchorAt([], { x: 0, y: 0 }, 0.5), null);
});

test("a place of an address shows its photo in any window", () => {
  for (const height of [200, 800, 2_000]) {
    for (const offset of [-5_000, -700, -100, 0, 100, 5_000]) {
      const frame = { x: 0, y: 10_000, width: 300, height: 240 };
      const top = offsetOf({ id: "p", index: 0, offset }, frame, height);
      assert.ok(frame.y < top + height && frame.y + frame.height >= top, `${height}, ${offset}: ${top}`);
      if (offset > -height && offset <= frame.height) assert.equal(top, frame.y + offset);
    }
  }
});

test("a neighbour is on its side", () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const photos = layout(random(seed), 1_200);
    for (const from of photos) {
      const sides = {
        right: ({ x }) => x >= from.x + from.width - 1, left: ({ x, width }) => x + width <= from.x + 1,
        down: ({ y }) => y >= from.y + from.height - 1, up: ({ y, height }) => y + height <= from.y + 1,
      };
      for (const [direction, isThere] of Object.entries(sides)) {
        const found = neighbour(photos, from, direction);
        if (found) assert.ok(isThere(found), `${direction} of ${from.id}: ${found.id}`);
        else assert.ok(!photos.some((photo) => photo !== from && isThere(photo)), `${direction} of ${from.id}`);
      }
    }
  }
});
