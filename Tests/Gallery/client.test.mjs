// The API client in Node, against a running server with the samples. PHOTOSTREAM_ADDRESS is the server.
// Run by scripts/gallery-test.

import assert from "node:assert/strict";
import { File } from "node:buffer";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { deflateSync } from "node:zlib";
import { Frames, PhotoStreamClient, Problem, binaryType, preparedSizes, thumbnailSize, thumbnailSizes } from
  "../../Sources/PhotoStreamGallery/Files/photostream.js";
import { DamagedLand, Land, units } from "../../Sources/PhotoStreamGallery/Files/land.js";
import { extent, project, unproject } from "../../Sources/PhotoStreamGallery/Files/mercator.js";
import { layoutOptions } from "../../Sources/PhotoStreamGallery/Files/geometry.js";
import { decodeThumbHash, thumbHashBytes } from "../../Sources/PhotoStreamGallery/Files/thumbhash.js";

// The settings ask the browser for its language.
globalThis.window = { navigator: { languages: ["en"] } };
const { defaults } = await import("../../Sources/PhotoStreamGallery/Files/settings.js");

const address = process.env.PHOTOSTREAM_ADDRESS;
const client = new PhotoStreamClient(address);
const stream = "sample";
const layout = { width: 900, displayScale: 1.5, columns: 5, interitemSpacing: 7, sectionBy: "year", headerSize: 40 };

