-- Streams and their photos: the only truth in the file. Everything in the other scripts but the change log is derived
-- from these two tables and can be dropped.

CREATE TABLE stream (
    -- AUTOINCREMENT: the id of a deleted stream is never used again, so what was derived for it can never be mistaken
    -- for another stream's.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE
        CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 128 AND instr(name, '/') = 0),
    createdAtMilliseconds INTEGER NOT NULL
) STRICT;

-- No CHECK, no generated column and no trigger of this table calls a function, and its foreign key is deferred: with
-- triggers, either makes SQLite open a statement journal for every row, which halves the speed of an import. (coalesce
-- and CASE are operators in this sense.) What would take a function is checked where records are read.
CREATE TABLE photo (
    -- Nothing may rely on a row id after its photo was deleted: SQLite may give it to another one.
    id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 8796093022207),
    streamId INTEGER NOT NULL REFERENCES stream (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    -- At most 512 bytes.
    externalId TEXT NOT NULL CHECK (externalId <> ''),
    -- The displayed size in pixels: orientation 5 to 8 has already swapped the sides.
    width INTEGER NOT NULL CHECK (width BETWEEN 1 AND 1000000),
    height INTEGER NOT NULL CHECK (height BETWEEN 1 AND 1000000),
    -- 0 measured, 1 only the ratio means something, 2 assumed because the source had none.
    metricsSource INTEGER NOT NULL DEFAULT 0 CHECK (metricsSource BETWEEN 0 AND 2),
    -- The raw EXIF tag.
    orientation INTEGER NOT NULL DEFAULT 1 CHECK (orientation BETWEEN 1 AND 8),
    -- Local years 1 to 9999, at any offset.
    takenAtMilliseconds INTEGER CHECK (takenAtMilliseconds BETWEEN -62135661600000 AND 253402365599999),
    utcOffsetMinutes INTEGER CHECK (utcOffsetMinutes BETWEEN -1080 AND 1080),
    -- 0 year, 1 month, 2 day, 3 minute, 4 second, 5 millisecond.
    takenAtPrecision INTEGER CHECK (takenAtPrecision BETWEEN 0 AND 5),
    -- A moved photo: the order time that it was given, a rank between its neighbours', and the order time that it had
    -- of its own. When its own changes, the move has ended, whoever changed it.
    movedTime INTEGER,
    movedRank INTEGER CHECK (movedRank % 1048576 <> 0),
    movedFromTime INTEGER,
    latitude REAL CHECK (latitude BETWEEN -90 AND 90),
    longitude REAL CHECK (longitude BETWEEN -180 AND 180),
    -- 0xRRGGBB.
    color INTEGER CHECK (color BETWEEN 0 AND 16777215),
    -- A set of bits, one for each field that a person edited; those outrank every import.
    editedFields INTEGER NOT NULL DEFAULT 0,
    -- 0 it came with an import, 1 a person wrote it.
    captionSource INTEGER CHECK (captionSource BETWEEN 0 AND 1),
    contentHash TEXT,
    placeholder TEXT,
    location TEXT,
    -- A JSON array: text that begins with a bracket.
    tags TEXT CHECK (tags >= '[' AND tags < '\'),
    alt TEXT,
    -- Never blank.
    caption TEXT CHECK (caption <> ''),
    -- Where the photo stands by its own capture time: local wall-clock milliseconds; undated photos come last.
    ownOrderTime INTEGER NOT NULL GENERATED ALWAYS AS
        (coalesce(takenAtMilliseconds + coalesce(utcOffsetMinutes, 0) * 60000, -9223372036854775808)) VIRTUAL,
    -- Stream order is descending by (orderTime, orderRank). Of equal times the photo imported last comes first. A rank
    -- of 2^20 per row id leaves room for moved photos; those never take a multiple of 2^20, so no two ranks collide.
    orderTime INTEGER NOT NULL GENERATED ALWAYS AS
        (CASE WHEN movedFromTime IS ownOrderTime AND movedTime IS NOT NULL THEN movedTime ELSE ownOrderTime END) VIRTUAL,
    orderRank INTEGER NOT NULL GENERATED ALWAYS AS
        (CASE WHEN movedFromTime IS ownOrderTime AND movedTime IS NOT NULL THEN movedRank ELSE id * 1048576 END) VIRTUAL,
    hasCaption INTEGER NOT NULL GENERATED ALWAYS AS (caption IS NOT NULL) VIRTUAL,
    CHECK (width <= height * 1000 AND height <= width * 1000),
    CHECK ((takenAtMilliseconds IS NULL) = (takenAtPrecision IS NULL)),
    CHECK (takenAtMilliseconds IS NOT NULL OR utcOffsetMinutes IS NULL),
    CHECK ((latitude IS NULL) = (longitude IS NULL)),
    CHECK ((movedTime IS NULL) = (movedRank IS NULL) AND (movedTime IS NULL) = (movedFromTime IS NULL))
) STRICT;

-- Serves the look-up by external id: import, item, locate.
CREATE UNIQUE INDEX photoExternalId ON photo (streamId, externalId);

-- Serves every read in stream order, newest first or, read backwards, oldest first: pages, chunks, moves.
CREATE UNIQUE INDEX photoOrder ON photo (streamId, orderTime, orderRank);

-- Foreign keys are off in the sqlite3 shell unless it is told otherwise; this is not.
CREATE TRIGGER streamDeletesPhotos BEFORE DELETE ON stream BEGIN
    DELETE FROM photo WHERE streamId = OLD.id;
END;
