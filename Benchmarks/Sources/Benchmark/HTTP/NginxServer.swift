import Foundation

/// The comparison: nginx answering with the same bytes from files.
enum NginxServer {
    /// Starts it.
    ///
    /// - Parameter folder: The folder of recorded answers.
    /// - Returns: The server.
    /// - Throws: A failure if nginx is missing.
    static func start(_ folder: URL) throws -> ServedProcess {
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw Tool.Failure(description: "\(program) is missing: `apt-get install nginx-light` installs it")
        }
        let port = try SocketClient.freePort()
        let file = folder.appending(path: "nginx.conf")
        let path = folder.path(percentEncoded: false)
        // The user who runs the benchmark owns the files.
        let configuration = """
            user \(NSUserName());
            daemon off;
            worker_processes 2;
            worker_rlimit_nofile 32768;
            pid \(path)/nginx.pid;
            error_log \(path)/nginx.log;
            events { worker_connections 1024; }
            http {
                access_log off;
                sendfile on;
                tcp_nopush on;
                keepalive_requests 100000000;
                open_file_cache max=16000;
                client_body_temp_path \(path)/nginx-1;
                proxy_temp_path \(path)/nginx-2;
                fastcgi_temp_path \(path)/nginx-3;
                uwsgi_temp_path \(path)/nginx-4;
                scgi_temp_path \(path)/nginx-5;
                default_type application/json;
                server { listen 127.0.0.1:\(port); root \(path); }
            }
            """
        try Data(configuration.utf8).write(to: file)
        return try ServedProcess(
            program, arguments: ["-e", "\(path)/nginx.log", "-c", file.path(percentEncoded: false)], port: port)
    }

    private static let program = "/usr/sbin/nginx"
}
