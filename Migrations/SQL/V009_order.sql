-- The order of a stream, and the precision of dates in it. The streams of a file of version 0.1.0 are newest first.
-- There, of photos with equal times, the one imported last came first; from now on it comes last.

-- The new places of moved photos whose move has not ended: directly below the unmoved photo of its time that it was
-- below; if there was none, directly above the one that it was above; otherwise in its place among the others. The
-- photo takes that photo's precision. Unmoved photos are those with a rank of 2^20 times the row id.
CREATE TABLE movedPhoto (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, rank INTEGER NOT NULL) STRICT;

INSERT INTO movedPhoto (id, time, rank)
WITH place AS (
    SELECT id, streamId, orderTime, orderRank, orderRank % 1048576 <> 0 AS isMoved
    FROM photo
    WHERE (streamId, orderTime) IN (
        SELECT streamId, orderTime FROM photo WHERE movedTime IS NOT NULL AND movedFromTime IS ownOrderTime)
), anchored AS (
    SELECT id, streamId, orderTime, orderRank, isMoved,
        min(CASE WHEN isMoved THEN NULL ELSE orderRank END)
            OVER (PARTITION BY streamId, orderTime ORDER BY orderRank DESC ROWS UNBOUNDED PRECEDING) / 1048576 AS above,
        max(CASE WHEN isMoved THEN NULL ELSE orderRank END) OVER (PARTITION BY streamId, orderTime) / 1048576 AS top
    FROM place
), counted AS (
    SELECT id, orderTime, above, top,
        row_number() OVER (PARTITION BY streamId, orderTime, above ORDER BY orderRank DESC) AS position,
        count(*) OVER (PARTITION BY streamId, orderTime, above) AS count
    FROM anchored WHERE isMoved
)
SELECT counted.id,
    CASE WHEN counted.orderTime = -9223372036854775808 THEN counted.orderTime
        ELSE counted.orderTime * 4 + CASE anchor.takenAtPrecision WHEN 0 THEN 0 WHEN 1 THEN 1 ELSE 2 END END,
    -- Photos below another share the upper half of the ranks between it and the next; photos above share the lower
    -- half.
    CASE
        WHEN above IS NOT NULL THEN -above * 1048576 - position * (524288 / (count + 1))
        WHEN top IS NOT NULL THEN -top * 1048576 + (count + 1 - position) * (524288 / (count + 1))
        ELSE (count - position) * 1048576 + 524288
    END
FROM counted LEFT JOIN photo AS anchor ON anchor.id = coalesce(above, top);

-- The triggers of the photo table are dropped with it.
DROP TRIGGER streamDeletesPhotos;
-- First, so that later data can reuse its pages.
DROP INDEX photoOrder;
DROP INDEX photoExternalId;

-- 0 newest first, 1 oldest first, 2 manual. It is chosen when the stream is created.
ALTER TABLE stream ADD COLUMN streamOrder INTEGER NOT NULL DEFAULT 0 CHECK (streamOrder BETWEEN 0 AND 2);

CREATE TRIGGER streamKeepsOrder BEFORE UPDATE OF streamOrder ON stream WHEN NEW.streamOrder <> OLD.streamOrder BEGIN
    SELECT RAISE(ABORT, 'the order of a stream is chosen when it is created; photostream streams copy makes another');
END;

