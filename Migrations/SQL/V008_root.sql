-- Folders beneath which pictures are served. They are the choice of whoever runs the server and say nothing of photos:
-- no change is logged for them, and no revision grows.
CREATE TABLE root (
    -- AUTOINCREMENT: the order in which they were added is the order in which they are tried.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- NULL serves the photos of every stream.
    streamId INTEGER REFERENCES stream (id) ON DELETE CASCADE,
    -- As it was named, absolute: locations begin with it.
    path TEXT NOT NULL CHECK (path >= '/' AND path < '0'),
    -- The same folder without symbolic links, as it was when it was added: what is opened.
    resolvedPath TEXT NOT NULL CHECK (resolvedPath >= '/' AND resolvedPath < '0'),
    -- The machine on which it was added. Elsewhere the path may be another folder, so it counts there only.
    machine TEXT NOT NULL,
    addedAtMilliseconds INTEGER NOT NULL
) STRICT;

-- No folder twice for the same photos on the same machine; no stream has the id 0.
CREATE UNIQUE INDEX rootPath ON root (machine, path, coalesce(streamId, 0));

-- Foreign keys are off in the sqlite3 shell unless it is told otherwise; this is not.
CREATE TRIGGER streamDeletesRoots AFTER DELETE ON stream BEGIN
    DELETE FROM root WHERE streamId = OLD.id;
END;
