# Varnish 7.1 in front of two instances with a SHUTDOWN_DELAY. Nothing is cached. A failed request is retried once.
vcl 4.1;

import directors;
import std;

probe ready {
    .url = "/ready";
    .interval = 1s;
    .timeout = 2s;
    .window = 2;
    .threshold = 2;
    .initial = 2;
}

backend one { .host = "127.0.0.1"; .port = "3001"; .probe = ready; .connect_timeout = 2s; .first_byte_timeout = 3s; }
backend other { .host = "127.0.0.1"; .port = "3002"; .probe = ready; .connect_timeout = 2s; .first_byte_timeout = 3s; }

sub vcl_init {
    new instances = directors.round_robin();
    instances.add_backend(one);
    instances.add_backend(other);
}

sub vcl_recv {
    set req.http.X-Request-Id = std.time2integer(now, 0) + "-" + req.xid;
    set req.backend_hint = instances.backend();
    std.cache_req_body(100KB);
    return (pass);
}

sub vcl_backend_error {
    return (retry);
}
