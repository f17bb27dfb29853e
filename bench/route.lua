-- wrk: POST /v1/route with the body in $BODY, else a greeting that a fast-path rule decides.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = os.getenv("BODY") or '{"query": "hello there"}'
