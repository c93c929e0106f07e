-- Derived tables. All of them can be dropped at any moment, together, and come back identical. None is ever written by
-- a trigger but to remove what belonged to a deleted stream.

-- One row for each stream whose chunks are up to date as of a revision. No row: the chunks are to be built anew.
CREATE TABLE streamIndex (
    streamId INTEGER PRIMARY KEY,
    -- The log was read up to here; rows of the stream behind it are not in the chunks yet.
    consumedRevision INTEGER NOT NULL,
    -- The stream's last change-log row up to there.
    streamRevision INTEGER NOT NULL,
    photoCount INTEGER NOT NULL CHECK (photoCount >= 0),
    -- A random number, new whenever the chunks are written: who keeps chunk ids in memory sees by it that they still mean
    -- what they meant.
    generation INTEGER NOT NULL
) STRICT;

-- A run of consecutive photos of a stream with what layouts read of them.
CREATE TABLE chunk (
    -- AUTOINCREMENT: never reused, so a stored frame can never be taken for another chunk's.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    streamId INTEGER NOT NULL,
    -- The place of its first photo: the greatest key in it.
    firstTime INTEGER NOT NULL,
    firstRank INTEGER NOT NULL,
    photoCount INTEGER NOT NULL CHECK (photoCount BETWEEN 1 AND 4096),
    -- The revision that last changed its geometry.
    version INTEGER NOT NULL
) STRICT;

-- Serves the directory of a stream's chunks in stream order, read backwards.
CREATE UNIQUE INDEX chunkOrder ON chunk (streamId, firstTime, firstRank);

-- What a chunk holds, photoCount records in stream order; apart from the directory, which is read whole.
CREATE TABLE chunkContent (
    chunkId INTEGER PRIMARY KEY,
    -- See PackedMetrics.
    metrics BLOB NOT NULL,
    -- See PackedRowIDs.
    rowIds BLOB NOT NULL
) STRICT;

CREATE TRIGGER chunkDeletesContent BEFORE DELETE ON chunk BEGIN
    DELETE FROM chunkContent WHERE chunkId = OLD.id;
END;

-- A layout configuration of which something is stored.
CREATE TABLE layout (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    streamId INTEGER NOT NULL,
    -- The canonical text of the configuration; the engine's version is part of it.
    layoutKey TEXT NOT NULL,
    lastUsedMilliseconds INTEGER NOT NULL,
    -- How many chunks were folded for it since it was stored first: grows only when a fold runs.
    foldedChunkCount INTEGER NOT NULL,
    UNIQUE (streamId, layoutKey)
) STRICT;

-- A chunk as a layout placed it. It is valid while version and entryState are those of the chunk and of the layout's
-- state before it.
CREATE TABLE layoutChunk (
    layoutId INTEGER NOT NULL,
    chunkId INTEGER NOT NULL,
    version INTEGER NOT NULL,
    -- The state at the start of the chunk and behind it, each relative to its own origin.
    entryState BLOB NOT NULL,
    exitState BLOB NOT NULL,
    -- The sections that begin in the chunk: see SectionStart.
    sections BLOB NOT NULL,
    -- Along the scroll axis, in device pixels: from the chunk's origin to the next one's; the least top and the greatest
    -- end of what was placed, from the chunk's base; the longest item. An advance is negative at most by a line spacing.
    -- Origins are prefix sums of advances, so an edit rewrites no row behind it.
    advance INTEGER NOT NULL,
    leastTop INTEGER NOT NULL CHECK (leastTop >= 0),
    greatestEnd INTEGER NOT NULL CHECK (greatestEnd >= 0),
    longestItem INTEGER NOT NULL CHECK (longestItem >= 0),
    -- How many photos were placed: those of an open line are placed with a later chunk.
    placedCount INTEGER NOT NULL CHECK (placedCount >= 0),
    PRIMARY KEY (layoutId, chunkId)
) STRICT, WITHOUT ROWID;

-- The frames of what a chunk's run placed: see PackedFrames. Layouts that compute places from positions have none.
CREATE TABLE layoutFrames (
    layoutId INTEGER NOT NULL,
    chunkId INTEGER NOT NULL,
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
