/// One step of the schema: a name that is never changed and the SQL that it runs.
package struct Migration: Sendable {
    /// The script's file name without its ending; the migration's identifier in the file.
    package let name: String
    /// The whole script: several statements, no transaction of its own.
    package let sql: String

    private init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.sql = String(decoding: bytes, as: UTF8.self)
    }

    /// Every step, in the order in which they run.
    ///
    /// The file list cannot be enumerated at run time, so it stands here
    /// too; a test compares it with the folder and each script with its recorded hash.
    package static let all: [Migration] = [
        Migration("V001_stream_photo", PackageResources.V001_stream_photo_sql),
        Migration("V002_change", PackageResources.V002_change_sql),
        Migration("V003_derived", PackageResources.V003_derived_sql),
        Migration("V004_import", PackageResources.V004_import_sql),
        Migration("V005_secret", PackageResources.V005_secret_sql),
        Migration("V006_position", PackageResources.V006_position_sql),
        Migration("V007_layout_use", PackageResources.V007_layout_use_sql),
        Migration("V008_root", PackageResources.V008_root_sql),
        Migration("V009_order", PackageResources.V009_order_sql),
        Migration("V010_derived", PackageResources.V010_derived_sql),
    ]
}
