import ArgumentParser

/// Measures PhotoStream next to the plain work and next to its peers, in one run.
@main
struct Benchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "benchmark",
        abstract: "Measures PhotoStream next to the plain work and next to its peers.",
        discussion: """
            Figures are medians; ratios are taken in one run, A and B in turn. Each result is checked inside the run, \
            so a fast wrong answer cannot win. Build with -c release.
            """,
        subcommands: [
            LayoutBenchmark.self, ImportBenchmark.self, TriggerBenchmark.self, ServiceBenchmark.self,
            StoredFramesBenchmark.self, ViewsBenchmark.self, ScaleBenchmark.self, HTTPBenchmark.self,
            HTTPImportBenchmark.self,
            HTTPLanesBenchmark.self, HTTPEventsBenchmark.self, PicturesBenchmark.self, MemoryServer.self,
        ]
    )
}
