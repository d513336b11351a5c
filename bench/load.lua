wrk.method = "POST"
wrk.headers["content-type"] = "application/json"
wrk.body = os.getenv("BODY")

function done(summary)
  local errors = summary.errors
  io.write(string.format('\n{"requests":%d,"seconds":%.6f,"errors":%d}\n', summary.requests, summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
