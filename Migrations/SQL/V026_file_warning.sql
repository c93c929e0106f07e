-- The parts of a file's metadata that were left out or could not be read, as bits; 0 for none.
ALTER TABLE pictureFile ADD COLUMN warnings INTEGER NOT NULL DEFAULT 0;

-- The version of the reader of headers. An import reads files of an earlier version again; 0 before this step.
ALTER TABLE pictureFile ADD COLUMN reader INTEGER NOT NULL DEFAULT 0;

-- Whether any file of a stream has warnings: answers about photos look for those of each photo only then.
CREATE INDEX pictureFileWarning ON pictureFile (streamId) WHERE warnings <> 0;

-- Devices and programs write (0, 0) if they know no position. The change is logged; a replica gets it from its primary.
UPDATE photo SET latitude = NULL, longitude = NULL
WHERE latitude = 0 AND longitude = 0 AND NOT EXISTS (SELECT 1 FROM replica);

UPDATE deletedPhoto SET latitude = NULL, longitude = NULL
WHERE latitude = 0 AND longitude = 0 AND NOT EXISTS (SELECT 1 FROM replica);
