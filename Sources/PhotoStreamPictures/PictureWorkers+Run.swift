import Glibc
import Logging
import PhotoStreamPictureMessages
import Subprocess
import Synchronization
import SystemPackage

extension PictureWorkers {
    /// Runs the workers until the task is cancelled; waiting requests are then answered with a failure.
    ///
    /// A process is started for the first request, and ended after ten seconds without one.
    package func run() async {
        // Writing to a process that has just ended must be an error, not the end of this program.
        _ = signal(SIGPIPE, SIG_IGN)
        // The library opens files of its own for its first process, and never tries again if there are too many open files.
        _ = try? await Subprocess.run(.name("true"), output: .string(limit: 1), error: .discarded)
        await withTaskGroup { group in
            for _ in 0..<max(1, settings.count) {
                group.addTask { await self.runWorker() }
            }
        }
        queue.close()
    }

    /// Runs one process after the other.
    private func runWorker() async {
        var left: [WorkerQueue.Job] = []
        while !Task.isCancelled {
            left.removeAll { !queue.isAwaited($0) }
            if left.isEmpty {
                guard let job = await queue.next() else { break }
                left = [job]
            }
            left = await ask(left)
        }
        for job in left { queue.finish(job.id, with: WorkerQueue.noWorker) }
    }

    /// Starts a process and sends it requests.
    ///
    /// - Returns: The requests that another process has to answer.
    private func ask(_ jobs: [WorkerQueue.Job]) async -> [WorkerQueue.Job] {
        var session = WorkerSession(jobs, queue: queue, settings: settings)
        let deadline = WorkerDeadline(afterSeconds: settings.deadlineSeconds)
        var options = PlatformOptions()
        options.teardownSequence = [.send(signal: .kill, allowedDurationToNextStep: .zero)]
        let status: TerminationStatus
        var hasStarted = false
        do {
            let pipe = try WorkerPipe()
            let result = try await Subprocess.run(
                .path(FilePath(settings.executablePath)),
                arguments: [
                    "--address-space-bytes", "\(settings.addressSpaceBytes)", "--cpu-seconds", "\(settings.cpuSeconds)",
                ],
                platformOptions: options,
                input: .fileDescriptor(pipe.childInput, closeAfterSpawningProcess: false), output: .sequence,
                error: .fileDescriptor(pipe.childErrors, closeAfterSpawningProcess: false)
            ) { execution in
                let process = execution.processIdentifier.value
                hasStarted = true
                pipe.closeChildEnds()
                let watch = Task { await deadline.watch(process) }
                do {
                    try await session.run(input: pipe, output: execution.standardOutput, deadline: deadline)
                } catch is MessageError {
                    // A picture may have taken control of it, so it may do anything.
                    kill(process, SIGKILL)
                } catch {
                    // The process has ended; its status contains the reason.
                }
                watch.cancel()
                pipe.closeInput()
                await Self.end(process)
            }
            status = result.terminationStatus
        } catch let error as SubprocessError where Self.isMissing(error) {
            return refuse(session.jobs, reason: "\(error)")
        } catch {
            guard hasStarted else {
                let failure = PictureFailure(.exhausted, reason: "there is no room for another process, or its files")
                for job in session.jobs { queue.finish(job.id, with: .failed(failure)) }
                return []
            }
            // Its end of a pipe was closed.
            status = .signaled(SIGKILL)
        }
        return judge(session, status: status, isLate: deadline.isMissed)
    }

    /// Whether the program cannot be run at all; otherwise it is worth another try.
    private static func isMissing(_ error: SubprocessError) -> Bool {
        let passing: [Errno] = [
            .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory, .resourceTemporarilyUnavailable,
        ]
        if let reason = error.underlyingError, passing.contains(reason) { return false }
        return [.spawnFailed, .executableNotFound, .failedToChangeWorkingDirectory].contains(error.code)
    }

    /// The time in which a process may end by itself after its input has ended.
    private static let endLimit = Duration.seconds(1)

    /// Waits for the end of a process without reaping it, and kills it if it does not end by itself: a process that
    /// ignores the end of its input must not occupy a slot forever.
    private static func end(_ process: pid_t) async {
        let limit = ContinuousClock.now + endLimit
        while isRunning(process) {
            if Task.isCancelled || limit <= .now {
                kill(process, SIGKILL)
                return
            }
            try? await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Whether a child is running; one that has ended is not reaped, so that no other process gets its id.
    private static func isRunning(_ process: pid_t) -> Bool {
        var information = unsafe siginfo_t()
        let result = unsafe waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
        return unsafe result == 0 && information.si_signo == 0
    }

    /// Handles the requests that a process has not answered.
    private func judge(
        _ session: WorkerSession, status: TerminationStatus, isLate: Bool
    ) -> [WorkerQueue.Job] {
        var left = session.jobs
        // The end of a process without a request implies nothing about the next one.
        guard session.isAwaitingAnswer, !Task.isCancelled else { return left }
        if isLate {
            let reason = "it took longer than \(settings.deadlineSeconds) seconds"
            queue.finish(left.removeFirst().id, with: .failed(PictureFailure(.timedOut, reason: reason)))
            return left
        }
        if case .exited(let code) = status, session.answerCount == 0 {
            // A crash is a signal. A program that ends by itself before it answers most likely lacks a library.
            return refuse(left, reason: "it ended with the status \(code)")
        }
        if !left[0].isSuspect, left[0].isQuick || session.answerCount > 0 {
            // Another request, or something outside, may have killed the process, so the request is sent once more,
            // alone.
            left[0].isSuspect = true
            return left
        }
        queue.finish(
            left.removeFirst().id,
            with: .failed(PictureFailure(.crashed, reason: "the decoder crashed while it read it")))
        return left
    }

    /// Answers the requests for a program that cannot be started, and logs that once.
    private func refuse(_ jobs: [WorkerQueue.Job], reason: String) -> [WorkerQueue.Job] {
        if hasFailedToStart.exchange(true, ordering: .relaxed) == false {
            logger.error("\(settings.executablePath) cannot be run: \(reason)")
        }
        for job in jobs { queue.finish(job.id, with: WorkerQueue.noWorker) }
        return []
    }
}
