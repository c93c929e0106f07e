-- The placeholder and the colour of the small preview in a file's header, and the orientation in which it is displayed. They are
-- shown until the picture is decoded. NULL without a preview, and for files that were read before this step.
ALTER TABLE pictureFile ADD COLUMN previewOrientation INTEGER CHECK (previewOrientation BETWEEN 1 AND 8);

-- A ThumbHash.
ALTER TABLE pictureFile ADD COLUMN previewPlaceholder BLOB;

-- 0xRRGGBB.
ALTER TABLE pictureFile ADD COLUMN previewColor INTEGER CHECK (previewColor BETWEEN 0 AND 16777215);
