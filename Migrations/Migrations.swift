/// A schema migration: a name that never changes, and the SQL to run.
package struct Migration: Sendable {
    /// The name of the script without its extension, which is the migration's identifier in the file.
    package let name: String
    /// The script, with several statements and without a transaction.
    package let sql: String

    private init(_ name: String, script bytes: [UInt8]) {
        self.name = name
        self.sql = String(decoding: bytes, as: UTF8.self)
    }

    /// All migrations, in order.
    ///
    /// Embedded resources cannot be enumerated, so the list is repeated here. A test compares it with the folder, and
    /// each script with its recorded hash.
    package static let all: [Migration] = [
        Migration("V001_stream_photo", script: PackageResources.V001_stream_photo_sql),
        Migration("V002_change", script: PackageResources.V002_change_sql),
        Migration("V003_derived", script: PackageResources.V003_derived_sql),
        Migration("V004_import", script: PackageResources.V004_import_sql),
        Migration("V005_secret", script: PackageResources.V005_secret_sql),
        Migration("V006_position", script: PackageResources.V006_position_sql),
        Migration("V007_layout_use", script: PackageResources.V007_layout_use_sql),
        Migration("V008_root", script: PackageResources.V008_root_sql),
        Migration("V009_order", script: PackageResources.V009_order_sql),
        Migration("V010_derived", script: PackageResources.V010_derived_sql),
        Migration("V011_fields", script: PackageResources.V011_fields_sql),
        Migration("V012_pictures", script: PackageResources.V012_pictures_sql),
        Migration("V013_deleted", script: PackageResources.V013_deleted_sql),
        Migration("V014_access", script: PackageResources.V014_access_sql),
        Migration("V015_share", script: PackageResources.V015_share_sql),
        Migration("V016_deleted_picture", script: PackageResources.V016_deleted_picture_sql),
        Migration("V017_replica", script: PackageResources.V017_replica_sql),
        Migration("V018_history", script: PackageResources.V018_history_sql),
        Migration("V019_content", script: PackageResources.V019_content_sql),
        Migration("V020_session", script: PackageResources.V020_session_sql),
        Migration("V021_upload", script: PackageResources.V021_upload_sql),
        Migration("V022_primary", script: PackageResources.V022_primary_sql),
        Migration("V023_shared_picture", script: PackageResources.V023_shared_picture_sql),
        Migration("V024_preview", script: PackageResources.V024_preview_sql),
        Migration("V025_camera", script: PackageResources.V025_camera_sql),
        Migration("V026_file_warning", script: PackageResources.V026_file_warning_sql),
        Migration("V027_stack", script: PackageResources.V027_stack_sql),
        Migration("V028_ids", script: PackageResources.V028_ids_sql),
        Migration("V029_content_kind", script: PackageResources.V029_content_kind_sql),
        Migration("V030_flag_album", script: PackageResources.V030_flag_album_sql),
        Migration("V031_words", script: PackageResources.V031_words_sql),
        Migration("V032_attributes", script: PackageResources.V032_attributes_sql),
        Migration("V033_kept_view", script: PackageResources.V033_kept_view_sql),
    ]

    /// The migrations of a PostgreSQL database that is the source of truth, in order.
    package static let primary: [Migration] = [
        Migration("P001_primary", script: PackageResources.P001_primary_sql),
        Migration("P002_log", script: PackageResources.P002_log_sql),
        Migration("P003_log_upkeep", script: PackageResources.P003_log_upkeep_sql),
        Migration("P004_history", script: PackageResources.P004_history_sql),
        Migration("P005_guards", script: PackageResources.P005_guards_sql),
        Migration("P006_content", script: PackageResources.P006_content_sql),
        Migration("P007_session", script: PackageResources.P007_session_sql),
        Migration("P008_identity", script: PackageResources.P008_identity_sql),
        Migration("P009_picture", script: PackageResources.P009_picture_sql),
        Migration("P010_bounds", script: PackageResources.P010_bounds_sql),
        Migration("P011_tags", script: PackageResources.P011_tags_sql),
        Migration("P012_camera", script: PackageResources.P012_camera_sql),
        Migration("P013_position", script: PackageResources.P013_position_sql),
        Migration("P014_stack", script: PackageResources.P014_stack_sql),
        Migration("P015_flag_album", script: PackageResources.P015_flag_album_sql),
        Migration("P016_kept_view", script: PackageResources.P016_kept_view_sql),
    ]
}
