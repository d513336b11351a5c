wrk.method = "POST"
wrk.headers["content-type"] = "application/json"
wrk.body = os.getenv("BODY")

local pause = tonumber(os.getenv("PAUSE") or 0)
if pause > 0 then
  -- Pauses of independent clients are exponentially distributed. In milliseconds.
  function delay()
    return math.floor(-math.log(1 - math.random()) * pause + 0.5)
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('\n{"requests":%d,"seconds":%.6f,"errors":%d,"mean":%.3f,"p50":%.3f,"p99":%.3f}\n',
    summary.requests, summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency.mean / 1e3, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