/** Returns a PNG file of one pixel, whose colour no other picture has. */
function onePixel() {
  const chunk = (kind, data) => {
    const content = Buffer.concat([Buffer.from(kind, "latin1"), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(checksum(content));
    return Buffer.concat([length, content, sum]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 16, 2, 0, 0, 0]);
  const pixel = Buffer.concat([Buffer.from([0]), randomBytes(6)]);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", header), chunk("IDAT", deflateSync(pixel)), chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Returns the CRC-32 of bytes, which Debian's Node does not have. */
function checksum(bytes) {
  let sum = 0xFFFFFFFF;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xEDB88320 : 0);
  }
  return ~sum >>> 0;
}

/** Sends a request without the client. */
async function ask(path) {
  const answer = await fetch(`${address}${path}`);
  assert.equal(answer.status, 200, path);
  return answer.json();
}

const query = "width=900&display-scale=1.5&columns=5&interitem-spacing=7&section-by=year&header-size=40";
const isNear = (a, b) => Math.abs(a - b) < 1e-3;

describe("questions", () => {
  test("streams, a stream, a photo", async () => {
    const { streams } = await client.streams();
    assert.ok(streams.some((one) => one.stream === stream));
    assert.equal((await client.stream(stream)).count, 140);
    assert.equal((await client.photo(stream, "ночной-поезд")).id, "ночной-поезд");
  });

  test("facets of a condition, each with as many photos as it says", async () => {
    const answer = await client.facets(stream, { where: "taken:2020..", limit: 3 });
    assert.deepEqual(answer, await ask("/v1/streams/sample/facets?where=taken:2020..&limit=3"));
    assert.equal(answer.years?.length, 3);
    for (const { count, where } of [...answer.years, ...answer.tags ?? []]) {
      assert.equal((await client.layout(stream, { width: 900, where: `taken:2020.. ${where}` })).count, count, where);
    }
    const all = await client.facets(stream);
    assert.equal(all.count, 140);
    assert.equal(all.where, undefined);
    await assert.rejects(client.facets(stream, { signal: AbortSignal.abort() }), { name: "AbortError" });
  });

  test("the first paint has the layout and its first photos", async () => {
    const first = await client.firstPaint(stream, layout, { first: 10, fields: ["photo", "frame"], limit: 3 });
    assert.deepEqual(first, await ask(`/v1/streams/sample/layout?${query}&first=10&fields=photo,frame&limit=3`));
    assert.equal(first.page.items.length, 10);
    assert.equal(first.sections.length, 3);
  });

  test("binary pages are the pages in JSON, to the end of the chain", async () => {
    let page = await client.page(stream, layout, { limit: 50, ids: true, pictures: true });
    const ids = [];
    let json = await ask(`/v1/streams/sample/layout/page?${query}&limit=50`);
    for (;;) {
      same(page, json.items);
      ids.push(...page.ids);
      if (!page.nextCursor) break;
      json = await ask(`/v1/streams/sample/layout/page?limit=50&cursor=${encodeURIComponent(json.nextCursor)}`);
      page = await client.page(stream, { cursor: page.nextCursor }, { limit: 50, ids: true, pictures: true });
    }
    assert.equal(ids.length, 140);
    assert.equal(new Set(ids).size, 140);
  });

  test("a rectangle in the binary form is the one in JSON, with elements", async () => {
    const rect = { x: 0, y: 500, width: 900, height: 1200 };
    const frames = await client.rect(stream, layout, rect, { ids: true, pictures: true });
    const json = await client.rectWithFields(stream, layout, rect);
    assert.deepEqual(json, await ask(`/v1/streams/sample/layout/rect?${query}&rect=0,500,900,1200`));
    same(frames, json.items);
    assert.ok(json.elements.length > 0);
    assert.equal(frames.elements.length, json.elements.length);
    json.elements.forEach((element, i) => {
      const { kind, section, y, height } = frames.elements[i];
      assert.deepEqual([kind, section], [element.kind, element.section]);
      assert.ok(isNear(y / 1.5, element.frame.y) && isNear(height / 1.5, element.frame.height));
    });
    assert.ok(isNear(frames.contentSize.height / frames.scale, json.contentSize.height));
  });

  test("ids are bytes: a U+FEFF at the beginning of one is not dropped", async () => {
    const path = "/v1/streams/marks";
    const send = (method, target, type, body) =>
      fetch(address + target, { method, headers: type ? { "Content-Type": type } : {}, body });
    await send("POST", "/v1/streams", "application/json", '{"stream":"marks"}');
    try {
      const ids = ["x", "\uFEFFx", "\uFEFF", "e\u0301", "\u00E9"];
      const records = ids.map((id, i) => JSON.stringify({ id, width: 10 + i, height: 10 })).join("\n");
      await send("POST", `${path}/photos`, "application/jsonl", records);
      const whole = { x: 0, y: 0, width: 900, height: 100_000 };
      const frames = await client.rect("marks", { width: 900 }, whole, { ids: true, limit: 10 });
      assert.deepEqual([...frames.ids].sort(), [...ids].sort());
      for (const [i, id] of ids.entries()) assert.equal((await client.photo("marks", id)).width, 10 + i);
    } finally {
      await send("DELETE", `${path}?with-photos=true`);
    }
  });

  test("pictures in the binary form", async () => {
    const whole = { x: 0, y: 0, width: 900, height: 100_000 };
    const frames = await client.rect(
      "photos", { width: 900 }, whole, { ids: true, pictures: true, sizes: true, limit: 1000 });
    const json = await client.rectWithFields("photos", { width: 900 }, whole, { limit: 1000 });
    assert.deepEqual([...frames.pictureSizes], json.items.flatMap((item) => [item.pixelWidth, item.pixelHeight]));
    assert.ok(frames.keys.filter(Boolean).length > 50);
    same(frames, json.items);
    const key = frames.keys.find(Boolean);
    for (const format of ["webp", "jpg"]) {
      const answer = await fetch(client.thumbnail(key, 320, format));
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get("Cache-Control"), /immutable/);
    }
    assert.equal((await fetch(client.image("photos", json.items[0].photo))).status, 200);
    assert.equal((await fetch(client.image("photos", json.items[0].photo, thumbnailSizes[0]))).status, 200);
  });

  test("sizes and clusters are between the photos and the cursor", () => {
    const [sizes, edges] = [[4000, 3000, 70, 90], [[178, -18, -8.5, 41], [9, 9, 9, 9]]];
    const cursor = "next";
    const view = new DataView(new ArrayBuffer(64 + 2 * 20 + 20 + 4 * 4 + 2 * 36 + cursor.length + 16));
    view.setUint32(0, 0x47505350, true);
    view.setUint16(4, 1, true);
    view.setUint16(6, 1 | 8 | 32 | 64, true);
    view.setUint32(8, 2, true);
    view.setUint32(12, cursor.length, true);
    let at = 64 + 2 * 20 + 20;
    for (const side of sizes) {
      view.setUint32(at, side, true);
      at += 4;
    }
    for (const [i, bounds] of edges.entries()) {
      view.setUint32(at, 24 - 23 * i, true);
      for (const [side, edge] of bounds.entries()) view.setFloat64(at + 4 + 8 * side, edge, true);
      at += 36;
    }
    for (const [i, letter] of [...cursor].entries()) view.setUint8(at + i, letter.charCodeAt(0));
    const frames = new Frames(view.buffer);
    assert.deepEqual([...frames.pictureSizes], sizes);
    assert.deepEqual(frames.clusters, [
      { count: 24, bounds: { west: 178, south: -18, east: -8.5, north: 41 } },
      { count: 1, bounds: { west: 9, south: 9, east: 9, north: 9 } },
    ]);
    assert.equal(frames.nextCursor, cursor);
  });

  test("clusters of a map in the binary form are those in JSON", async () => {
    const map = { width: 390, algorithm: "map", zoom: 3, itemSize: [44, 44], cluster: 72 };
    const whole = { x: 0, y: 0, width: 3000, height: 3000 };
    const frames = await client.rect(stream, map, whole, { ids: true, pictures: true, sizes: true, limit: 1000 });
    const { items } = await client.rectWithFields(stream, map, whole, { limit: 1000 });
    assert.deepEqual(frames.ids, items.map((item) => item.photo));
    assert.deepEqual([...frames.pictureSizes], items.flatMap((item) => [item.pixelWidth, item.pixelHeight]));
    assert.deepEqual(frames.clusters, items.map((item) => item.cluster));
    assert.ok(frames.clusters.some(({ count }) => count > 1));
  });

  test("items by position and by id, with what is missing", async () => {
    const three = await client.items(stream, layout, { from: 5, count: 3 }, { fields: ["index", "photo"] });
    assert.deepEqual(three.items.map((item) => item.index), [5, 6, 7]);
    const two = await client.items(stream, layout, { ids: ["rifugio-sera", "a,b", "νησιά-01"] }, { fields: ["photo"] });
    assert.deepEqual(two.items.map((item) => item.photo), ["rifugio-sera", "νησιά-01"]);
    assert.deepEqual(two.missing, ["a,b"]);
  });

  test("locate, scrubber, changes, updates", async () => {
    const { item, cursor } = await client.locate(stream, layout, "rifugio-sera", { fields: ["photo", "frame"] });
    assert.equal(item.photo, "rifugio-sera");
    assert.equal((await client.page(stream, { cursor }, { ids: true, limit: 100 })).ids[0], "rifugio-sera");
    const { stops } = await client.scrubber(stream, layout, { steps: 9 });
    assert.equal(stops.length, 9);
    const { revision, state, count } = await client.stream(stream);
    const changes = await client.changes(stream, "0");
    assert.deepEqual([changes.revision, changes.state], [revision, state]);
    assert.equal(changes.changes.length, count);
    // No server knows a revision without the tag of its history.
    assert.equal((await client.changes(stream, String(revision))).reload.reason, "lost-history");
    const rect = { x: 0, y: 0, width: 900, height: 600 };
    const updates = await client.updates(stream, layout, { since: state, rect, keep: "offset" });
    assert.deepEqual([updates.revision, updates.state], [revision, state]);
    assert.equal(updates.contentOffset, 0);
  });

  test("with a condition, all answers are about its photos", async () => {
    const where = "is:landscape taken:2020..";
    const view = { ...layout, where };
    const all = (await ask(`/v1/streams/sample/layout/items?${query}&from=0&count=140`)).items;
    const expected = all.filter((item) => item.pixelWidth > item.pixelHeight && item.takenAt >= "2020").map((item) => item.photo);
    const whole = await client.firstPaint(stream, view, { first: 5 });
    assert.deepEqual([whole.where, whole.count], [where, expected.length]);
    assert.deepEqual(whole.page.items.map((item) => item.photo), expected.slice(0, 5));
    const last = whole.sections[whole.sections.length - 1];
    assert.equal(last.firstIndex + last.count, expected.length);
    const rect = { x: 0, y: 0, ...whole.contentSize };
    const frames = await client.rect(stream, view, rect, { ids: true, pictures: true, limit: 1000 });
    const { items } = await client.rectWithFields(stream, view, rect, { limit: 1000 });
    same(frames, items);
    const inOrder = (await client.items(stream, view, { from: 0, count: 140 })).items.map((item) => item.photo);
    assert.deepEqual([inOrder, [...frames.ids].sort()], [expected, [...expected].sort()]);
    const { item, cursor } = await client.locate(stream, view, expected[7]);
    assert.equal(item.index, 7);
    assert.equal((await client.page(stream, { cursor, where }, { ids: true })).count > 0, true);
    await assert.rejects(client.page(stream, { cursor }, {}), (error) => error.parameter === "cursor");
    const { stops } = await client.scrubber(stream, view, { steps: 400 });
    assert.ok(stops.every(({ index }) => index < expected.length));
    const updates = await client.updates(stream, view, { since: whole.state, rect });
    assert.deepEqual([updates.reload, updates.state, updates.insertions, updates.deletions], [undefined, whole.state, [], []]);
    const map = { width: 390, where: "-is:landscape", algorithm: "map", zoom: 0, itemSize: [44, 44], cluster: 256 };
    const cluster = await client.cluster(stream, map, { unlocated: true }, { limit: 2 });
    const more = await client.cluster(stream, map, { unlocated: true }, { limit: 2, cursor: cluster.nextCursor });
    const others = all.filter((item) => item.pixelWidth <= item.pixelHeight && item.latitude === undefined).map((item) => item.photo);
    assert.deepEqual([...cluster.items, ...more.items].map((item) => item.photo), others.slice(0, 4));
    await assert.rejects(client.layout(stream, { ...layout, where: "tga:x" }), (error) =>
      error.status === 400 && error.parameter === "where" && error.message.startsWith('Column 1: "tga:" is not a qualifier.'));
  });

  /** Compares frames with items in JSON. */
  function same(frames, items) {
    assert.equal(frames.count, items.length);
    items.forEach((item, i) => {
      const frame = frames.frame(i);
      for (const side of ["x", "y", "width", "height"]) assert.ok(isNear(frame[side], item.frame[side]), `${i} ${side}`);
      assert.equal(frames.index[i], item.index);
      assert.equal(frames.ids[i], item.photo);
      assert.equal(frames.keys[i] ?? undefined, item.pictureKey);
      assert.equal(frames.placeholders[i], item.placeholder ?? "");
      const color = frames.colors[i] < 0 ? undefined : `#${frames.colors[i].toString(16).padStart(6, "0")}`;
      assert.equal(color, item.color);
    });
  }
});

