// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "PhotoStream",
    platforms: [.macOS(.v26)],
    products: [
        .library(name: "PhotoStreamLayout", targets: ["PhotoStreamLayout", "PhotoStreamModel"]),
        .library(name: "PhotoStreamCollection", targets: ["PhotoStreamCollection"]),
        .library(name: "PhotoStreamService", targets: ["PhotoStreamService", "PhotoStreamImport"]),
        .executable(name: "photostream", targets: ["photostream"]),
        .executable(name: "photostream-pictures", targets: ["photostream-pictures"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.36.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ],
    targets: [
        // The model of a photo, and conditions on photos. The standard library, and forms of texts.
        .target(name: "PhotoStreamModel"),
        // Pure geometry. Never imports storage.
        .target(
            name: "PhotoStreamLayout",
            dependencies: ["PhotoStreamModel"],
            // The standard library rounds through libm, which only Glibc or Foundation would link by themselves.
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]
        ),
        // A layout that follows edits in memory: the client's side of the same contract.
        .target(name: "PhotoStreamCollection", dependencies: ["PhotoStreamModel", "PhotoStreamLayout"]),
        // The SQL scripts, embedded in the binary.
        .target(
            name: "PhotoStreamMigrations",
            path: "Migrations",
            exclude: ["README.md"],
            resources: [.embedInCode("SQL"), .embedInCode("PostgreSQL")]
        ),
        // Functions of SQLite and Linux that Swift cannot call, because they take any number of arguments.
        .target(name: "CShims"),
        // SQLite. Never imports layout; no GRDB type leaves it.
        .target(
            name: "PhotoStreamStorage",
            dependencies: [
                "CShims",
                "PhotoStreamModel",
                "PhotoStreamMigrations",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        // PostgreSQL's client library. The system's.
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        // A PostgreSQL database as the source of truth of the files that follow it.
        .target(
            name: "PhotoStreamPrimary",
            dependencies: ["CPostgres", "PhotoStreamModel", "PhotoStreamMigrations", "PhotoStreamStorage"]
        ),
        // Formats in, records and diagnostics out. Never touches a database.
        .target(name: "PhotoStreamImport", dependencies: ["PhotoStreamModel"]),
        // The messages between the server and its decode workers.
        .target(name: "PhotoStreamPictureMessages", dependencies: ["PhotoStreamModel"]),
        // Picture files: folders, and the pool of decode workers. Decodes nothing itself.
        .target(
            name: "PhotoStreamPictures",
            dependencies: [
                "CShims", "PhotoStreamModel", "PhotoStreamPictureMessages",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // The picture libraries. The system's; only the worker links them.
        .systemLibrary(
            name: "CPictureLibraries", pkgConfig: "vips",
            providers: [
                .apt(["libvips-dev", "libexif-dev", "libraw-dev"]), .brew(["vips", "libexif", "libraw"]),
            ]),
        .systemLibrary(name: "CLibexpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),
        .target(
            name: "CVips",
            dependencies: ["CPictureLibraries"],
            linkerSettings: [
                .linkedLibrary("exif"), .linkedLibrary("raw"), .linkedLibrary("webp"), .linkedLibrary("gmodule-2.0"),
            ]
        ),
        // The decode worker, a separate program, so that a hostile picture costs one picture and never the server.
        .executableTarget(
            name: "photostream-pictures",
            dependencies: [
                "CLibexpat", "CShims", "CVips", "PhotoStreamModel", "PhotoStreamPictureMessages",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        // The use cases: joins storage, layout and import.
        .target(
            name: "PhotoStreamService",
            dependencies: [
                "CShims", "PhotoStreamModel", "PhotoStreamLayout", "PhotoStreamStorage", "PhotoStreamImport",
                "PhotoStreamPictures", "PhotoStreamPictureMessages",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // The spelling of options and the encoding of answers, for the command and for HTTP.
        .target(
            name: "PhotoStreamWire", dependencies: ["PhotoStreamModel", "PhotoStreamLayout", "PhotoStreamService"]),
        // Compression. The system's library.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        // The data of maps, embedded in the binary.
        .target(name: "CAtlas", exclude: ["land.bin", "places.bin"]),
        // Coastlines for the gallery, and cities by name.
        .target(name: "PhotoStreamAtlas", dependencies: ["CAtlas"]),
        // The web gallery's files, embedded in the binary.
        .target(name: "PhotoStreamGallery", dependencies: ["PhotoStreamAtlas"], resources: [.embedInCode("Files")]),
        // Routes, answers, protection. The service does the work; no type of the HTTP library leaves it.
        .target(
            name: "PhotoStreamHTTP",
            dependencies: [
                "PhotoStreamModel", "PhotoStreamLayout", "PhotoStreamPrimary", "PhotoStreamImport",
                "PhotoStreamService",
                "PhotoStreamWire", "PhotoStreamGallery", "PhotoStreamAtlas", "CZlib",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
            ]
        ),
        // The command: options, exit codes, tables, pictures; the composition root.
        .executableTarget(
            name: "photostream",
            dependencies: [
                "PhotoStreamModel", "PhotoStreamLayout", "PhotoStreamStorage", "PhotoStreamPrimary",
                "PhotoStreamImport",
                "PhotoStreamService", "PhotoStreamWire", "PhotoStreamHTTP",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        // Seeded randomness, naive references, temporary databases.
        .target(
            name: "PhotoStreamTestSupport",
            dependencies: [
                "PhotoStreamModel", "PhotoStreamLayout", "PhotoStreamStorage", "PhotoStreamPrimary",
                "PhotoStreamPictureMessages",
                "PhotoStreamPictures",
            ]
        ),
        .testTarget(
            name: "PhotoStreamModelTests", dependencies: ["PhotoStreamModel", "PhotoStreamTestSupport"]),
        .testTarget(
            name: "PhotoStreamLayoutTests",
            dependencies: ["PhotoStreamModel", "PhotoStreamLayout", "PhotoStreamTestSupport"]
        ),
        .testTarget(
            name: "PhotoStreamCollectionTests",
            dependencies: [
                "PhotoStreamModel", "PhotoStreamLayout", "PhotoStreamCollection", "PhotoStreamTestSupport",
                "PhotoStreamLayoutTests",
            ]
        ),
        .testTarget(
            name: "PhotoStreamStorageTests",
            dependencies: [
                "PhotoStreamModel", "PhotoStreamMigrations", "PhotoStreamStorage", "PhotoStreamTestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            exclude: ["Golden"]
        ),
        .testTarget(
            name: "PhotoStreamPrimaryTests",
            dependencies: [
                "PhotoStreamModel", "PhotoStreamLayout", "PhotoStreamStorage", "PhotoStreamPrimary",
                "PhotoStreamService", "PhotoStreamMigrations",
                "PhotoStreamTestSupport",
            ]
        ),
        .testTarget(name: "PhotoStreamAtlasTests", dependencies: ["PhotoStreamAtlas"]),
        .testTarget(
            name: "PhotoStreamImportTests",
            dependencies: ["PhotoStreamModel", "PhotoStreamImport", "PhotoStreamTestSupport"]
        ),
        .testTarget(
            name: "PhotoStreamPicturesTests",
            dependencies: [
                "PhotoStreamModel", "PhotoStreamPictureMessages", "PhotoStreamPictures", "PhotoStreamTestSupport",
                "photostream-pictures",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "PhotoStreamPictureWorkerTests",
            dependencies: [
                "CVips", "PhotoStreamModel", "PhotoStreamPictureMessages", "PhotoStreamTestSupport",
                "photostream-pictures",
            ]
        ),
        .testTarget(
            name: "PhotoStreamServiceTests",
            dependencies: [
                "PhotoStreamModel", "PhotoStreamLayout", "PhotoStreamCollection", "PhotoStreamStorage",
                "PhotoStreamImport", "PhotoStreamPictureMessages", "PhotoStreamPictures", "PhotoStreamService",
                "PhotoStreamWire",
                "PhotoStreamTestSupport", "photostream-pictures",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .testTarget(
            name: "PhotoStreamWireTests",
            dependencies: [
                "PhotoStreamModel", "PhotoStreamLayout", "PhotoStreamStorage", "PhotoStreamService", "PhotoStreamWire",
                "PhotoStreamTestSupport",
            ]
        ),
        .testTarget(
            name: "PhotoStreamHTTPTests",
            dependencies: [
                "PhotoStreamModel", "PhotoStreamPrimary", "PhotoStreamLayout", "PhotoStreamService", "PhotoStreamWire",
                "PhotoStreamHTTP",
                "PhotoStreamGallery",
                "PhotoStreamStorage", "PhotoStreamTestSupport", "PhotoStreamPictures", "PhotoStreamPictureMessages",
                "photostream-pictures",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "photostreamTests",
            dependencies: [
                "PhotoStreamModel", "PhotoStreamService", "PhotoStreamTestSupport", "photostream",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        // SE-0335: `any` is written where a protocol is used as a type.
        .enableUpcomingFeature("ExistentialAny"),
        // SE-0409: an import is internal unless it says more.
        .enableUpcomingFeature("InternalImportsByDefault"),
        // SE-0444: members come only from modules that the file imports.
        .enableUpcomingFeature("MemberImportVisibility"),
        // SE-0461: a nonisolated async function runs where its caller runs.
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        // SE-0470: a conformance is isolated as its type is.
        .enableUpcomingFeature("InferIsolatedConformances"),
        .treatAllWarnings(as: .error),
        .treatWarning("ExplicitSendable", as: .error),
    ]
}

// SE-0458: each use of unsafe memory is marked, in one file if possible. Layout reads what Storage
// has checked, and Wire reads nothing; both work by address in many places.
let uncheckedTargets: Set = ["PhotoStreamLayout", "PhotoStreamCollection", "PhotoStreamWire", "PhotoStreamTestSupport"]
for target in package.targets where [.regular, .executable].contains(target.type) {
    guard !uncheckedTargets.contains(target.name) else { continue }
    target.swiftSettings?.append(.strictMemorySafety())
}
