-- The key that signs cursors: random, made once, the same for every process that opens the file.

CREATE TABLE secret (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    cursorKey BLOB NOT NULL CHECK (length(cursorKey) = 32)
) STRICT;

INSERT INTO secret (id, cursorKey) VALUES (1, randomblob(32));
