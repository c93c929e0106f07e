"""A PostgreSQL server of the package and PhotoStream servers that follow it, for scripts; all on free ports of 127.0.0.1."""

import http.client
import json
import os
import signal
import socket
import subprocess
import time

POSTGRES = "/usr/lib/postgresql/15/bin"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def run(*words, check=True):
    result = subprocess.run(words, capture_output=True, text=True)
    if check and result.returncode:
        raise RuntimeError(f"{words[0]}: {result.stderr or result.stdout}")
    return result.stdout.strip()


class Postgres:
    """A server of the package, as a user that is not root."""

    user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []

    def __init__(self, folder, port=None):
        self.data, self.port, self.process = folder, port or free_port(), None

    def create(self):
        run(*self.user, f"{POSTGRES}/initdb", "-D", self.data, "-A", "trust", "-U", "photos", "-E", "UTF8", "--locale", "C")
        with open(f"{self.data}/pg_hba.conf", "a", encoding="utf8") as file:
            file.write("host replication all 127.0.0.1/32 trust\n")

    def start(self):
        ready = [f"{POSTGRES}/pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        self.begin()
        while subprocess.run(ready, check=False).returncode:
            time.sleep(0.05)
            # It refuses to start while processes of one that was killed are still there.
            if self.process.poll() is not None:
                self.begin()

    def begin(self):
        self.process = subprocess.Popen(
            [*self.user, f"{POSTGRES}/postgres", "-D", self.data, "-p", str(self.port), "-c", "listen_addresses=127.0.0.1",
             "-c", f"unix_socket_directories={os.path.dirname(self.data)}", "-c", "log_min_messages=fatal"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")

    def kill(self):
        self.process.kill()
        self.process.wait()
        # Its other processes end when they notice.
        pid = f"{self.data}/postmaster.pid"
        time.sleep(0.1)
        if os.path.exists(pid):
            os.remove(pid)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()

    def sql(self, text):
        return run("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", str(self.port), "-U",
                   "photos", "-d", "photos", "-c", "SET search_path = photostream, public", "-c", text)

    def copy(self, folder):
        run(*self.user, f"{POSTGRES}/pg_basebackup", "-h", "127.0.0.1", "-p", str(self.port), "-U", "photos", "-D", folder,
            "-c", "fast", "-X", "stream")


class Server:
    """A PhotoStream server with its replica."""

    def __init__(self, program, primary, file, log):
        self.program, self.primary, self.file, self.log = program, primary, file, log
        self.port, self.process = free_port(), None

    def start(self):
        self.process = subprocess.Popen(
            [self.program, "serve", "--open", "--no-pictures", "--primary", self.primary, "--database", self.file, "--port",
             str(self.port)], stdout=subprocess.DEVNULL, stderr=self.log)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def ask(self, method, path, body=None, fields=None):
        """The status and the answer; None if there was none."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, body and json.dumps(body), {"Content-Type": "application/json", **(fields or {})})
            answer = connection.getresponse()
            return answer.status, answer.read(), answer.getheader("PhotoStream-Revision")
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()

    def memory(self):
        """The most memory that the process has had, in megabytes, with what it has mapped of files."""
        with open(f"/proc/{self.process.pid}/status", encoding="utf8") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1_000

    def revision(self):
        answer = self.ask("GET", "/metrics")
        lines = answer[1].decode().split("\n") if answer and answer[0] == 200 else []
        return next((int(line.split()[1]) for line in lines if line.startswith("photostream_replica_revision ")), -1)

    def wait(self):
        end = time.monotonic() + 120
        while time.monotonic() < end:
            answer = self.ask("GET", "/readyz")
            if answer and answer[0] == 200 and b"warning" not in answer[1]:
                return
            time.sleep(0.05)
        raise RuntimeError(f"a server is not ready after two minutes: {answer}")