describe("writing", () => {
  const id = "rifugio-sera";

  test("an album is filled, listed, renamed and removed", async () => {
    assert.deepEqual(await client.changeAlbum(stream, "Italy/2025", { add: [id, "harbour-dawn-02"] }), { album: "Italy/2025", changed: 2 });
    const { albums } = await client.albums(stream);
    assert.deepEqual(albums.map(({ value, count }) => [value, count]), [["Italy", 2], ["Italy/2025", 2]]);
    assert.equal((await client.changeAlbum(stream, "Italy", { remove: [id] })).changed, 1);
    assert.deepEqual(await client.moveAlbum(stream, "Italy", "Europe"), { album: "Europe", changed: 1 });
    assert.deepEqual((await client.photo(stream, "harbour-dawn-02")).albums, ["Europe/2025"]);
    assert.equal((await client.albums(stream, { where: "rating:5 -rating:5" })).albums.length, 0);
    await client.moveAlbum(stream, "Europe", null);
    assert.equal((await client.albums(stream)).albums.length, 0);
    await assert.rejects(client.moveAlbum(stream, "Europe", null), (error) => error.kind === "unknown-album");
  });

  test("an edit with a validator, with an invalid value, and with an old validator", async () => {
    assert.equal((await client.stream(stream)).canEdit, true);
    const { photo, tag } = await client.photoWithTag(stream, id);
    const title = `Title ${Date.now()}`;
    const { photo: edited, tag: next } = await client.edit(stream, id, { title }, { ifMatch: tag });
    assert.deepEqual([edited.title, edited.caption], [title, photo.caption]);
    assert.deepEqual((await client.photoWithTag(stream, id)).photo, edited);
    await assert.rejects(client.edit(stream, id, { title: "late" }, { ifMatch: tag }), (error) => error.status === 412);
    await assert.rejects(client.edit(stream, id, { rating: 9 }), (error) => error.parameter === "rating");
    assert.equal((await client.edit(stream, id, { title: null }, { ifMatch: next })).photo.title, undefined);
    assert.equal((await client.edit(stream, id, { favourite: true })).photo.favourite, true);
    assert.equal((await client.edit(stream, id, { favourite: null })).photo.favourite, undefined);
  });

  test("a picture is uploaded once, and rejected by a stream without uploads", async () => {
    const bytes = onePixel();
    const name = `été ${Date.now()}.png`;
    assert.equal((await client.stream("added")).canUpload, true);
    const sent = [];
    const onSent = (number) => sent.push(number);
    const photo = await client.uploadPicture("added", new Blob([bytes], { type: "image/png" }), { name, onSent });
    assert.deepEqual(sent, [bytes.length]);
    assert.deepEqual([photo.id, photo.width], [name, 1]);
    assert.deepEqual(await client.photo("added", name), photo);
    const again = client.uploadPicture("added", new Blob([bytes]), { name, onSent });
    await assert.rejects(again, (error) => error.kind === "file-exists" && error.parameter === "name");
    assert.equal(sent.length, 1);
    assert.equal((await client.stream(stream)).canUpload, false);
    const refused = client.uploadPicture(stream, new Blob([bytes]), { name });
    await assert.rejects(refused, (error) => error.kind === "uploads-off" && error.status === 403);
    await client.delete("added", name);
  });

  test("a picture whose name is taken gets another one, and the same picture is not added again", async () => {
    const name = `${Date.now()}.png`;
    const pictures = [onePixel(), onePixel()].map((bytes) => new File([bytes], name, { type: "image/png", lastModified: 1_000_000_000_000 }));
    const first = await client.addPicture("added", pictures[0]);
    const second = await client.addPicture("added", pictures[1]);
    assert.deepEqual([first.isNew, first.photo.id], [true, name]);
    assert.deepEqual([second.isNew, second.photo.id], [true, name.replace(".png", "-2.png")]);
    assert.equal(new Date(first.photo.takenAt).getTime(), 1_000_000_000_000);
    const again = await client.addPicture("added", pictures[1], { name: "other.png" });
    assert.deepEqual([again.isNew, again.photo], [false, second.photo]);
    for (const { photo } of [first, second]) await client.delete("added", photo.id);
  });

  test("a large picture is rejected with a problem document", async () => {
    const bytes = new Uint8Array(30 << 20);
    const refused = client.uploadPicture("added", new Blob([bytes]), { name: "large.txt" });
    await assert.rejects(refused, (error) => error instanceof Problem && error.kind === "invalid-name");
  });

  test("records are imported in three forms", async () => {
    const lines = await client.importRecords("added", '{"id":"a","width":3,"height":2}\n{"id":"b","width":0,"height":2}\n');
    assert.deepEqual([lines.inserted, lines.rejected, lines.rejects[0].line], [1, 1, 2]);
    const csv = new File(["id,caption\na,told\n"], "A.CSV");
    assert.equal((await client.importRecords("added", csv)).updated, 1);
    const json = await client.importRecords("added", '[{"id":"a"}]', { type: "application/json" });
    assert.equal(json.unchanged, 1);
    await client.delete("added", "a");
  });

  test("a deleted photo is listed, and restored to its place", async () => {
    const before = await client.items(stream, layout, { from: 0, count: 140 });
    await client.delete(stream, id);
    await client.delete(stream, "ночной-поезд");
    await assert.rejects(client.delete(stream, id), (error) => error.kind === "unknown-photo");
    const first = await client.deleted(stream, { limit: 1 });
    assert.equal(first.photos[0].photo.id, "ночной-поезд");
    assert.equal((await client.deleted(stream, { limit: 1, after: first.photos[0].photo.id })).photos[0].photo.id, id);
    assert.equal((await client.restore(stream, id)).id, id);
    await client.restore(stream, "ночной-поезд");
    await assert.rejects(client.restore(stream, id), (error) => error.status === 404 || error.status === 409);
    assert.deepEqual((await client.items(stream, layout, { from: 0, count: 140 })).items, before.items);
  });

  test("a photo moves, with others, and returns", async () => {
    const order = async () => (await client.items(stream, layout, { from: 0, count: 10 })).items.map(({ photo }) => photo);
    const before = await order();
    const [a, b, c, d] = before;
    await client.move(stream, a, { after: d, also: [b] });
    assert.deepEqual((await order()).slice(0, 4), [c, d, a, b]);
    await client.move(stream, a, { reset: true, also: [b] });
    assert.deepEqual(await order(), before);
  });

  test("a stack is listed, gets another cover, and is taken apart", async () => {
    const records = ["first", "second"].map((id, stackRank) => ({ id, width: 3, height: 2, stack: "s", stackRank, stackKind: "manual" }));
    await client.importRecords("added", records.map((record) => JSON.stringify(record)).join("\n"));
    const items = async () => (await client.items("added", layout, { from: 0, count: 5 })).items;
    const shown = async () => (await items()).map(({ photo, stackCount }) => [photo, stackCount]);
    const members = async (id) => (await client.stack("added", id)).photos.map((photo) => photo.id);
    assert.deepEqual([await members("second"), await shown()], [["first", "second"], [["first", 2]]]);
    const { tag } = await client.photoWithTag("added", "second");
    assert.equal((await client.makeCover("added", "second", { ifMatch: tag })).id, "second");
    assert.deepEqual([await members("first"), await shown()], [["second", "first"], [["second", 2]]]);
    await assert.rejects(client.makeCover("added", "first", { ifMatch: tag }), (error) => error.status === 412);
    await client.takeApart("added", "first");
    assert.deepEqual([await members("second"), (await shown()).length], [["second"], 2]);
    await assert.rejects(client.takeApart("added", "first"), (error) => error.kind === "not-in-stack");
    for (const id of ["first", "second"]) await client.delete("added", id);
  });
});

