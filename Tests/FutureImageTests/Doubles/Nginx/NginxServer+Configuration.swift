#if !canImport(CoreGraphics)
import Foundation

extension NginxServer {
  static func configuration(ports: [Front: Int], files: URL, upstream: Int?) -> String {
    """
    daemon off;
    master_process off;
    pid nginx.pid;
    error_log stderr notice;
    events { worker_connections 1024; }
    http {
      log_format line '\(Request.mark) $connection $server_protocol $status $body_bytes_sent'
        ' "$http_range" "$sent_http_content_encoding" $request_uri';
      access_log /dev/stdout line;
      client_body_temp_path temporary;
      proxy_temp_path temporary;
      fastcgi_temp_path temporary;
      uwsgi_temp_path temporary;
      scgi_temp_path temporary;
      types { image/jpeg jpg; image/png png; }
      root "\(files.path(percentEncoded: false))";
      ssl_certificate certificate.pem;
      ssl_certificate_key key.pem;
      \(Front.allCases.map { server($0, ports, upstream: upstream) }.joined(separator: "\n"))
    }
    """
  }

  private static func server(_ front: Front, _ ports: [Front: Int], upstream: Int?) -> String {
    """
    server {
      listen 127.0.0.1:\(ports[front] ?? 0)\(front.isEncrypted ? " ssl" : "")\(front.isHTTP2 ? " http2" : "");
      keepalive_requests \([.briefHTTP1, .briefHTTPS1, .briefHTTP2].contains(front) ? 50 : 1_000_000);
      \(front == .narrowHTTP2 ? "http2_max_concurrent_streams 2;" : "")
      location ~ ^/moved/(?<name>.*)$ { return 302 /$name; }
      location ~ ^/downgraded/(?<name>.*)$ { return 302 http://127.0.0.1:\(ports[.http1] ?? 0)/$name; }
      location /gzip/ {
        rewrite ^/gzip/(.*)$ /$1 break;
        gzip on;
        gzip_types *;
        gzip_min_length 1;
      }
      location /slow/ {
        rewrite ^/slow/(.*)$ /$1 break;
        limit_rate 300k;
      }
      location /closed/ { return 444; }
      location /upstream/ {
        proxy_pass http://127.0.0.1:\(upstream ?? 9)/;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_buffering off;
        proxy_buffer_size 1m;
        proxy_buffers 4 1m;
      }
    }
    """
  }
}
#endif
