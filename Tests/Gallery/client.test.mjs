// The API client in Node, against a running server with the samples. PHOTOSTREAM_ADDRESS is the server.
// Run by scripts/gallery-test.

import assert from "node:assert/strict";
import { File } from "node:buffer";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { Frames, PhotoStreamClient, Problem, binaryType, thumbnailSizes } from
  "../../Sources/PhotoStreamGallery/Files/photostream.js";
import { DamagedLand, Land, units } from "../../Sources/PhotoStreamGallery/Files/land.js";
import { extent, project, unproject } from "../../Sources/PhotoStreamGallery/Files/mercator.js";
import { decodeThumbHash, thumbHashBytes } from "../../Sources/PhotoStreamGallery/Files/thumbhash.js";

const address = process.env.PHOTOSTREAM_ADDRESS;
const client = new PhotoStreamClient(address);
const stream = "sample";
const layout = { width: 900, displayScale: 1.5, columns: 5, interitemSpacing: 7, sectionBy: "year", headerSize: 40 };

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
    const frames = await client.rect("photos", { width: 900 }, whole, { ids: true, pictures: true, limit: 1000 });
    const json = await client.rectWithFields("photos", { width: 900 }, whole, { limit: 1000 });
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

  test("a search is the one in JSON, and a newer one cancels it", async () => {
    const found = await client.search(stream, layout, "SeR");
    assert.deepEqual(found, await ask(`/v1/streams/sample/layout/search?${query}&text=SeR`));
    assert.equal(found.matches, found.items.length);
    assert.ok(found.matches > 0 && found.complete);
    await assert.rejects(client.search(stream, layout, ""), (error) => error.parameter === "text");
    const abort = new AbortController();
    const asked = client.search(stream, layout, "ser", { signal: abort.signal });
    abort.abort();
    await assert.rejects(asked, { name: "AbortError" });
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
  });

  test("a picture is uploaded once, and rejected by a stream without uploads", async () => {
    const bytes = await readFile(new URL("../../SampleData/pictures/one-pixel.png", import.meta.url));
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
    const bytes = await readFile(new URL("../../SampleData/pictures/one-pixel.png", import.meta.url));
    const name = `${Date.now()}.png`;
    const picture = (end) => new File([bytes, name, end], name, { type: "image/png", lastModified: 1_000_000_000_000 });
    const first = await client.addPicture("added", picture("1"));
    const second = await client.addPicture("added", picture("2"));
    assert.deepEqual([first.isNew, first.photo.id], [true, name]);
    assert.deepEqual([second.isNew, second.photo.id], [true, name.replace(".png", "-2.png")]);
    assert.equal(new Date(first.photo.takenAt).getTime(), 1_000_000_000_000);
    const again = await client.addPicture("added", picture("2"), { name: "other.png" });
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

test("the examples of the documentation run", async () => {
  const text = await readFile(new URL("../../Documentation/Clients.md", import.meta.url), "utf8");
  const examples = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code);
  assert.ok(examples.length >= 5);
  const shown = [];
  const code = examples.join("\n").replace(/^import .*\n/gm, "").replaceAll("http://127.0.0.1:8080", address)
    .replaceAll("holiday", "sample");
  const AsyncFunction = (async () => {}).constructor;
  const run = new AsyncFunction("PhotoStreamClient", "Problem", "thumbnailSizes", "console", code);
  await run(PhotoStreamClient, Problem, thumbnailSizes, { log: (...values) => shown.push(values) });
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