describe("errors", () => {
  test("a problem document is a Problem", async () => {
    await assert.rejects(client.stream("unknown"), (error) =>
      error instanceof Problem && error.status === 404 && error.kind === "unknown-stream" && error.message.length > 5);
    await assert.rejects(client.layout(stream, { width: -1 }), (error) => error.parameter === "width");
    await assert.rejects(client.layout(stream, layout, { revision: "1.1" }), (error) => error.kind === "other-revision");
  });

  test("other answers, and bytes that are not frames", async () => {
    const other = await serve((request, response) => response.writeHead(503, { "Retry-After": "7" }).end("busy"));
    await assert.rejects(new PhotoStreamClient(other.address).streams(), (error) =>
      error instanceof Problem && error.status === 503 && error.retryAfter === 7 && error.kind === "");
    other.close();
    assert.throws(() => new Frames(new ArrayBuffer(64)), TypeError);
    assert.throws(() => new Frames(new ArrayBuffer(3)), TypeError);
  });

  test("a signal cancels a question", async () => {
    const abort = new AbortController();
    const asked = client.streams({ signal: abort.signal });
    abort.abort();
    await assert.rejects(asked, { name: "AbortError" });
  });
});

test("conditional requests: 304 returns the remembered answer, and an immutable one is not requested again", async () => {
  const statuses = [];
  const counting = async (...parts) => {
    const answer = await fetch(...parts);
    statuses.push(answer.status);
    return answer;
  };
  const careful = new PhotoStreamClient(address, { fetch: counting, remember: 10 });
  const first = await careful.layout(stream, layout);
  assert.equal(await careful.layout(stream, layout), first);
  const { state: revision } = first;
  const lasting = await careful.rect(stream, layout, { x: 0, y: 0, width: 9, height: 9 }, { revision });
  assert.equal(await careful.rect(stream, layout, { x: 0, y: 0, width: 9, height: 9 }, { revision }), lasting);
  assert.deepEqual(statuses, [200, 304, 200]);
});

