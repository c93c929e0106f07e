// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the main one carries nothing that only measurements need.
let package = Package(
    name: "PhotoStreamBenchmarks",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "PhotoStream", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        // The bare work in C: what a figure is compared with.
        .target(
            name: "CLimits", cSettings: [.unsafeFlags(["-O3"])], linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "Benchmark",
            dependencies: [
                "CLimits",
                .product(name: "PhotoStreamLayout", package: "PhotoStream"),
                .product(name: "PhotoStreamCollection", package: "PhotoStream"),
                .product(name: "PhotoStreamService", package: "PhotoStream"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
    ],
    swiftLanguageModes: [.v6]
)
