-- wrk: POST /v1/route with the body in $BODY; on average $DELAY milliseconds between the requests
-- of a connection, drawn anew each time: with a fixed pause all connections would send at the same moment.
-- NNN in the body becomes a number that no other request has, so that no cache can answer.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = os.getenv("BODY")
local pause = tonumber(os.getenv("DELAY") or "0")
if pause > 0 then
  function init() math.randomseed(tonumber(tostring(wrk.thread):match("0x(%x+)"), 16) or 1) end
  function delay() return math.random(0, 2 * pause) end
end
if wrk.body:find("NNN") then
  local threads = 0
  function setup(thread)
    thread:set("first", threads * 100000000)
    threads = threads + 1
  end
  local count = 0
  function request()
    count = count + 1
    return wrk.format(nil, nil, nil, (wrk.body:gsub("NNN", tostring(first + count))))
  end
end
