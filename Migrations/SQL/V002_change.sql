-- The change log: one row for each changed photo, whoever changed it. Its key is the revision. It keeps its last rows
-- only, and of each stream never fewer than one.

CREATE TABLE change (
    -- Without AUTOINCREMENT, which would cost every row a second write: the log is never emptied, so keys only grow.
    revision INTEGER PRIMARY KEY,
    streamId INTEGER NOT NULL,
    photoId INTEGER NOT NULL,
    -- 0 inserted, 1 deleted, 2 updated or moved, 3 a row that a write may be about to replace in silence.
    kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 3),
    -- The place in the order before and after, NULL where there was or is none.
    oldTime INTEGER,
    oldRank INTEGER,
    newTime INTEGER,
    newRank INTEGER,
    -- What a layout read of the photo before, and the name it had.
    oldWidth INTEGER,
    oldHeight INTEGER,
    oldHasCaption INTEGER,
    oldExternalId TEXT
) STRICT;

CREATE TRIGGER photoInserted AFTER INSERT ON photo BEGIN
    INSERT INTO change (streamId, photoId, kind, newTime, newRank)
    VALUES (NEW.streamId, NEW.id, 0, NEW.orderTime, NEW.orderRank);
END;

CREATE TRIGGER photoDeleted AFTER DELETE ON photo BEGIN
    INSERT INTO change (streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId)
    VALUES (OLD.streamId, OLD.id, 1, OLD.orderTime, OLD.orderRank, OLD.width, OLD.height, OLD.hasCaption,
        OLD.externalId);
END;

CREATE TRIGGER photoUpdated AFTER UPDATE ON photo WHEN OLD.streamId = NEW.streamId BEGIN
    INSERT INTO change (streamId, photoId, kind, oldTime, oldRank, newTime, newRank, oldWidth, oldHeight, oldHasCaption,
        oldExternalId)
    VALUES (NEW.streamId, NEW.id, 2, OLD.orderTime, OLD.orderRank, NEW.orderTime, NEW.orderRank, OLD.width, OLD.height,
        OLD.hasCaption, OLD.externalId);
END;

CREATE TRIGGER photoChangedStream AFTER UPDATE OF streamId ON photo WHEN OLD.streamId <> NEW.streamId BEGIN
    INSERT INTO change (streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId)
    VALUES (OLD.streamId, OLD.id, 1, OLD.orderTime, OLD.orderRank, OLD.width, OLD.height, OLD.hasCaption,
        OLD.externalId);
    INSERT INTO change (streamId, photoId, kind, newTime, newRank)
    VALUES (NEW.streamId, NEW.id, 0, NEW.orderTime, NEW.orderRank);
END;

-- REPLACE, in an INSERT or in an UPDATE, deletes the rows in its way without firing a delete trigger. These log them
-- before that happens. An UPSERT, an OR IGNORE or a plain failure fires them too, though nothing is deleted then: so
-- kind 3 only says where to look again.

-- One trigger for the three ways to be in the way, because each costs every insert. NEW.id is -1 here where the
-- statement leaves the id to SQLite.
CREATE TRIGGER photoReplacedByInsert BEFORE INSERT ON photo
WHEN NEW.id > 0 OR NEW.movedRank IS NOT NULL
    OR EXISTS (SELECT 1 FROM photo WHERE streamId = NEW.streamId AND externalId = NEW.externalId)
BEGIN
    INSERT INTO change (streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId)
    SELECT streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId
    FROM photo WHERE streamId = NEW.streamId AND externalId = NEW.externalId
    UNION ALL
    SELECT streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId
    FROM photo WHERE id = NEW.id
    UNION ALL
    SELECT streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId
    FROM photo WHERE streamId = NEW.streamId AND orderTime = NEW.movedTime AND orderRank = NEW.movedRank;
END;

CREATE TRIGGER photoReplacedByUpdate BEFORE UPDATE OF id, streamId, externalId ON photo BEGIN
    INSERT INTO change (streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId)
    SELECT streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId
    FROM photo WHERE streamId = NEW.streamId AND externalId = NEW.externalId AND id <> OLD.id
    UNION ALL
    SELECT streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId
    FROM photo WHERE id = NEW.id AND id <> OLD.id;
END;

CREATE TRIGGER photoReplacedByMove BEFORE UPDATE OF streamId, takenAtMilliseconds, utcOffsetMinutes, movedTime, movedRank,
    movedFromTime ON photo WHEN NEW.movedRank IS NOT NULL BEGIN
    INSERT INTO change (streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId)
    SELECT streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId
    FROM photo WHERE streamId = NEW.streamId AND orderTime = NEW.movedTime AND orderRank = NEW.movedRank
        AND id <> OLD.id;
END;
