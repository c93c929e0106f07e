-- What the list of deleted photos shows in place of a picture: of the decode, which is deleted with the photo. No undo needs it.
-- A ThumbHash.
ALTER TABLE deletedPhoto ADD COLUMN decodedPlaceholder BLOB;
-- 0xRRGGBB.
ALTER TABLE deletedPhoto ADD COLUMN decodedColor INTEGER CHECK (decodedColor BETWEEN 0 AND 16777215);
