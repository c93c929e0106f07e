-- A file as version 0.1.0 left it: the shell's dump, and what makes it PhotoStream's. See OrderMigrationTests.
PRAGMA application_id = 1349021523;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE migrationHash (name TEXT NOT NULL PRIMARY KEY, hash TEXT NOT NULL) STRICT;
INSERT INTO migrationHash VALUES('V001_stream_photo','aead3eff9d2c8322');
INSERT INTO migrationHash VALUES('V002_change','ff0ed3cc2e331a37');
INSERT INTO migrationHash VALUES('V003_derived','3c259f473ca1069a');
INSERT INTO migrationHash VALUES('V004_import','c4e1897d7cfb0785');
INSERT INTO migrationHash VALUES('V005_secret','23081d7d311012dc');
INSERT INTO migrationHash VALUES('V006_position','530476de7b6a633a');
INSERT INTO migrationHash VALUES('V007_layout_use','0aa37d597199a01f');
INSERT INTO migrationHash VALUES('V008_root','0b965c20f0ee56df');
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('V001_stream_photo');
INSERT INTO grdb_migrations VALUES('V002_change');
INSERT INTO grdb_migrations VALUES('V003_derived');
INSERT INTO grdb_migrations VALUES('V004_import');
INSERT INTO grdb_migrations VALUES('V005_secret');
INSERT INTO grdb_migrations VALUES('V006_position');
INSERT INTO grdb_migrations VALUES('V007_layout_use');
INSERT INTO grdb_migrations VALUES('V008_root');
CREATE TABLE stream (
    -- AUTOINCREMENT: the id of a deleted stream is never used again, so what was derived for it can never be mistaken
    -- for another stream's.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE
        CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 128 AND instr(name, '/') = 0),
    createdAtMilliseconds INTEGER NOT NULL
) STRICT;
INSERT INTO stream VALUES(1,'empty',1795359613391);
INSERT INTO stream VALUES(2,'quiet',1795359613509);
INSERT INTO stream VALUES(3,'photos',1795359613678);
CREATE TABLE photo (
    -- Nothing may rely on a row id after its photo was deleted: SQLite may give it to another one.
    id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 8796093022207),
    streamId INTEGER NOT NULL REFERENCES stream (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    -- At most 512 bytes.
    externalId TEXT NOT NULL CHECK (externalId <> ''),
    -- The displayed size in pixels: orientation 5 to 8 has already swapped the sides.
    width INTEGER NOT NULL CHECK (width BETWEEN 1 AND 1000000),
    height INTEGER NOT NULL CHECK (height BETWEEN 1 AND 1000000),
    -- 0 measured, 1 only the ratio means something, 2 assumed because the source had none.
    metricsSource INTEGER NOT NULL DEFAULT 0 CHECK (metricsSource BETWEEN 0 AND 2),
    -- The raw EXIF tag.
    orientation INTEGER NOT NULL DEFAULT 1 CHECK (orientation BETWEEN 1 AND 8),
    -- Local years 1 to 9999, at any offset.
    takenAtMilliseconds INTEGER CHECK (takenAtMilliseconds BETWEEN -62135661600000 AND 253402365599999),
    utcOffsetMinutes INTEGER CHECK (utcOffsetMinutes BETWEEN -1080 AND 1080),
    -- 0 year, 1 month, 2 day, 3 minute, 4 second, 5 millisecond.
    takenAtPrecision INTEGER CHECK (takenAtPrecision BETWEEN 0 AND 5),
    -- A moved photo: the order time that it was given, a rank between its neighbours', and the order time that it had
    -- of its own. When its own changes, the move has ended, whoever changed it.
    movedTime INTEGER,
    movedRank INTEGER CHECK (movedRank % 1048576 <> 0),
    movedFromTime INTEGER,
    latitude REAL CHECK (latitude BETWEEN -90 AND 90),
    longitude REAL CHECK (longitude BETWEEN -180 AND 180),
    -- 0xRRGGBB.
    color INTEGER CHECK (color BETWEEN 0 AND 16777215),
    -- A set of bits, one for each field that a person edited; those outrank every import.
    editedFields INTEGER NOT NULL DEFAULT 0,
    -- 0 it came with an import, 1 a person wrote it.
    captionSource INTEGER CHECK (captionSource BETWEEN 0 AND 1),
    contentHash TEXT,
    placeholder TEXT,
    location TEXT,
    -- A JSON array: text that begins with a bracket.
    tags TEXT CHECK (tags >= '[' AND tags < '\'),
    alt TEXT,
    -- Never blank.
    caption TEXT CHECK (caption <> ''),
    -- Where the photo stands by its own capture time: local wall-clock milliseconds; undated photos come last.
    ownOrderTime INTEGER NOT NULL GENERATED ALWAYS AS
        (coalesce(takenAtMilliseconds + coalesce(utcOffsetMinutes, 0) * 60000, -9223372036854775808)) VIRTUAL,
    -- Stream order is descending by (orderTime, orderRank). Of equal times the photo imported last comes first. A rank
    -- of 2^20 per row id leaves room for moved photos; those never take a multiple of 2^20, so no two ranks collide.
    orderTime INTEGER NOT NULL GENERATED ALWAYS AS
        (CASE WHEN movedFromTime IS ownOrderTime AND movedTime IS NOT NULL THEN movedTime ELSE ownOrderTime END) VIRTUAL,
    orderRank INTEGER NOT NULL GENERATED ALWAYS AS
        (CASE WHEN movedFromTime IS ownOrderTime AND movedTime IS NOT NULL THEN movedRank ELSE id * 1048576 END) VIRTUAL,
    hasCaption INTEGER NOT NULL GENERATED ALWAYS AS (caption IS NOT NULL) VIRTUAL,
    CHECK (width <= height * 1000 AND height <= width * 1000),
    CHECK ((takenAtMilliseconds IS NULL) = (takenAtPrecision IS NULL)),
    CHECK (takenAtMilliseconds IS NOT NULL OR utcOffsetMinutes IS NULL),
    CHECK ((latitude IS NULL) = (longitude IS NULL)),
    CHECK ((movedTime IS NULL) = (movedRank IS NULL) AND (movedTime IS NULL) = (movedFromTime IS NULL))
) STRICT;
INSERT INTO photo VALUES(1,2,'other-1',300,200,0,1,988970400000,0,4,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(2,2,'other-2',300,200,0,1,988970400000,0,4,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(3,3,'plain-1',300,200,0,1,988970400000,0,4,-9223372036854775808,21495808,988970400000,NULL,NULL,NULL,0,0,NULL,NULL,NULL,NULL,NULL,'A plain one');
INSERT INTO photo VALUES(4,3,'same-1',300,200,0,1,946782245000,0,4,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(5,3,'same-2',200,300,0,1,946782245000,0,4,NULL,NULL,NULL,NULL,NULL,NULL,8,1,NULL,NULL,NULL,NULL,NULL,'Edited by hand');
INSERT INTO photo VALUES(6,3,'same-3',400,300,0,1,946782245000,0,4,NULL,NULL,NULL,47.5,8.25,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(7,3,'same-4',100,300,0,1,946782245000,0,4,NULL,NULL,NULL,47.249999999999999999,8.5,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(8,3,'same-5',500,300,0,1,946782245000,120,4,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(9,3,'year-1',300,200,0,1,-3281904000000,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(10,3,'year-2',300,210,0,1,-3281904000000,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(11,3,'new-year-1',300,220,0,1,-3281904000000,NULL,2,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(12,3,'month-1',300,230,0,1,-3281904000000,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(13,3,'month-3',300,240,0,1,-3276806400000,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(14,3,'march-1',300,250,0,1,-3276806400000,0,4,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(15,3,'march-2',300,260,0,1,-3276719999999,NULL,2,-9223372036854775808,17301504,-3276720000000,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(16,3,'year-before',300,270,0,1,-3281904001000,0,4,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(17,3,'undated-1',300,280,0,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(18,3,'undated-2',300,290,0,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(19,3,'undated-3',300,310,0,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(20,3,'undated-4',300,320,0,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(21,3,'m-1',330,200,0,1,631152000000,0,4,946782245000,5767168,631152000000,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(22,3,'m-2',330,210,0,1,662688000000,0,4,946782245000,5505024,662688000000,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(23,3,'m-3',330,220,0,1,694224000000,0,4,946789445000,8912896,694224000000,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(24,3,'m-4',330,230,0,1,725846400000,0,4,946782245000,3670016,725846400000,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(25,3,'m-5',330,240,0,1,757382400000,0,4,-3281904000000,11010048,757382400000,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(26,3,'m-6',330,250,0,1,788918400000,0,4,-9223372036854775808,18350080,788918400000,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(27,3,'m-7',330,260,0,1,NULL,NULL,NULL,-2821103512000,31981568,-9223372036854775808,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(28,3,'m-8',330,270,0,1,852076800000,0,4,-2821103512000,30932992,852076800000,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(29,3,'m-9',330,280,0,1,883699200000,0,4,-2821103512000,31195136,883699200000,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO photo VALUES(30,3,'lonely',330,290,0,1,-2871676800000,NULL,2,NULL,NULL,NULL,NULL,NULL,NULL,4,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE change (
    -- Without AUTOINCREMENT, which would cost every row a second write: the log is never emptied, so keys only grow.
    revision INTEGER PRIMARY KEY,
    streamId INTEGER NOT NULL,
    photoId INTEGER NOT NULL,
    -- 0 inserted, 1 deleted, 2 updated or moved, 3 a row that a write may be about to replace in silence.
    kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 3),
    -- The place in the order before and after, NULL where there was or is none.
    oldTime INTEGER,
    oldRank INTEGER,
    newTime INTEGER,
    newRank INTEGER,
    -- What a layout read of the photo before, and the name it had.
    oldWidth INTEGER,
    oldHeight INTEGER,
    oldHasCaption INTEGER,
    oldExternalId TEXT
, oldLatitude REAL, oldLongitude REAL) STRICT;
INSERT INTO change VALUES(1,2,1,0,NULL,NULL,988970400000,1048576,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(2,2,2,0,NULL,NULL,988970400000,2097152,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(3,3,3,0,NULL,NULL,988970400000,3145728,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(4,3,4,0,NULL,NULL,946782245000,4194304,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(5,3,5,0,NULL,NULL,946782245000,5242880,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(6,3,6,0,NULL,NULL,946782245000,6291456,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(7,3,7,0,NULL,NULL,946782245000,7340032,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(8,3,8,0,NULL,NULL,946789445000,8388608,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(9,3,9,0,NULL,NULL,-3281904000000,9437184,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(10,3,10,0,NULL,NULL,-3281904000000,10485760,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(11,3,11,0,NULL,NULL,-3281904000000,11534336,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(12,3,12,0,NULL,NULL,-3281904000000,12582912,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(13,3,13,0,NULL,NULL,-3276806400000,13631488,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(14,3,14,0,NULL,NULL,-3276806400000,14680064,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(15,3,15,0,NULL,NULL,-3276720000000,15728640,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(16,3,16,0,NULL,NULL,-3281904001000,16777216,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(17,3,17,0,NULL,NULL,-9223372036854775808,17825792,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(18,3,18,0,NULL,NULL,-9223372036854775808,18874368,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(19,3,19,0,NULL,NULL,-9223372036854775808,19922944,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(20,3,20,0,NULL,NULL,-9223372036854775808,20971520,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(21,3,21,0,NULL,NULL,631152000000,22020096,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(22,3,22,0,NULL,NULL,662688000000,23068672,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(23,3,23,0,NULL,NULL,694224000000,24117248,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(24,3,24,0,NULL,NULL,725846400000,25165824,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(25,3,25,0,NULL,NULL,757382400000,26214400,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(26,3,26,0,NULL,NULL,788918400000,27262976,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(27,3,27,0,NULL,NULL,-9223372036854775808,28311552,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(28,3,28,0,NULL,NULL,852076800000,29360128,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(29,3,29,0,NULL,NULL,883612800000,30408704,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(30,3,30,0,NULL,NULL,-2821103512000,31457280,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(31,3,31,0,NULL,NULL,-2789567512000,32505856,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO change VALUES(32,3,21,2,631152000000,22020096,946782245000,5767168,330,200,0,'m-1',NULL,NULL);
INSERT INTO change VALUES(33,3,22,2,662688000000,23068672,946782245000,5505024,330,210,0,'m-2',NULL,NULL);
INSERT INTO change VALUES(34,3,23,2,694224000000,24117248,946789445000,8912896,330,220,0,'m-3',NULL,NULL);
INSERT INTO change VALUES(35,3,24,2,725846400000,25165824,946782245000,3670016,330,230,0,'m-4',NULL,NULL);
INSERT INTO change VALUES(36,3,25,2,757382400000,26214400,-3281904000000,11010048,330,240,0,'m-5',NULL,NULL);
INSERT INTO change VALUES(37,3,26,2,788918400000,27262976,-9223372036854775808,18350080,330,250,0,'m-6',NULL,NULL);
INSERT INTO change VALUES(38,3,27,2,-9223372036854775808,28311552,-2821103512000,31981568,330,260,0,'m-7',NULL,NULL);
INSERT INTO change VALUES(39,3,28,2,852076800000,29360128,-2821103512000,30932992,330,270,0,'m-8',NULL,NULL);
INSERT INTO change VALUES(40,3,3,2,988970400000,3145728,-9223372036854775808,21495808,300,200,1,'plain-1',NULL,NULL);
INSERT INTO change VALUES(41,3,29,2,883612800000,30408704,-3281904000000,12058624,330,280,0,'m-9',NULL,NULL);
INSERT INTO change VALUES(42,3,29,2,-3281904000000,12058624,883699200000,30408704,330,280,0,'m-9',NULL,NULL);
INSERT INTO change VALUES(43,3,29,2,883699200000,30408704,-2821103512000,31195136,330,280,0,'m-9',NULL,NULL);
INSERT INTO change VALUES(44,3,30,2,-2821103512000,31457280,-2871676800000,31457280,330,290,0,'lonely',NULL,NULL);
INSERT INTO change VALUES(45,3,5,2,946782245000,5242880,946782245000,5242880,200,300,1,'same-2',NULL,NULL);
INSERT INTO change VALUES(46,3,31,1,-2789567512000,32505856,NULL,NULL,330,295,0,'gone',NULL,NULL);
INSERT INTO change VALUES(47,3,15,2,-3276720000000,15728640,-9223372036854775808,17301504,300,260,0,'march-2',NULL,NULL);
INSERT INTO change VALUES(48,3,15,2,-9223372036854775808,17301504,-3276719999999,15728640,300,260,0,'march-2',NULL,NULL);
CREATE TABLE streamIndex (
    streamId INTEGER PRIMARY KEY,
    -- The log was read up to here; rows of the stream behind it are not in the chunks yet.
    consumedRevision INTEGER NOT NULL,
    -- The stream's last change-log row up to there.
    streamRevision INTEGER NOT NULL,
    photoCount INTEGER NOT NULL CHECK (photoCount >= 0),
    -- A random number, new whenever the chunks are written: who keeps chunk ids in memory sees by it that they still mean
    -- what they meant.
    generation INTEGER NOT NULL
) STRICT;
INSERT INTO streamIndex VALUES(2,2,2,2,5010332216175000423);
INSERT INTO streamIndex VALUES(3,48,48,28,5487763838686916877);
CREATE TABLE chunk (
    -- AUTOINCREMENT: never reused, so a stored frame can never be taken for another chunk's.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    streamId INTEGER NOT NULL,
    -- The place of its first photo: the greatest key in it.
    firstTime INTEGER NOT NULL,
    firstRank INTEGER NOT NULL,
    photoCount INTEGER NOT NULL CHECK (photoCount BETWEEN 1 AND 4096),
    -- The revision that last changed its geometry.
    version INTEGER NOT NULL
, locatedCount INTEGER NOT NULL DEFAULT 0 CHECK (locatedCount BETWEEN 0 AND 4096), minX INTEGER CHECK (minX BETWEEN 0 AND 4294967295), maxX INTEGER CHECK (maxX BETWEEN 0 AND 4294967295), minY INTEGER CHECK (minY BETWEEN 0 AND 4294967295), maxY INTEGER CHECK (maxY BETWEEN 0 AND 4294967295)) STRICT;
INSERT INTO chunk VALUES(1,2,988970400000,2097152,2,2,0,NULL,NULL,NULL,NULL);
INSERT INTO chunk VALUES(3,3,946789445000,8912896,28,48,2,2245909981,2248892598,1501864634,1506269000);
CREATE TABLE chunkContent (
    chunkId INTEGER PRIMARY KEY,
    -- See PackedMetrics.
    metrics BLOB NOT NULL,
    -- See PackedRowIDs.
    rowIds BLOB NOT NULL
, positions BLOB NOT NULL DEFAULT x'') STRICT;
INSERT INTO chunkContent VALUES(1,X'2c01800c00e24b162c01800c00e24b16',X'01000000000000000100000000000000',X'');
INSERT INTO chunkContent VALUES(3,X'4a01c00d00124816f401c012001248166400c012001248169001c012001248164a01800c001248164a01200d00124816c800c012001348162c01800c001248164a01600e001248164a014010005ef3144a018011005ef3144a01e010005ef3144a01201200ccee142c014010002cca142c01a00f002aca142c01000f002aca142c01600e00b4c9142c01c00d00b4c9144a01000f00b4c9142c01200d00b4c9142c01800c00b4c9142c01e01000b2c9142c01800c000100002c010014000000002c016013000000002c012012000000004a01a00f000000002c01801100000000',X'0300000000000000140000000500000004000000030000001200000013000000020000000100000015000000180000001a000000190000001b0000000c0000000b0000000a00000009000000080000001600000007000000060000000d0000000000000011000000100000000f000000170000000e000000',X'ffffffffffffffffffffffffffffffffb6600b8648d7c759dddddd85baa28459ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff');
CREATE TABLE layoutChunk (
    layoutId INTEGER NOT NULL,
    chunkId INTEGER NOT NULL,
    version INTEGER NOT NULL,
    -- The state at the start of the chunk and behind it, each relative to its own origin.
    entryState BLOB NOT NULL,
    exitState BLOB NOT NULL,
    -- The sections that begin in the chunk: see SectionStart.
    sections BLOB NOT NULL,
    -- Along the scroll axis, in device pixels: from the chunk's origin to the next one's; the least top and the greatest
    -- end of what was placed, from the chunk's base; the longest item. An advance is negative at most by a line spacing.
    -- Origins are prefix sums of advances, so an edit rewrites no row behind it.
    advance INTEGER NOT NULL,
    leastTop INTEGER NOT NULL CHECK (leastTop >= 0),
    greatestEnd INTEGER NOT NULL CHECK (greatestEnd >= 0),
    longestItem INTEGER NOT NULL CHECK (longestItem >= 0),
    -- How many photos were placed: those of an open line are placed with a later chunk.
    placedCount INTEGER NOT NULL CHECK (placedCount >= 0),
    PRIMARY KEY (layoutId, chunkId)
) STRICT, WITHOUT ROWID;
INSERT INTO layoutChunk VALUES(2,3,48,X'00000000000000',X'0101003b05008201',X'00c0bb010009a7b001d6030394b001e90401faae01810603f8ae01970705f7ae01f8080100930a',1474,20,1604,511,28);
CREATE TABLE layoutFrames (
    layoutId INTEGER NOT NULL,
    chunkId INTEGER NOT NULL,
    frames BLOB NOT NULL,
    PRIMARY KEY (layoutId, chunkId)
) STRICT;
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
INSERT INTO importRun VALUES(1,2,'["b.jsonl"]',1795359613509,1795359613519,2,2,0,0,0,0,0);
INSERT INTO importRun VALUES(2,3,'["a.jsonl"]',1795359613678,1795359613706,29,29,0,0,0,0,0);
CREATE TABLE importFailure (
    id INTEGER PRIMARY KEY,
    importRunId INTEGER NOT NULL REFERENCES importRun (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    line INTEGER NOT NULL,
    "column" INTEGER NOT NULL,
    externalId TEXT,
    reason TEXT NOT NULL
) STRICT;
CREATE TABLE secret (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    cursorKey BLOB NOT NULL CHECK (length(cursorKey) = 32)
) STRICT;
INSERT INTO secret VALUES(1,X'501355ab14fbea7f7751c9fb3e57fc8cbe88f0299517b46feaea4a60fc491561');
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
INSERT INTO layout VALUES(1,3,'masonry-2,length=600,scale=1,inset=0:0:0:0,interitem=0,line=0,caption=0,section=day,header=20,columns=4,choice=shortest',1795359615990,1795359615990,0,0,0,1);
INSERT INTO layout VALUES(2,3,'masonry-2,length=600,scale=1,inset=0:0:0:0,interitem=0,line=0,caption=0,section=month,header=20,columns=4,choice=shortest',1795359616810,1795359649930,1,118,0,2);
CREATE TABLE layoutBudget (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    byteCount INTEGER NOT NULL CHECK (byteCount >= 0)
) STRICT;
INSERT INTO layoutBudget VALUES(1,268435456);
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
ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 VALUES('photo','photoOrder','2 2 2 1');
INSERT INTO sqlite_stat1 VALUES('photo','photoExternalId','2 2 1');
INSERT INTO sqlite_stat1 VALUES('importRun','importRunStream','1 1 1');
INSERT INTO sqlite_stat1 VALUES('chunk','chunkOrder','1 1 1 1');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('stream',3);
INSERT INTO sqlite_sequence VALUES('chunk',3);
INSERT INTO sqlite_sequence VALUES('layout',3);
CREATE UNIQUE INDEX photoExternalId ON photo (streamId, externalId);
CREATE UNIQUE INDEX photoOrder ON photo (streamId, orderTime, orderRank);
CREATE TRIGGER streamDeletesPhotos BEFORE DELETE ON stream BEGIN
    DELETE FROM photo WHERE streamId = OLD.id;
END;
CREATE TRIGGER photoInserted AFTER INSERT ON photo BEGIN
    INSERT INTO change (streamId, photoId, kind, newTime, newRank)
    VALUES (NEW.streamId, NEW.id, 0, NEW.orderTime, NEW.orderRank);
END;
CREATE UNIQUE INDEX chunkOrder ON chunk (streamId, firstTime, firstRank);
CREATE TRIGGER chunkDeletesContent BEFORE DELETE ON chunk BEGIN
    DELETE FROM chunkContent WHERE chunkId = OLD.id;
END;
CREATE INDEX importRunStream ON importRun (streamId, id);
CREATE INDEX importFailureRun ON importFailure (importRunId, id);
CREATE TRIGGER streamDeletesImportRuns BEFORE DELETE ON stream BEGIN
    DELETE FROM importRun WHERE streamId = OLD.id;
END;
CREATE TRIGGER importRunDeletesFailures BEFORE DELETE ON importRun BEGIN
    DELETE FROM importFailure WHERE importRunId = OLD.id;
END;
CREATE TRIGGER photoDeleted AFTER DELETE ON photo BEGIN
    INSERT INTO change (streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId,
        oldLatitude, oldLongitude)
    VALUES (OLD.streamId, OLD.id, 1, OLD.orderTime, OLD.orderRank, OLD.width, OLD.height, OLD.hasCaption,
        OLD.externalId, OLD.latitude, OLD.longitude);
END;
CREATE TRIGGER photoUpdated AFTER UPDATE ON photo WHEN OLD.streamId = NEW.streamId BEGIN
    INSERT INTO change (streamId, photoId, kind, oldTime, oldRank, newTime, newRank, oldWidth, oldHeight, oldHasCaption,
        oldExternalId, oldLatitude, oldLongitude)
    VALUES (NEW.streamId, NEW.id, 2, OLD.orderTime, OLD.orderRank, NEW.orderTime, NEW.orderRank, OLD.width, OLD.height,
        OLD.hasCaption, OLD.externalId, OLD.latitude, OLD.longitude);
END;
CREATE TRIGGER photoChangedStream AFTER UPDATE OF streamId ON photo WHEN OLD.streamId <> NEW.streamId BEGIN
    INSERT INTO change (streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId,
        oldLatitude, oldLongitude)
    VALUES (OLD.streamId, OLD.id, 1, OLD.orderTime, OLD.orderRank, OLD.width, OLD.height, OLD.hasCaption,
        OLD.externalId, OLD.latitude, OLD.longitude);
    INSERT INTO change (streamId, photoId, kind, newTime, newRank)
    VALUES (NEW.streamId, NEW.id, 0, NEW.orderTime, NEW.orderRank);
END;
CREATE TRIGGER photoReplacedByInsert BEFORE INSERT ON photo
WHEN NEW.id > 0 OR NEW.movedRank IS NOT NULL
    OR EXISTS (SELECT 1 FROM photo WHERE streamId = NEW.streamId AND externalId = NEW.externalId)
BEGIN
    INSERT INTO change (streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId,
        oldLatitude, oldLongitude)
    SELECT streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId, latitude, longitude
    FROM photo WHERE streamId = NEW.streamId AND externalId = NEW.externalId
    UNION ALL
    SELECT streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId, latitude, longitude
    FROM photo WHERE id = NEW.id
    UNION ALL
    SELECT streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId, latitude, longitude
    FROM photo WHERE streamId = NEW.streamId AND orderTime = NEW.movedTime AND orderRank = NEW.movedRank;
END;
CREATE TRIGGER photoReplacedByUpdate BEFORE UPDATE OF id, streamId, externalId ON photo BEGIN
    INSERT INTO change (streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId,
        oldLatitude, oldLongitude)
    SELECT streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId, latitude, longitude
    FROM photo WHERE streamId = NEW.streamId AND externalId = NEW.externalId AND id <> OLD.id
    UNION ALL
    SELECT streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId, latitude, longitude
    FROM photo WHERE id = NEW.id AND id <> OLD.id;
END;
CREATE TRIGGER photoReplacedByMove BEFORE UPDATE OF streamId, takenAtMilliseconds, utcOffsetMinutes, movedTime, movedRank,
    movedFromTime ON photo WHEN NEW.movedRank IS NOT NULL BEGIN
    INSERT INTO change (streamId, photoId, kind, oldTime, oldRank, oldWidth, oldHeight, oldHasCaption, oldExternalId,
        oldLatitude, oldLongitude)
    SELECT streamId, id, 3, orderTime, orderRank, width, height, hasCaption, externalId, latitude, longitude
    FROM photo WHERE streamId = NEW.streamId AND orderTime = NEW.movedTime AND orderRank = NEW.movedRank
        AND id <> OLD.id;
END;
CREATE TRIGGER layoutDeletesChunks BEFORE DELETE ON layout BEGIN
    DELETE FROM layoutChunk WHERE layoutId = OLD.id;
    DELETE FROM layoutFrames WHERE layoutId = OLD.id;
END;
CREATE TRIGGER streamDeletesDerived AFTER DELETE ON stream BEGIN
    DELETE FROM layout WHERE streamId = OLD.id;
    DELETE FROM chunk WHERE streamId IN (OLD.id, -2 * OLD.id, -2 * OLD.id - 1);
    DELETE FROM streamIndex WHERE streamId = OLD.id;
END;
CREATE UNIQUE INDEX rootPath ON root (machine, path, coalesce(streamId, 0));
CREATE TRIGGER streamDeletesRoots AFTER DELETE ON stream BEGIN
    DELETE FROM root WHERE streamId = OLD.id;
END;
COMMIT;
