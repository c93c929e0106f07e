"""A lane of checks: a server with its own streams, so that lanes share only the processors."""

import os
import shutil
import subprocess
import tempfile

from browser.checks import SAMPLES


class Lane:
    """A server with a copy of the streams, an empty folder that takes uploads, and a folder that it watches."""

    def __init__(self, photostream, streams):
        """Starts the server. `streams` is the folder of a file with the streams of all lanes."""
        self.photostream = photostream
        self.folder = tempfile.mkdtemp(prefix="gallery-lane-")
        self.port = 0
        self.address = ""
        self.process = None
        for name in os.listdir(streams):
            shutil.copy(os.path.join(streams, name), self.folder)
        self.added, self.watched = os.path.join(self.folder, "added"), os.path.join(self.folder, "watched")
        for folder in [self.added, self.watched]:
            os.mkdir(folder)
        shutil.copy(os.path.join(SAMPLES, "one-pixel.png"), self.watched)
        subprocess.run(
            [photostream, "import", *self._database(), "--stream", "watched", self.watched], check=True, capture_output=True)
        self.start()

    def _database(self):
        return ["--database", os.path.join(self.folder, "photos.sqlite")]

    def _log(self):
        return os.path.join(self.folder, "log")

    def start(self):
        """Starts the server, at the same address each time."""
        with open(self._log(), "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [self.photostream, "serve", "--open", *self._database(), "--watch", "--uploads", f"added={self.added}", "--port", str(self.port)],
                stdout=subprocess.PIPE, stderr=log, text=True)
        self.address = self.process.stdout.readline().strip()
        assert self.address, f"the server does not start: {self.log()}"
        self.port = int(self.address.rsplit(":", 1)[1])

    def stop(self):
        """Stops the server and waits until it has ended."""
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    def log(self):
        """Returns the last lines of the server's log."""
        with open(self._log(), encoding="utf-8") as log:
            return "".join(log.readlines()[-20:])

    def films(self):
        """Returns a folder for videos, which the server serves to all streams."""
        folder = os.path.join(self.folder, "films")
        if not os.path.isdir(folder):
            os.mkdir(folder)
            self._run("roots", "add", folder)
        return folder

    def share(self, name, stream, *options):
        """Creates a share of a stream, and returns its link."""
        return self.address + self._run("shares", "create", name, "--stream", stream, *options).strip()

    def _run(self, *command):
        return subprocess.run(
            [self.photostream, *command, *self._database()], check=True, capture_output=True, text=True).stdout

    def close(self):
        if self.process.poll() is None:
            self.stop()
        shutil.rmtree(self.folder)
