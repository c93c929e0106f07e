-- Who may ask the server from another machine. The secrets themselves are not in the file: a token is known by its hash.

CREATE TABLE token (
    -- AUTOINCREMENT: the id of a revoked token is never used again, so a session that was begun with it ends with it.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE
        CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 128),
    -- The first eight bytes of the hash, by which a token is found. The rest is compared in constant time.
    hashStart INTEGER NOT NULL,
    -- SHA-256 of the token.
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    -- 0 read, 1 write, 2 admin.
    scope INTEGER NOT NULL CHECK (scope BETWEEN 0 AND 2),
    -- The only stream that it is for.
    streamId INTEGER REFERENCES stream (id) ON DELETE CASCADE,
    createdAtMilliseconds INTEGER NOT NULL,
    expiresAtMilliseconds INTEGER
) STRICT;

CREATE INDEX tokenHashStart ON token (hashStart);

-- Tokens are created and revoked, and never changed: a write cannot raise the rights of one.
CREATE TRIGGER tokenIsUnchangeable BEFORE UPDATE ON token BEGIN
    SELECT RAISE(ABORT, 'a token cannot be changed; revoke it and create another');
END;

-- Foreign keys are off by default in the sqlite3 shell; this always works.
CREATE TRIGGER streamRevokesTokens AFTER DELETE ON stream BEGIN
    DELETE FROM token WHERE streamId = OLD.id;
END;
