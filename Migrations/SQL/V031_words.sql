-- The words of the photos' texts, which conditions search. Derived from the photos: they may be deleted at any time, and
-- are built again.

-- Documents are added and never changed, because a table without contents would need the old words to delete one. The
-- first document of a photo has its row id. One that is written after the photo has changed has a negative number, and a
-- row in photoWordsNewer.
CREATE VIRTUAL TABLE photoWords USING fts5 (
    title, caption, alt, tags, people, camera, folder, name,
    content = '', columnsize = 0,
    -- The words are folded and separated by this program, see SearchWords.
    tokenize = 'ascii'
);

-- The photos whose document is not the one with their row id.
CREATE TABLE photoWordsNewer (
    photoId INTEGER PRIMARY KEY,
    document INTEGER NOT NULL UNIQUE CHECK (document < 0)
) STRICT;

-- At most one row; without it, the documents are to be deleted.
CREATE TABLE photoWordsState (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- The last row of the change log that the documents contain, and its tag, which tells another history.
    consumedRevision INTEGER NOT NULL,
    consumedTag INTEGER NOT NULL,
    -- Photos with row ids from 1 to this one have documents.
    lastPhotoId INTEGER NOT NULL CHECK (lastPhotoId >= 0),
    -- The least number of a document that was ever used, or 0.
    leastDocument INTEGER NOT NULL CHECK (leastDocument <= 0),
    checksum INTEGER NOT NULL
) STRICT;
