-- Uploads whose file is about to get its name, or has got it, and whose photo may not be in its stream yet. The row is
-- written before the file gets its name and deleted after its photo was added, while the server holds a lock on the file.
-- A start finishes those whose lock it gets. Every file has rows of its own, a replica too.
CREATE TABLE upload (
    id INTEGER PRIMARY KEY,
    streamId INTEGER NOT NULL,
    -- The machine on which the folder is, and the folder without symbolic links.
    machine TEXT NOT NULL CHECK (machine <> ''),
    folder TEXT NOT NULL CHECK (folder >= '/' AND folder < '0'),
    -- The name of the file before and after.
    hiddenName TEXT NOT NULL CHECK (hiddenName <> ''),
    name TEXT NOT NULL CHECK (name <> '')
) STRICT;
