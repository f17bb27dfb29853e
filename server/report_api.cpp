// GET /v1/reports and /v1/reports/{id}: evaluation reports, read from the folder of `serve --reports`.

#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "server/api.h"
#include "wire/json_append.h"
#include "wire/request_json.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostReports = 200;
constexpr std::uintmax_t kLargest = 8 << 20;

// A name that stays inside the folder.
bool is_report_name(std::string_view name) {
  return !name.empty() && name.size() <= 128 && name.front() != '.' &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") ==
             std::string_view::npos;
}

Result<std::string> read_report(const std::string& folder, const std::string& name) {
  const Error missing{ErrorCode::NotFound, "there is no report '" + name + "'"};
  if (folder.empty() || !is_report_name(name)) return tl::unexpected(missing);
  const fs::path path = fs::path(folder) / (name + ".json");
  std::error_code ec;
  const auto size = fs::file_size(path, ec);
  if (ec) return tl::unexpected(missing);
  if (size > kLargest) return fail(ErrorCode::Corrupt, name + ": is larger than 8 MiB");
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto object = parse_json_object(text);
  if (!object || !object->if_contains("rows") || !object->if_contains("confusions"))
    return fail(ErrorCode::Corrupt, name + ": is no report of `signalbox eval --report`");
  return text;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::pair<fs::file_time_type, std::string>> found;
  std::error_code ec;
  for (fs::directory_iterator at(folder, ec), end; !ec && at != end; at.increment(ec)) {
    const fs::path path = at->path();
    if (path.extension() != ".json" || !is_report_name(path.stem().string())) continue;
    std::error_code unread;
    found.emplace_back(at->last_write_time(unread), path.stem().string());
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<std::string> names;
  for (auto& entry : found) names.push_back(std::move(entry.second));
  if (names.size() > kMostReports) names.resize(kMostReports);
  return names;
}

}  // namespace

void Api::reports(Call& call) {
  in_pool(call, [folder = parts_.reports](ServerReply& reply) {
    reply.body = R"({"reports":[)";
    for (const std::string& name : folder.empty() ? std::vector<std::string>() : names_in(folder)) {
      reply.body += reply.body.back() == '[' ? "" : ",";
      append_json_string(reply.body, name);
    }
    reply.body += "]}";
  });
}

void Api::report(Call& call) {
  in_pool(call, [folder = parts_.reports, name = decode_percent(call.id, false)](ServerReply& reply) {
    auto text = read_report(folder, name);
    if (!text) return refuse(reply, text.error());
    reply.body = *std::move(text);
  });
}

}  // namespace signalbox
