-- The derived tables with a checksum in each row, so that a row that another program has written or that the disk has
-- altered is noticed where it is read: it is dropped and made again. See RowChecksum. What was stored goes with the old
-- tables and comes back; the change log and the photos stay.

-- Ids go on where they were.
CREATE TABLE keptSequence AS SELECT name, seq FROM sqlite_sequence WHERE name IN ('chunk', 'layout');

DROP TRIGGER streamDeletesDerived;
DROP TABLE layoutFrames;
DROP TABLE layoutChunk;
DROP TABLE layout;
DROP TABLE chunkContent;
DROP TABLE chunk;
DROP TABLE streamIndex;

-- One row for each stream whose chunks are up to date as of a revision. No row: the chunks are to be built.
CREATE TABLE streamIndex (
    streamId INTEGER PRIMARY KEY,
    -- The log was read up to here; later rows of the stream are not in the chunks yet.
    consumedRevision INTEGER NOT NULL,
    -- The stream's last change-log row up to there.
    streamRevision INTEGER NOT NULL,
    photoCount INTEGER NOT NULL CHECK (photoCount >= 0),
    -- A random number, new whenever the chunks are written: a process that keeps chunk ids in memory sees by it that they
    -- still mean what they meant.
    generation INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

-- A run of consecutive photos of a stream with what layouts read of them.
CREATE TABLE chunk (
    -- AUTOINCREMENT: never reused, so a stored frame can never be taken for another chunk's.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    streamId INTEGER NOT NULL,
    -- 0 it counts, 1 it is staged: a rebuild has written it and will put it in place, 2 it was replaced and is to be
    -- deleted.
    state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 2),
    -- The place of its first photo: the greatest key in it.
    firstTime INTEGER NOT NULL,
    firstRank INTEGER NOT NULL,
    photoCount INTEGER NOT NULL CHECK (photoCount BETWEEN 1 AND 4096),
    -- The revision that last changed its geometry.
    version INTEGER NOT NULL,
    -- What a map reads: how many photos have a position, and the least box around those in 2^-32 of the world's side,
    -- NULL where there are none. See PositionSummary.
    locatedCount INTEGER NOT NULL CHECK (locatedCount BETWEEN 0 AND 4096),
    minX INTEGER CHECK (minX BETWEEN 0 AND 4294967295),
    maxX INTEGER CHECK (maxX BETWEEN 0 AND 4294967295),
    minY INTEGER CHECK (minY BETWEEN 0 AND 4294967295),
    maxY INTEGER CHECK (maxY BETWEEN 0 AND 4294967295),
    checksum INTEGER NOT NULL
) STRICT;

-- Serves the directory of a stream's chunks in stream order, read backwards.
CREATE UNIQUE INDEX chunkOrder ON chunk (streamId, state, firstTime, firstRank);

-- What a chunk holds, photoCount records in stream order; apart from the directory, which is read whole. The checksums
-- stand before the blobs, one for each, so that a blob that is not asked for is not read.
CREATE TABLE chunkContent (
    chunkId INTEGER PRIMARY KEY,
    metricsChecksum INTEGER NOT NULL,
    rowIdsChecksum INTEGER NOT NULL,
    positionsChecksum INTEGER NOT NULL,
    -- See PackedMetrics.
    metrics BLOB NOT NULL,
    -- See PackedRowIDs.
    rowIds BLOB NOT NULL,
    -- A position for each photo, see WorldPosition; empty where none has one.
    positions BLOB NOT NULL
) STRICT;

CREATE TRIGGER chunkDeletesContent BEFORE DELETE ON chunk BEGIN
    DELETE FROM chunkContent WHERE chunkId = OLD.id;
END;

-- A layout configuration that was asked for.
CREATE TABLE layout (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    streamId INTEGER NOT NULL,
    -- The canonical text of the configuration; the engine's version is part of it.
    layoutKey TEXT NOT NULL,
    firstUsedMilliseconds INTEGER NOT NULL,
    lastUsedMilliseconds INTEGER NOT NULL,
    -- Whether anything of it is stored: not before it was asked for again, so that the widths of a drag leave no more
    -- than their names.
    isKept INTEGER NOT NULL CHECK (isKept BETWEEN 0 AND 1),
    -- What is stored of it: checkpoints, sections, frames, and a fixed sum for each row.
    byteCount INTEGER NOT NULL CHECK (byteCount >= 0),
    -- How many questions were answered from what was there.
    hitCount INTEGER NOT NULL CHECK (hitCount >= 0),
    -- How many chunks were folded for it: grows only when a fold runs.
    foldedChunkCount INTEGER NOT NULL CHECK (foldedChunkCount >= 0),
    checksum INTEGER NOT NULL,
    UNIQUE (streamId, layoutKey)
) STRICT;

-- A chunk as a layout placed it. It is valid while version and entryState are those of the chunk and of the layout's
-- state before it.
CREATE TABLE layoutChunk (
    layoutId INTEGER NOT NULL,
    chunkId INTEGER NOT NULL,
    version INTEGER NOT NULL,
    -- The state at the start of the chunk and after it, each relative to its own origin.
    entryState BLOB NOT NULL,
    exitState BLOB NOT NULL,
    -- The sections that begin in the chunk: see SectionStart.
    sections BLOB NOT NULL,
    -- Along the scroll axis, in device pixels: from the chunk's origin to the next one's; the least top and the greatest
    -- end of what was placed, from the chunk's base; the longest item. An advance is negative at most by a line spacing.
    -- Origins are prefix sums of advances, so an edit rewrites no later row.
    advance INTEGER NOT NULL,
    leastTop INTEGER NOT NULL CHECK (leastTop >= 0),
    greatestEnd INTEGER NOT NULL CHECK (greatestEnd >= 0),
    longestItem INTEGER NOT NULL CHECK (longestItem >= 0),
    -- How many photos were placed: those of an open line are placed with a later chunk.
    placedCount INTEGER NOT NULL CHECK (placedCount >= 0),
    checksum INTEGER NOT NULL,
    PRIMARY KEY (layoutId, chunkId)
) STRICT, WITHOUT ROWID;

-- The frames of what a chunk's run placed: see PackedFrames. Layouts that compute places from positions have none. The
-- checksum covers the version and the entry state of the placement that they were made with, too.
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