describe("events", () => {
  /** The parts of a stream of events, each sent separately; then the connection ends. */
  const connections = [];
  let server;
  before(async () => {
    const parts = [
      ["retry: 2500\n\nevent: sta", "te\nid: 7\ndata: {\"revision\": 7}\n\n: heartbeat\n\n"],
      ["event: change\r\nid: 9\r\ndata: {\"revision\":\r\ndata: 9}\r\n\r\nevent: pictures\ndata: {}\n\n", "event: cut\ndata: "],
    ];
    server = await serve(async (request, response) => {
      connections.push(request.headers["last-event-id"]);
      const part = parts[connections.length - 1];
      if (!part) return void response.writeHead(404, { "Content-Type": "application/problem+json" }).end("{}");
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      for (const text of part) {
        response.write(text);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      response.end();
    });
  });
  after(() => server.close());

  test("are read in parts, continue after the last id, and end with 404", async () => {
    const events = [];
    const states = [];
    const waits = [];
    const reading = async () => {
      const options = { onState: (state) => states.push(state), wait: async (time) => { waits.push(time); } };
      for await (const event of new PhotoStreamClient(server.address).events("a b", options)) events.push(event);
    };
    await assert.rejects(reading(), (error) => error instanceof Problem && error.status === 404);
    assert.deepEqual(events, [
      { event: "state", data: { revision: 7 } }, { event: "change", data: { revision: 9 } }, { event: "pictures", data: {} },
    ]);
    assert.deepEqual(connections, [undefined, "7", "9"]);
    assert.deepEqual(states, ["connected", "disconnected", "connected", "disconnected"]);
    // The `retry` of the server, plus or minus a quarter.
    assert.ok(waits.every((time) => time >= 1_875 && time <= 3_125), String(waits));
  });

  test("of a real server are changes with their photos, first those that were missed", async () => {
    const { state } = await client.stream("sample");
    const photo = `${address}/v1/streams/sample/photos/rifugio-sera`;
    const { caption } = await (await fetch(photo)).json();
    const write = (text) => fetch(photo, {
      method: "PATCH", headers: { "Content-Type": "application/merge-patch+json" }, body: JSON.stringify({ caption: text }),
    });
    await write("first");
    const abort = new AbortController();
    const seen = [];
    for await (const { event, data } of client.events("sample", { since: state, signal: abort.signal })) {
      // The decodes of earlier tests may end now.
      if (event === "pictures") continue;
      assert.equal(event, "change");
      assert.equal(data.sinceState, seen.at(-1)?.state ?? state);
      assert.deepEqual(data.changes.map(({ change, id }) => [change, id]), [["updated", "rifugio-sera"]]);
      seen.push(data);
      if (seen.length === 1) await write(caption);
      else abort.abort();
    }
    assert.deepEqual(seen.map(({ changes }) => changes[0].photo.caption), ["first", caption]);
  });

  test("retries of an unreachable server slow down", async () => {
    const abort = new AbortController();
    const waits = [];
    const wait = async (time) => {
      waits.push(time);
      if (waits.length === 7) abort.abort();
    };
    const unreachable = new PhotoStreamClient("http://127.0.0.1:9");
    for await (const _ of unreachable.events("a", { signal: abort.signal, wait })) assert.fail();
    assert.ok(waits[0] <= 2_500 && waits[6] >= 7_500 && waits[6] <= 12_500, String(waits));
  });
});

describe("ThumbHash", () => {
  test("equals another decoder's picture", async () => {
    const cases = JSON.parse(await readFile(new URL("thumbhashes.json", import.meta.url)));
    assert.ok(cases.length >= 5);
    for (const { hash, width, height, rows } of cases) {
      const picture = decodeThumbHash(thumbHashBytes(hash));
      assert.deepEqual([picture.width, picture.height], [width, height]);
      for (const [y, row] of Object.entries(rows)) {
        assert.deepEqual([...picture.rgba.slice(y * width * 4, (Number(y) + 1) * width * 4)], row, `${hash} ${y}`);
      }
    }
  });

  test("refuses everything else", () => {
    for (const text of ["", "LEHV6nWB2yk8pyo0adR*.7kCMdnj", "AAAA", "not base64!", "1QcSHQRnh493V4dIh4eX"]) {
      assert.equal(thumbHashBytes(text), null, text);
    }
  });
});

describe("maps", () => {
  const map = { width: 1024, algorithm: "map", zoom: 5, itemSize: [44, 44], cluster: 72 };

  test("clusters have all photos with a position, and their photos are theirs", async () => {
    const { positions, contentSize } = await client.layout(stream, map, { limit: 2 });
    const whole = { x: 0, y: 0, ...contentSize };
    const { items } = await client.rectWithFields(stream, map, whole, { limit: 1_000, fields: ["photo", "frame", "cluster"] });
    assert.equal(items.reduce((sum, item) => sum + item.cluster.count, 0), positions.located);
    for (const { photo, frame, cluster } of items.slice(0, 9)) {
      const middle = { x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 };
      const first = await client.cluster(stream, map, middle, { limit: 1 });
      assert.equal(first.count, cluster.count);
      assert.equal(first.items[0].photo, photo);
      const rest = first.nextCursor ? (await client.cluster(stream, map, middle, { cursor: first.nextCursor })).items : [];
      assert.equal(1 + rest.length, cluster.count);
    }
    assert.equal((await client.cluster(stream, map, { unlocated: true }, { limit: 1 })).count, positions.unlocated);
  });

  test("cities are found by name", async () => {
    const { places } = await client.places("zuri", { limit: 3 });
    assert.equal(places[0].name, "Zürich");
    assert.deepEqual(places, (await ask("/v1/places?query=zuri&limit=3")).places);
  });

  test("the land is read within its bounds, and damaged land is refused", async () => {
    const bytes = new Uint8Array(await client.land());
    assert.ok(bytes.length <= 250_000);
    const land = new Land(bytes.buffer);
    assert.ok(land.land.length > 1_000 && land.lakes.length > 500 && land.borders.length > 200 && land.names.length > 1_000);
    for (const path of [...land.land, ...land.lakes, ...land.borders]) {
      assert.ok(path.points.every((value) => value >= 0 && value <= units));
    }
    assert.equal(land.cityNear(project(47.4, 8.5), 0.002), "Zürich");
    assert.equal(land.cityNear(project(30, -40), 0.002), null);
    assert.throws(() => new Land(new ArrayBuffer(0)), DamagedLand);
    for (let length = 0; length < bytes.length; length += 997) {
      assert.throws(() => new Land(bytes.slice(0, length).buffer), DamagedLand, `${length}`);
    }
    let seed = 7;
    for (let run = 0; run < 200; run += 1) {
      const damaged = bytes.slice();
      for (let change = 0; change < 3; change += 1) {
        seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
        damaged[seed % damaged.length] = seed >> 8;
      }
      try {
        new Land(damaged.buffer);
      } catch (error) {
        assert.ok(error instanceof DamagedLand, String(error));
      }
    }
  });

  test("places and positions are each other's inverse, and bounds over the antimeridian are the whole width", () => {
    for (const [latitude, longitude] of [[0, 0], [47.37, 8.54], [-85, -180], [85, 180], [-33.9, 151.2]]) {
      const back = unproject(project(latitude, longitude));
      assert.ok(Math.abs(back.latitude - latitude) < 1e-9 && Math.abs(back.longitude - longitude) < 1e-9);
    }
    assert.deepEqual([extent({ west: 170, south: 0, east: -170, north: 0 }).x, extent({ west: 170, south: 0, east: -170, north: 0 }).width], [0, 1]);
    assert.ok(isNear(extent({ west: -90, south: 0, east: 90, north: 0 }).width, 0.5));
  });
});

describe("sizes of thumbnails", () => {
  test("the picture covers its cell, and is enlarged by at most a twentieth", () => {
    const sizes = (cell, picture) => [1, 2, 3].map((density) => thumbnailSize(cell, density, picture));
    const rows = [
      // A portrait in a column and in a line.
      [{ width: 226, height: 301 }, { width: 3000, height: 4000 }, [480, 960, 960]],
      [{ width: 144, height: 192 }, { width: 3000, height: 4000 }, [240, 480, 960]],
      // A landscape in a cell that cuts off its sides.
      [{ width: 226, height: 226 }, { width: 4000, height: 3000 }, [480, 960, 960]],
      [{ width: 56, height: 56 }, { width: 4000, height: 3000 }, [240, 240, 240]],
      // A panorama in such a cell, at full width, and in a cell that is narrower than the picture.
      [{ width: 226, height: 226 }, { width: 9000, height: 3000 }, [960, 1280, 1280]],
      [{ width: 226, height: 226 }, { width: 14000, height: 2000 }, [1280, 1280, 1280]],
      [{ width: 900, height: 129 }, { width: 14000, height: 2000 }, [960, 1280, 1280]],
      [{ width: 600, height: 129 }, { width: 14000, height: 2000 }, [960, 1280, 1280]],
      // Without a size, the picture has the ratio of the cell.
      [{ width: 230, height: 100 }, undefined, [240, 480, 960]],
      [{ width: 252, height: 252 }, undefined, [240, 480, 960]],
      [{ width: 252.1, height: 252 }, undefined, [480, 960, 960]],
    ];
    for (const [cell, picture, expected] of rows) {
      assert.deepEqual(sizes(cell, picture), expected, JSON.stringify([cell, picture]));
    }
    assert.equal(thumbnailSize({ width: 1350, height: 900 }, 1, undefined, thumbnailSizes), 1920);
    assert.equal(thumbnailSize({ width: 4000, height: 3000 }, 2, undefined, thumbnailSizes), 2560);
  });

  test("a size is the least that is enough", () => {
    let seed = 7;
    const number = (least, most) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return least + (seed % (most - least + 1));
    };
    for (let i = 0; i < 2_000; i += 1) {
      const cell = { width: number(20, 900), height: number(20, 900) };
      const picture = { width: number(1, 9000), height: number(1, 9000) };
      const density = number(4, 12) / 4;
      const sizes = preparedSizes(picture);
      const size = thumbnailSize(cell, density, picture);
      // The enlargement of a thumbnail, by its own sides.
      const enlargement = (side) => {
        const scale = side / Math.max(picture.width, picture.height);
        return Math.max(cell.width / picture.width, cell.height / picture.height) * density / scale;
      };
      assert.ok(size === sizes.at(-1) || enlargement(size) <= 1.05 + 1e-9);
      for (const smaller of sizes.filter((side) => side < size)) assert.ok(enlargement(smaller) > 1.05 - 1e-9);
    }
  });

  test("the sizes that are made in advance serve the layouts that the gallery opens with", () => {
    const windows = [[1440, 900, 1], [1440, 900, 2], [1920, 1080, 2], [3840, 2160, 1], [390, 844, 2]];
    for (const [width, height, scale] of windows) {
      for (const [across, along] of [[4, 3], [3, 2], [16, 9], [1, 1], [3, 4], [2, 3], [9, 16]]) {
        for (const name of ["masonry", "grid", "justified", "flow", "map"]) {
          const options = layoutOptions({ ...defaults, layout: name }, { width, height, scale, text: 1 });
          const [, left, , right] = options.contentInset ?? [0, 0, 0, 0];
          const column = (width - left - right - (options.columns - 1) * defaults.spacing) / options.columns;
          // A line is as high as its target, give or take a third.
          const line = (options.targetLineHeight ?? options.itemHeight) * 4 / 3;
          const [faceWidth, faceHeight] = options.itemSize ?? [];
          const cell = name === "map" ? { width: faceWidth, height: faceHeight } : name === "grid" ? { width: column, height: column }
            : name === "masonry" ? { width: column, height: column * along / across }
            : { width: line * across / along, height: line };
          const picture = { width: across * 1000, height: along * 1000 };
          const side = thumbnailSize(cell, scale, picture, [...preparedSizes(picture), Infinity]);
          assert.ok(side <= 960, `${name} ${width}×${height} at ${scale}: ${across}:${along}`);
        }
      }
    }
  });
});

test("the examples of the documentation run", async () => {
  const text = await readFile(new URL("../../Documentation/Clients.md", import.meta.url), "utf8");
  const examples = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code);
  assert.ok(examples.length >= 5);
  const shown = [];
  const code = examples.join("\n").replace(/^import .*\n/gm, "").replaceAll("http://127.0.0.1:8080", address)
    .replaceAll("holiday", "sample");
  const AsyncFunction = (async () => {}).constructor;
  const run = new AsyncFunction("PhotoStreamClient", "Problem", "thumbnailSize", "console", code);
  await run(PhotoStreamClient, Problem, thumbnailSize, { log: (...values) => shown.push(values) });
  assert.ok(shown.length >= examples.length - 1);
  assert.deepEqual(shown.at(-1), [true]);
});

/** Starts a server for one test. */
async function serve(handler) {
  const server = createServer(handler);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.closeAllConnections() || server.close() };
}

assert.equal(binaryType, "application/vnd.photostream.page");