-- As in V001, whose comments on columns and functions still apply, except for the order. Two columns and the index of
-- the order have other names, so that statements of version 0.1.0 that are still in use fail.
CREATE TABLE orderedPhoto (
    id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 8796093022207),
    streamId INTEGER NOT NULL REFERENCES stream (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    -- The order of the photo's stream, since a generated column sees only its own row.
    streamOrder INTEGER NOT NULL DEFAULT 0 CHECK (streamOrder BETWEEN 0 AND 2),
    externalId TEXT NOT NULL CHECK (externalId <> ''),
    width INTEGER NOT NULL CHECK (width BETWEEN 1 AND 1000000),
    height INTEGER NOT NULL CHECK (height BETWEEN 1 AND 1000000),
    metricsSource INTEGER NOT NULL DEFAULT 0 CHECK (metricsSource BETWEEN 0 AND 2),
    orientation INTEGER NOT NULL DEFAULT 1 CHECK (orientation BETWEEN 1 AND 8),
    takenAtMilliseconds INTEGER CHECK (takenAtMilliseconds BETWEEN -62135661600000 AND 253402365599999),
    utcOffsetMinutes INTEGER CHECK (utcOffsetMinutes BETWEEN -1080 AND 1080),
    takenAtPrecision INTEGER CHECK (takenAtPrecision BETWEEN 0 AND 5),
    -- A moved photo: its assigned order time, a rank between those of its neighbours, and its own order time at the
    -- time of the move. When its own order time changes, by any writer, the move has ended.
    movedTime INTEGER,
    movedRank INTEGER CHECK (movedRank % 1048576 <> 0),
    movedFromOrderTime INTEGER,
    latitude REAL CHECK (latitude BETWEEN -90 AND 90),
    longitude REAL CHECK (longitude BETWEEN -180 AND 180),
    color INTEGER CHECK (color BETWEEN 0 AND 16777215),
    editedFields INTEGER NOT NULL DEFAULT 0,
    captionSource INTEGER CHECK (captionSource BETWEEN 0 AND 1),
    contentHash TEXT,
    placeholder TEXT,
    location TEXT,
    tags TEXT CHECK (tags >= '[' AND tags < '\'),
    alt TEXT,
    caption TEXT CHECK (caption <> ''),
    -- The order time that follows from the capture time: 4 times local wall-clock milliseconds plus the precision (2
    -- day or better, 1 month, 0 year), negated in streams that are oldest first; 0 in manual ones. Undated photos have
    -- the least value, which is never negated, and come last; so do photos with a time out of range.
    ownOrderTime INTEGER NOT NULL GENERATED ALWAYS AS
        (CASE
            WHEN streamOrder = 2 THEN 0
            WHEN takenAtMilliseconds BETWEEN -62135661600000 AND 253402365599999
            THEN ((takenAtMilliseconds + coalesce(utcOffsetMinutes, 0) * 60000) * 4
                + CASE takenAtPrecision WHEN 0 THEN 0 WHEN 1 THEN 1 ELSE 2 END) * (1 - 2 * streamOrder)
            ELSE -9223372036854775808
        END) VIRTUAL,
    -- In every stream, the order is descending by (orderTime, orderRank), and of equal times the photo imported first
    -- comes first. A rank of minus 2^20 per row id leaves room for moved photos, which never get a multiple of 2^20, so
    -- that ranks never collide.
    orderTime INTEGER NOT NULL GENERATED ALWAYS AS (CASE
        WHEN movedFromOrderTime IS ownOrderTime AND movedTime IS NOT NULL THEN movedTime ELSE ownOrderTime END) VIRTUAL,
    orderRank INTEGER NOT NULL GENERATED ALWAYS AS (CASE
        WHEN movedFromOrderTime IS ownOrderTime AND movedTime IS NOT NULL THEN movedRank ELSE id * -1048576 END) VIRTUAL,
    hasCaption INTEGER NOT NULL GENERATED ALWAYS AS (caption IS NOT NULL) VIRTUAL,
    CHECK (width <= height * 1000 AND height <= width * 1000),
    CHECK ((takenAtMilliseconds IS NULL) = (takenAtPrecision IS NULL)),
    CHECK (takenAtMilliseconds IS NOT NULL OR utcOffsetMinutes IS NULL),
    CHECK ((latitude IS NULL) = (longitude IS NULL)),
    CHECK ((movedTime IS NULL) = (movedRank IS NULL) AND (movedTime IS NULL) = (movedFromOrderTime IS NULL))
) STRICT;

-- Moves that have ended are cleared.
INSERT INTO orderedPhoto (id, streamId, streamOrder, externalId, width, height, metricsSource, orientation,
    takenAtMilliseconds, utcOffsetMinutes, takenAtPrecision, latitude, longitude, color, editedFields, captionSource,
    contentHash, placeholder, location, tags, alt, caption)
SELECT id, streamId, 0, externalId, width, height, metricsSource, orientation,
    takenAtMilliseconds, utcOffsetMinutes, takenAtPrecision, latitude, longitude, color, editedFields, captionSource,
    contentHash, placeholder, location, tags, alt, caption
FROM photo ORDER BY id;

UPDATE orderedPhoto SET movedTime = movedPhoto.time, movedRank = movedPhoto.rank, movedFromOrderTime = ownOrderTime
FROM movedPhoto WHERE orderedPhoto.id = movedPhoto.id;

DROP TABLE movedPhoto;
DROP TABLE photo;
ALTER TABLE orderedPhoto RENAME TO photo;

-- Serves look-ups by external id: import, item, locate.
CREATE UNIQUE INDEX photoExternalId ON photo (streamId, externalId);

-- Serves every read in stream order, in both directions: pages, chunks, moves.
CREATE UNIQUE INDEX photoPlace ON photo (streamId, orderTime, orderRank);

-- Foreign keys are off by default in the sqlite3 shell; this trigger always works.
CREATE TRIGGER streamDeletesPhotos BEFORE DELETE ON stream BEGIN
    DELETE FROM photo WHERE streamId = OLD.id;
END;

-- FAIL, because ABORT would open a statement journal for every row.
CREATE TRIGGER photoOrderOnInsert BEFORE INSERT ON photo
WHEN NEW.streamOrder <> (SELECT streamOrder FROM stream WHERE id = NEW.streamId) BEGIN
    SELECT CASE NEW.streamOrder * 10 + (SELECT streamOrder FROM stream WHERE id = NEW.streamId)
        WHEN 1 THEN RAISE(FAIL, 'streamOrder of the photo is 0 (newest first), but 1 (oldest first) of its stream')
        WHEN 2 THEN RAISE(FAIL, 'streamOrder of the photo is 0 (newest first), but 2 (manual) of its stream')
        WHEN 10 THEN RAISE(FAIL, 'streamOrder of the photo is 1 (oldest first), but 0 (newest first) of its stream')
        WHEN 12 THEN RAISE(FAIL, 'streamOrder of the photo is 1 (oldest first), but 2 (manual) of its stream')
        WHEN 20 THEN RAISE(FAIL, 'streamOrder of the photo is 2 (manual), but 0 (newest first) of its stream')
        WHEN 21 THEN RAISE(FAIL, 'streamOrder of the photo is 2 (manual), but 1 (oldest first) of its stream')
        ELSE RAISE(FAIL, 'streamOrder of the photo is no order') END;
END;

CREATE TRIGGER photoOrderOnUpdate BEFORE UPDATE OF streamId, streamOrder ON photo
WHEN NEW.streamOrder <> (SELECT streamOrder FROM stream WHERE id = NEW.streamId) BEGIN
    SELECT CASE NEW.streamOrder * 10 + (SELECT streamOrder FROM stream WHERE id = NEW.streamId)
        WHEN 1 THEN RAISE(FAIL, 'streamOrder of the photo is 0 (newest first), but 1 (oldest first) of its stream')
        WHEN 2 THEN RAISE(FAIL, 'streamOrder of the photo is 0 (newest first), but 2 (manual) of its stream')
        WHEN 10 THEN RAISE(FAIL, 'streamOrder of the photo is 1 (oldest first), but 0 (newest first) of its stream')
        WHEN 12 THEN RAISE(FAIL, 'streamOrder of the photo is 1 (oldest first), but 2 (manual) of its stream')
        WHEN 20 THEN RAISE(FAIL, 'streamOrder of the photo is 2 (manual), but 0 (newest first) of its stream')
        WHEN 21 THEN RAISE(FAIL, 'streamOrder of the photo is 2 (manual), but 1 (oldest first) of its stream')
        ELSE RAISE(FAIL, 'streamOrder of the photo is no order') END;
END;

-- The triggers of V002 and V006, whose comments still apply.
CREATE TRIGGER photoInserted AFTER INSERT ON photo BEGIN
    INSERT INTO change (streamId, photoId, kind, newTime, newRank)
    VALUES (NEW.streamId, NEW.id, 0, NEW.orderTime, NEW.orderRank);
END;

CREATE TRIGGER photoDeleted AFTER DELETE ON photo BEGIN
    INSERT INTO change (streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId,
        oldLatitude, oldLongitude)
    VALUES (OLD.streamId, OLD.id, 1, OLD.orderTime, OLD.orderRank, OLD.width, OLD.height, OLD.hasCaption,
        OLD.externalId, OLD.latitude, OLD.longitude);
END;

CREATE TRIGGER photoUpdated AFTER UPDATE ON photo WHEN OLD.streamId = NEW.streamId BEGIN
    INSERT INTO change (streamId, photoId, kind, oldTime, oldRank, newTime, newRank, oldWidth, oldHeight, oldHasCaption,
        oldExternalId, oldLatitude, oldLongitude)
    VALUES (NEW.streamId, NEW.id, 2, OLD.orderTime, OLD.orderRank, NEW.orderTime, NEW.orderRank, OLD.width, OLD.height,
        OLD.hasCaption, OLD.externalId, OLD.latitude, OLD.longitude);
END;

CREATE TRIGGER photoChangedStream AFTER UPDATE OF streamId ON photo WHEN OLD.streamId <> NEW.streamId BEGIN
    INSERT INTO change (streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId,
        oldLatitude, oldLongitude)
    VALUES (OLD.streamId, OLD.id, 1, OLD.orderTime, OLD.orderRank, OLD.width, OLD.height, OLD.hasCaption,
        OLD.externalId, OLD.latitude, OLD.longitude);
    INSERT INTO change (streamId, photoId, kind, newTime, newRank)
    VALUES (NEW.streamId, NEW.id, 0, NEW.orderTime, NEW.orderRank);
END;

CREATE TRIGGER photoReplacedByInsert BEFORE INSERT ON photo
WHEN NEW.id > 0 OR NEW.movedRank IS NOT NULL
    OR EXISTS (SELECT 1 FROM photo WHERE streamId = NEW.streamId AND externalId = NEW.externalId)
BEGIN
    INSERT INTO change (streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId,
        oldLatitude, oldLongitude)
    SELECT streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId, latitude, longitude
    FROM photo WHERE streamId = NEW.streamId AND externalId = NEW.externalId
    UNION ALL
    SELECT streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId, latitude, longitude
    FROM photo WHERE id = NEW.id
    UNION ALL
    SELECT streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId, latitude, longitude
    FROM photo WHERE streamId = NEW.streamId AND orderTime = NEW.movedTime AND orderRank = NEW.movedRank;
END;

CREATE TRIGGER photoReplacedByUpdate BEFORE UPDATE OF id, streamId, externalId ON photo BEGIN
    INSERT INTO change (streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId,
        oldLatitude, oldLongitude)
    SELECT streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId, latitude, longitude
    FROM photo WHERE streamId = NEW.streamId AND externalId = NEW.externalId AND id <> OLD.id
    UNION ALL
    SELECT streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId, latitude, longitude
    FROM photo WHERE id = NEW.id AND id <> OLD.id;
END;

CREATE TRIGGER photoReplacedByMove BEFORE UPDATE OF streamId, streamOrder, takenAtMilliseconds, utcOffsetMinutes,
    takenAtPrecision, movedTime, movedRank, movedFromOrderTime ON photo WHEN NEW.movedRank IS NOT NULL BEGIN
    INSERT INTO change (streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId,
        oldLatitude, oldLongitude)
    SELECT streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId, latitude, longitude
    FROM photo WHERE streamId = NEW.streamId AND orderTime = NEW.movedTime AND orderRank = NEW.movedRank
        AND id <> OLD.id;
END;

-- The rows of the log contain places of the old order. Only each stream's newest row stays, with a revision that leaves
-- a gap, so that readers see that earlier rows are gone.
DELETE FROM change WHERE revision NOT IN (SELECT max(revision) FROM change GROUP BY streamId);
UPDATE change SET revision = revision + (SELECT max(revision) + 100001 FROM change);

-- All derived data are recreated. Ids continue where they were.
DELETE FROM layout;
DELETE FROM chunk;
DELETE FROM streamIndex;
