-- Links that show one stream to everyone who has them. As of tokens, the file has the hashes of the secrets only.

CREATE TABLE share (
    -- AUTOINCREMENT: the id of a revoked share is never used again.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE
        CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 128),
    -- The first eight bytes of the hash, by which a share is found. The rest is compared in constant time.
    hashStart INTEGER NOT NULL,
    -- SHA-256 of the secret in the link.
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    streamId INTEGER NOT NULL REFERENCES stream (id) ON DELETE CASCADE,
    showsPositions INTEGER NOT NULL CHECK (showsPositions IN (0, 1)),
    showsNames INTEGER NOT NULL CHECK (showsNames IN (0, 1)),
    sendsOriginals INTEGER NOT NULL CHECK (sendsOriginals IN (0, 1)),
    createdAtMilliseconds INTEGER NOT NULL,
    expiresAtMilliseconds INTEGER
) STRICT;

CREATE INDEX shareHashStart ON share (hashStart);

-- As tokens: a write cannot make a link show more than it was created for.
CREATE TRIGGER shareIsUnchangeable BEFORE UPDATE ON share BEGIN
    SELECT RAISE(ABORT, 'a share cannot be changed; revoke it and create another');
END;

-- Foreign keys are off by default in the sqlite3 shell; this always works.
CREATE TRIGGER streamRevokesShares AFTER DELETE ON stream BEGIN
    DELETE FROM share WHERE streamId = OLD.id;
END;
