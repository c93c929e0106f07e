-- What was imported, and what was not.

CREATE TABLE importRun (
    id INTEGER PRIMARY KEY,
    streamId INTEGER NOT NULL REFERENCES stream (id) ON DELETE CASCADE,
    -- The sources as a JSON array of their names.
    sources TEXT NOT NULL CHECK (json_type(sources) = 'array'),
    startedAtMilliseconds INTEGER NOT NULL,
    -- NULL while it runs, and for ever where it was interrupted.
    finishedAtMilliseconds INTEGER,
    readCount INTEGER NOT NULL DEFAULT 0,
    insertedCount INTEGER NOT NULL DEFAULT 0,
    updatedCount INTEGER NOT NULL DEFAULT 0,
    unchangedCount INTEGER NOT NULL DEFAULT 0,
    duplicateCount INTEGER NOT NULL DEFAULT 0,
    rejectedCount INTEGER NOT NULL DEFAULT 0,
    assumedCount INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Serves the list of a stream's runs, newest first, and their removal with the stream.
CREATE INDEX importRunStream ON importRun (streamId, id);

-- The first rejects of a run; the report file has them all.
CREATE TABLE importFailure (
    id INTEGER PRIMARY KEY,
    importRunId INTEGER NOT NULL REFERENCES importRun (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    line INTEGER NOT NULL,
    "column" INTEGER NOT NULL,
    externalId TEXT,
    reason TEXT NOT NULL
) STRICT;

-- Serves the list of a run's rejects, and their removal with the run.
CREATE INDEX importFailureRun ON importFailure (importRunId, id);

CREATE TRIGGER streamDeletesImportRuns BEFORE DELETE ON stream BEGIN
    DELETE FROM importRun WHERE streamId = OLD.id;
END;

CREATE TRIGGER importRunDeletesFailures BEFORE DELETE ON importRun BEGIN
    DELETE FROM importFailure WHERE importRunId = OLD.id;
END;
