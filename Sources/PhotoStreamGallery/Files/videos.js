// @ts-check
/** Videos: a photo with a duration is one. Whether a browser plays it depends on its codec and on the kind of its file. */

/** @typedef {{duration?: number, codec?: string, location?: string}} Video */
/** @typedef {{name: string, full?: string, type?: string, isSentAsMP4?: boolean}} Codec The plain name; the name in media types
 * (RFC 6381) with the profile and level of usual cameras; the type of its usual files; whether the server sends QuickTime files
 * with it as MP4. */

/** The codecs, by the names that photos have.
 * @type {Map<string, Codec>} */
const codecs = new Map(Object.entries({
  avc1: { name: "H.264", full: "avc1.640028", type: "video/mp4", isSentAsMP4: true },
  avc3: { name: "H.264", full: "avc3.640028", type: "video/mp4", isSentAsMP4: true },
  hvc1: { name: "HEVC", full: "hvc1.1.6.L120.B0", type: "video/mp4", isSentAsMP4: true },
  hev1: { name: "HEVC", full: "hev1.1.6.L120.B0", type: "video/mp4", isSentAsMP4: true },
  dvh1: { name: "Dolby Vision" }, dvhe: { name: "Dolby Vision" },
  av01: { name: "AV1", full: "av01.0.08M.08", type: "video/mp4" },
  vp08: { name: "VP8", full: "vp8", type: "video/webm" },
  vp09: { name: "VP9", full: "vp09.00.40.08", type: "video/webm" },
  mp4v: { name: "MPEG-4", full: "mp4v.20.9", type: "video/mp4" },
  xvid: { name: "MPEG-4" }, divx: { name: "MPEG-4" }, dx50: { name: "MPEG-4" },
  mp1v: { name: "MPEG-1" }, mp2v: { name: "MPEG-2" }, h263: { name: "H.263" }, s263: { name: "H.263" },
  jpeg: { name: "Motion JPEG" }, mjpg: { name: "Motion JPEG" }, mjpa: { name: "Motion JPEG" }, mjpb: { name: "Motion JPEG" },
  apch: { name: "ProRes" }, apcn: { name: "ProRes" }, apcs: { name: "ProRes" }, apco: { name: "ProRes" }, ap4h: { name: "ProRes" },
}));
/** The types of files, by their extensions. */
const types = new Map(Object.entries({
  mp4: "video/mp4", m4v: "video/mp4", mov: "video/quicktime", qt: "video/quicktime", "3gp": "video/3gpp", "3g2": "video/3gpp2",
  webm: "video/webm", mkv: "video/x-matroska", avi: "video/x-msvideo", mts: "video/mp2t", m2ts: "video/mp2t", mpg: "video/mpeg",
  mpeg: "video/mpeg",
}));

/** @param {Video} item */
export function isVideo({ duration }) {
  return duration !== undefined;
}

/** Returns a codec; `undefined` if it is not known. */
function known(/** @type {string | undefined} */ name) {
  return codecs.get(name?.trim().toLowerCase() ?? "");
}

/** Returns the plain name of a codec, such as "HEVC"; an empty text if it is not known.
 * @param {string | undefined} codec */
export function codecName(codec) {
  return known(codec)?.name ?? codec ?? "";
}

/** Returns the media type of a video, with its codec. Without the name of its file, which a share hides, the file counts as a
 * usual one of its codec.
 * @param {Video} video */
export function mediaType({ codec, location = "" }) {
  const { full = codec, type = "video/mp4", isSentAsMP4 = false } = known(codec) ?? {};
  const own = types.get(/\.(\w+)$/.exec(location)?.[1].toLowerCase() ?? "") ?? type;
  const sent = own === "video/quicktime" && isSentAsMP4 ? "video/mp4" : own;
  return full ? `${sent}; codecs="${full}"` : sent;
}

/** Whether the server sends a video, and the browser plays it.
 * @param {Video} video */
export function canPlay(video) {
  const isElsewhere = /^[a-z][a-z0-9+.-]*:/i.test(video.location ?? "");
  return !isElsewhere && document.createElement("video").canPlayType(mediaType(video)) !== "";
}

/** Ends a video and its requests, and removes its element.
 * @param {HTMLVideoElement} video */
export function unload(video) {
  video.pause();
  video.removeAttribute("src");
  // Without it, the former file stays open.
  video.load();
  video.remove();
}
