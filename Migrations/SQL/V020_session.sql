-- Sessions of browsers, and links with which a browser begins one. As of tokens, the file has the hashes of the secrets only, so
-- that no copy of it makes a session.

CREATE TABLE session (
    -- AUTOINCREMENT: the id of an ended session is never used again.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- The first eight bytes of the hash, by which a session is found. The rest is compared in constant time.
    hashStart INTEGER NOT NULL,
    -- SHA-256 of the session's secret.
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    -- The token whose rights it has, and with which it ends.
    tokenId INTEGER NOT NULL REFERENCES token (id) ON DELETE CASCADE,
    -- 1 for a sign-in link, which is good once: beginning a session with it deletes it.
    isLink INTEGER NOT NULL CHECK (isLink IN (0, 1)),
    createdAtMilliseconds INTEGER NOT NULL,
    expiresAtMilliseconds INTEGER NOT NULL
) STRICT;

CREATE INDEX sessionHashStart ON session (hashStart);
-- The sessions of a token, the oldest first.
CREATE INDEX sessionToken ON session (tokenId, id);

-- As tokens: a write cannot lengthen a session or raise its rights.
CREATE TRIGGER sessionIsUnchangeable BEFORE UPDATE ON session BEGIN
    SELECT RAISE(ABORT, 'a session cannot be changed; end it and begin another');
END;

-- Foreign keys are off by default in the sqlite3 shell; this always works.
CREATE TRIGGER tokenEndsSessions AFTER DELETE ON token BEGIN
    DELETE FROM session WHERE tokenId = OLD.id;
END;
