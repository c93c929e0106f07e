// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the main one carries nothing that only measurements need.
let package = Package(
    name: "PhotoStreamBenchmarks",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "PhotoStream", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
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
                .product(name: "PhotoStreamService", package: "PhotoStream"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
    ],
    swiftLanguageModes: [.v6]
)
