-- How far a replica has followed the PostgreSQL database that is its source of truth. Empty in a file of its own.
CREATE TABLE replica (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- The last commit that is in the file, its last revision, and the random number by which its history is recognised.
    commitId INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    tag INTEGER NOT NULL
) STRICT;
