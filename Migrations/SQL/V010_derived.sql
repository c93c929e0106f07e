-- The derived tables with a checksum in each row, which detects rows altered by other programs or by the disk: such a
-- row is dropped and recreated. See RowChecksum. Stored data are dropped with the old tables and recreated; the change
-- log and the photos stay.

-- Ids continue where they were.
CREATE TABLE keptSequence AS SELECT name, seq FROM sqlite_sequence WHERE name IN ('chunk', 'layout');

DROP TRIGGER streamDeletesDerived;
DROP TABLE layoutFrames;
DROP TABLE layoutChunk;
DROP TABLE layout;
DROP TABLE chunkContent;
DROP TABLE chunk;
DROP TABLE streamIndex;

-- One row per stream with stored chunks. Without a row, the chunks must be built.
CREATE TABLE streamIndex (
    streamId INTEGER PRIMARY KEY,
    -- The revision up to which the log was read; later rows of the stream are not in the chunks yet.
    consumedRevision INTEGER NOT NULL,
    -- The stream's last change-log row up to there.
    streamRevision INTEGER NOT NULL,
    photoCount INTEGER NOT NULL CHECK (photoCount >= 0),
    -- A random number, new whenever chunks are written: it tells a process that keeps chunk ids in memory whether they
    -- are still valid.
    generation INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

-- Consecutive photos of a stream, with the properties that layouts use.
CREATE TABLE chunk (
    -- AUTOINCREMENT: an id is never reused, so a stored frame can never be taken for another chunk's.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    streamId INTEGER NOT NULL,
    -- 0 counted: in use. 1 staged: a rebuild has written it and will swap it in. 2 discarded: replaced, to be deleted.
    state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 2),
    -- The place of its first photo, the greatest key in it.
    firstTime INTEGER NOT NULL,
    firstRank INTEGER NOT NULL,
    photoCount INTEGER NOT NULL CHECK (photoCount BETWEEN 1 AND 4096),
    -- The revision of the last change of its geometry.
    version INTEGER NOT NULL,
    -- For maps: the number of photos with a position, and their bounding box in 2^-32 of the world's side, NULL if
    -- there are none. See PositionSummary.
    locatedCount INTEGER NOT NULL CHECK (locatedCount BETWEEN 0 AND 4096),
    minX INTEGER CHECK (minX BETWEEN 0 AND 4294967295),
    maxX INTEGER CHECK (maxX BETWEEN 0 AND 4294967295),
    minY INTEGER CHECK (minY BETWEEN 0 AND 4294967295),
    maxY INTEGER CHECK (maxY BETWEEN 0 AND 4294967295),
    checksum INTEGER NOT NULL
) STRICT;

-- Serves the list of a stream's chunks in stream order, read backwards.
CREATE UNIQUE INDEX chunkOrder ON chunk (streamId, state, firstTime, firstRank);

-- The content of a chunk: photoCount records in stream order, apart from the list of chunks, which is read as a whole.
-- Each blob's checksum precedes the blobs, so that a blob that is not needed is not read.
CREATE TABLE chunkContent (
    chunkId INTEGER PRIMARY KEY,
    metricsChecksum INTEGER NOT NULL,
    rowIdsChecksum INTEGER NOT NULL,
    positionsChecksum INTEGER NOT NULL,
    -- See PackedMetrics.
    metrics BLOB NOT NULL,
    -- See PackedRowIDs.
    rowIds BLOB NOT NULL,
    -- One position per photo, see WorldPosition; empty if no photo has one.
    positions BLOB NOT NULL
) STRICT;

CREATE TRIGGER chunkDeletesContent BEFORE DELETE ON chunk BEGIN
    DELETE FROM chunkContent WHERE chunkId = OLD.id;
END;

-- A layout configuration that has been used.
CREATE TABLE layout (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    streamId INTEGER NOT NULL,
    -- The layout key, which includes the engine's version.
    layoutKey TEXT NOT NULL,
    firstUsedMilliseconds INTEGER NOT NULL,
    lastUsedMilliseconds INTEGER NOT NULL,
    -- Whether its data are stored: only after its second use, so that the widths of a resized window leave only their
    -- keys.
    isKept INTEGER NOT NULL CHECK (isKept BETWEEN 0 AND 1),
    -- The size of its stored data: checkpoints, sections, frames, and a fixed amount per row.
    byteCount INTEGER NOT NULL CHECK (byteCount >= 0),
    -- The number of queries answered from stored or cached data.
    hitCount INTEGER NOT NULL CHECK (hitCount >= 0),
    -- The number of chunks folded for it.
    foldedChunkCount INTEGER NOT NULL CHECK (foldedChunkCount >= 0),
    checksum INTEGER NOT NULL,
    UNIQUE (streamId, layoutKey)
) STRICT;

-- The placement of a chunk by a layout, valid while version and entryState equal those of the chunk and of the layout's
-- state before it.
CREATE TABLE layoutChunk (
    layoutId INTEGER NOT NULL,
    chunkId INTEGER NOT NULL,
    version INTEGER NOT NULL,
    -- The states at the start of the chunk and after it, each relative to its own origin.
    entryState BLOB NOT NULL,
    exitState BLOB NOT NULL,
    -- The sections that begin in the chunk: see SectionStart.
    sections BLOB NOT NULL,
    -- Along the scroll axis, in device pixels: the distance to the next chunk's origin; the least top and the greatest
    -- end of the placed elements, from the chunk's base; the longest item. An advance is negative by at most a line
    -- spacing. Origins are prefix sums of advances, so an edit rewrites no later row.
    advance INTEGER NOT NULL,
    leastTop INTEGER NOT NULL CHECK (leastTop >= 0),
    greatestEnd INTEGER NOT NULL CHECK (greatestEnd >= 0),
    longestItem INTEGER NOT NULL CHECK (longestItem >= 0),
    -- The number of placed photos: those of an open line are placed with a later chunk.
    placedCount INTEGER NOT NULL CHECK (placedCount >= 0),
    checksum INTEGER NOT NULL,
    PRIMARY KEY (layoutId, chunkId)
) STRICT, WITHOUT ROWID;

-- The frames of a chunk's placed elements: see PackedFrames. Layouts that compute places from positions have none. The
-- checksum also covers the version and the entry state of the placement that they were made with.
CREATE TABLE layoutFrames (
    layoutId INTEGER NOT NULL,
    chunkId INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    frames BLOB NOT NULL,
    PRIMARY KEY (layoutId, chunkId)
) STRICT;

CREATE TRIGGER layoutDeletesChunks BEFORE DELETE ON layout BEGIN
    DELETE FROM layoutChunk WHERE layoutId = OLD.id;
    DELETE FROM layoutFrames WHERE layoutId = OLD.id;
END;

CREATE TRIGGER streamDeletesDerived AFTER DELETE ON stream BEGIN
    DELETE FROM layout WHERE streamId = OLD.id;
    DELETE FROM chunk WHERE streamId = OLD.id;
    DELETE FROM streamIndex WHERE streamId = OLD.id;
END;

INSERT INTO sqlite_sequence (name, seq) SELECT name, seq FROM keptSequence;
DROP TABLE keptSequence;
