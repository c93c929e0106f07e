-- How layouts are used, and how many bytes of the file they may take. What was stored of layouts before goes: it is
-- derived, and comes back.

DELETE FROM layoutChunk;
DELETE FROM layoutFrames;
DROP TABLE layout;

-- A layout configuration that was asked for.
CREATE TABLE layout (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    streamId INTEGER NOT NULL,
    -- The canonical text of the configuration; the engine's version is part of it.
    layoutKey TEXT NOT NULL,
    firstUsedMilliseconds INTEGER NOT NULL,
    lastUsedMilliseconds INTEGER NOT NULL,
    -- Whether anything of it is stored: not before it was asked for again, so that the widths of a drag leave no more
    -- than their names.
    isKept INTEGER NOT NULL CHECK (isKept BETWEEN 0 AND 1),
    -- What is stored of it: checkpoints, sections, frames, and a fixed sum for each row.
    byteCount INTEGER NOT NULL DEFAULT 0 CHECK (byteCount >= 0),
    -- How many questions were answered from what was there.
    hitCount INTEGER NOT NULL DEFAULT 0 CHECK (hitCount >= 0),
    -- How many chunks were folded for it: grows only when a fold runs.
    foldedChunkCount INTEGER NOT NULL DEFAULT 0 CHECK (foldedChunkCount >= 0),
    UNIQUE (streamId, layoutKey)
) STRICT;

CREATE TRIGGER layoutDeletesChunks BEFORE DELETE ON layout BEGIN
    DELETE FROM layoutChunk WHERE layoutId = OLD.id;
    DELETE FROM layoutFrames WHERE layoutId = OLD.id;
END;

-- How many bytes all layouts of the file may take together; one row.
CREATE TABLE layoutBudget (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    byteCount INTEGER NOT NULL CHECK (byteCount >= 0)
) STRICT;

INSERT INTO layoutBudget (id, byteCount) VALUES (1, 268435456);

-- Chunks that are being made anew, or were exchanged for such, stand under ids that no stream has (-2 times the id of theirs,
-- and one less) until they are put in place, or deleted.
DROP TRIGGER streamDeletesDerived;

CREATE TRIGGER streamDeletesDerived AFTER DELETE ON stream BEGIN
    DELETE FROM layout WHERE streamId = OLD.id;
    DELETE FROM chunk WHERE streamId IN (OLD.id, -2 * OLD.id, -2 * OLD.id - 1);
    DELETE FROM streamIndex WHERE streamId = OLD.id;
END;
