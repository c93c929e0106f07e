-- Photos that a person deleted, for thirty days. Undo puts a photo back as it was, and no import brings it back.

-- The columns of photo but for those that SQLite computes, in order of deletion. Their values are checked when the row
-- returns to photo.
CREATE TABLE deletedPhoto (
    id INTEGER PRIMARY KEY,
    deletedAtMilliseconds INTEGER NOT NULL,
    photoId INTEGER NOT NULL,
    -- The photo's place in the order, for the case that its row id belongs to another photo by now.
    orderTime INTEGER NOT NULL,
    orderRank INTEGER NOT NULL,
    streamId INTEGER NOT NULL REFERENCES stream (id) ON DELETE CASCADE,
    streamOrder INTEGER NOT NULL,
    externalId TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    metricsSource INTEGER NOT NULL,
    orientation INTEGER NOT NULL,
    takenAtMilliseconds INTEGER,
    utcOffsetMinutes INTEGER,
    takenAtPrecision INTEGER,
    movedTime INTEGER,
    movedRank INTEGER,
    movedFromOrderTime INTEGER,
    latitude REAL,
    longitude REAL,
    color INTEGER,
    editedFields INTEGER NOT NULL,
    fileFields INTEGER NOT NULL,
    clearedFields INTEGER NOT NULL,
    captionSource INTEGER,
    tags TEXT,
    rating INTEGER,
    contentHash TEXT,
    placeholder TEXT,
    location TEXT,
    alt TEXT,
    caption TEXT,
    title TEXT,
    camera TEXT
) STRICT;

-- Serves look-ups by external id: undo, import. A photo that is deleted again replaces its older row.
CREATE UNIQUE INDEX deletedPhotoExternalId ON deletedPhoto (streamId, externalId);

-- Serves the list of a stream's deleted photos, latest first.
CREATE INDEX deletedPhotoStream ON deletedPhoto (streamId, id);

-- Serves the removal of old rows.
CREATE INDEX deletedPhotoTime ON deletedPhoto (deletedAtMilliseconds);

-- Foreign keys are off by default in the sqlite3 shell; this always works.
CREATE TRIGGER streamForgetsDeletedPhotos AFTER DELETE ON stream BEGIN
    DELETE FROM deletedPhoto WHERE streamId = OLD.id;
END;
