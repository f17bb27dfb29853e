-- wrk: POST /v1/route with the body in $BODY; $DELAY milliseconds between the requests of a connection.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = os.getenv("BODY")
local pause = tonumber(os.getenv("DELAY") or "0")
if pause > 0 then
  function delay() return pause end
end
