#!/usr/bin/env bash
# Fetches two published MCP servers (stdio and streamable HTTP) into the cache, for src/call/mcp_published_test.
set -euo pipefail
cache=${XDG_CACHE_HOME:-$HOME/.cache}/signalbox/mcp
mkdir -p "$cache"
(cd "$cache" && npm install --silent --no-fund --no-audit @modelcontextprotocol/server-everything \
  @modelcontextprotocol/server-filesystem)
echo "mcp: servers in $cache"
