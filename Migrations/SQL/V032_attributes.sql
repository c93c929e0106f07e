-- The properties of a chunk's photos that conditions read, so that a condition reads no photo. A chunk without a row gets one
-- when a condition has read its photos.

-- A row is valid while the log names no photo of the chunk after streamIndex.consumedRevision: storing chunks deletes the
-- rows of those that the log has named.
CREATE TABLE chunkAttributes (
    chunkId INTEGER PRIMARY KEY,
    checksum INTEGER NOT NULL,
    -- See ChunkAttributes.
    attributes BLOB NOT NULL
) STRICT;

DROP TRIGGER chunkDeletesContent;
CREATE TRIGGER chunkDeletesContent BEFORE DELETE ON chunk BEGIN
    DELETE FROM chunkContent WHERE chunkId = OLD.id;
    DELETE FROM chunkAttributes WHERE chunkId = OLD.id;
END;
