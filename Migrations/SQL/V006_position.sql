-- Where photos were taken, for maps: in the chunks, and in the log, which keeps what any layout read of a photo before.

ALTER TABLE change ADD COLUMN oldLatitude REAL;
ALTER TABLE change ADD COLUMN oldLongitude REAL;

-- The triggers of V002, with two columns more; photoInserted has nothing old to tell.
DROP TRIGGER photoDeleted;
DROP TRIGGER photoUpdated;
DROP TRIGGER photoChangedStream;
DROP TRIGGER photoReplacedByInsert;
DROP TRIGGER photoReplacedByUpdate;
DROP TRIGGER photoReplacedByMove;

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

CREATE TRIGGER photoReplacedByMove BEFORE UPDATE OF streamId, takenAtMilliseconds, utcOffsetMinutes, movedTime, movedRank,
    movedFromTime ON photo WHEN NEW.movedRank IS NOT NULL BEGIN
    INSERT INTO change (streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId,
        oldLatitude, oldLongitude)
    SELECT streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId, latitude, longitude
    FROM photo WHERE streamId = NEW.streamId AND orderTime = NEW.movedTime AND orderRank = NEW.movedRank
        AND id <> OLD.id;
END;

-- What a map reads of the directory, so that no chunk's content is needed to say how large it is: how many photos have a
-- position, and the least box around those in 2^-32 of the world's side, NULL where there are none. See PositionSummary.
ALTER TABLE chunk ADD COLUMN locatedCount INTEGER NOT NULL DEFAULT 0 CHECK (locatedCount BETWEEN 0 AND 4096);
ALTER TABLE chunk ADD COLUMN minX INTEGER CHECK (minX BETWEEN 0 AND 4294967295);
ALTER TABLE chunk ADD COLUMN maxX INTEGER CHECK (maxX BETWEEN 0 AND 4294967295);
ALTER TABLE chunk ADD COLUMN minY INTEGER CHECK (minY BETWEEN 0 AND 4294967295);
ALTER TABLE chunk ADD COLUMN maxY INTEGER CHECK (maxY BETWEEN 0 AND 4294967295);

-- A position for each photo, see WorldPosition; empty where none has one. The last column, so that who reads the others
-- does not come by it.
ALTER TABLE chunkContent ADD COLUMN positions BLOB NOT NULL DEFAULT x'';

-- All that is derived comes back with positions. Ids go on where they were.
DELETE FROM layout;
DELETE FROM chunk;
DELETE FROM streamIndex;
