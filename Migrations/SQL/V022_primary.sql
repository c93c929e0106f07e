-- Which primary a replica is of, what it leaves out of it, and what it lost with a history that the primary no longer has.

-- The primary's random identity, by which another database at the same address is recognised. NULL until the replica has
-- seen it: those of earlier versions take the first one whose history is theirs.
ALTER TABLE replica ADD COLUMN primaryIdentity TEXT;

-- Rows of the primary that a file cannot hold, each with the reason. They are tried again when they change.
CREATE TABLE skippedRow (
    tableName TEXT NOT NULL,
    rowId INTEGER NOT NULL,
    -- The row that it refers to and that is missing, if that is the reason.
    missingId INTEGER,
    reason TEXT NOT NULL,
    PRIMARY KEY (tableName, rowId)
) STRICT, WITHOUT ROWID;

-- Only in the former state of a replica, which is kept next to it when it is built again: the photos of this file that the
-- primary does not have. 0 it has none of this id, 1 it has it with other values, 2 it has it though it was deleted here.
CREATE TABLE lostPhoto (
    streamName TEXT NOT NULL,
    externalId TEXT NOT NULL,
    kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2),
    PRIMARY KEY (streamName, externalId)
) STRICT;
