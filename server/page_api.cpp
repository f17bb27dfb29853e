// The web page and its files: compressed once, named by their content, shut off from everything else.

#include <fmt/format.h>
#include <zlib.h>

#include <map>

#include "base/hash.h"
#include "server/api.h"
#include "server/embedded.h"

namespace signalbox {
namespace {

struct ServedFile {
  std::string_view type;
  std::string_view plain;
  std::string packed;  // gzip
  std::string tag;     // quoted, without the mark of the encoding
};

std::string packed(std::string_view text) {
  z_stream stream{};
  constexpr int kGzip = 15 + 16;  // the largest window, with gzip's header
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    return {};
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int done = deflate(&stream, Z_FINISH);
  out.resize(done == Z_STREAM_END ? stream.total_out : 0);
  deflateEnd(&stream);
  return out;
}

std::string_view type_of(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "application/octet-stream";
}

// Made at the first request: about ten milliseconds, once.
const std::map<std::string_view, ServedFile>& page_files() {
  static const auto files = [] {
    std::map<std::string_view, ServedFile> made;
    for (const PageFile& file : kPageFiles)
      made[file.name] = {type_of(file.name), file.text, packed(file.text),
                         fmt::format("{:016x}", hash_text(file.text))};
    return made;
  }();
  return files;
}

bool takes_gzip(const ServerRequest& request) {
  const std::string_view accepted = request.header("accept-encoding");
  const std::size_t at = accepted.find("gzip");
  if (at == std::string_view::npos) return false;
  const std::string_view behind = accepted.substr(at + 4, accepted.find(',', at) - at - 4);
  return behind.find("q=0") == std::string_view::npos || behind.find("q=0.") != std::string_view::npos;
}

void answer_with(const Call& call, const ServedFile& file, std::string_view caching) {
  const bool is_packed = takes_gzip(call.request) && !file.packed.empty();
  const std::string tag = fmt::format("\"{}{}\"", file.tag, is_packed ? "-gz" : "");
  ServerReply& reply = call.reply;
  reply.add_header("etag", tag);
  reply.add_header("cache-control", caching);
  reply.add_header("vary", "accept-encoding");
  reply.add_header("x-content-type-options", "nosniff");
  if (call.request.header("if-none-match").find(tag) != std::string_view::npos) {
    reply.status = 304;
    reply.content_type = "";
    return;
  }
  reply.content_type = file.type;
  if (is_packed) reply.add_header("content-encoding", "gzip");
  reply.body = is_packed ? file.packed : std::string(file.plain);
}

}  // namespace

void Api::page(Call& call) {
  call.reply.add_header(
      "content-security-policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
      "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  call.reply.add_header("referrer-policy", "no-referrer");
  answer_with(call, page_files().at("index.html"), "no-cache");
}

// Their names change with their content, so a browser never has to ask again.
void Api::page_asset(Call& call) {
  const auto file = page_files().find(call.id);
  if (file == page_files().end() || call.id == "index.html")
    return refuse(call.reply, 404, "not_found", "the page has no such file");
  answer_with(call, file->second, "public, max-age=31536000, immutable");
}

}  // namespace signalbox
