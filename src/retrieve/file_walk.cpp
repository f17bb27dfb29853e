#include "retrieve/file_walk.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace signalbox {
namespace {

namespace fs = std::filesystem;

struct KindRow {
  std::string_view endings;  // between blanks
  DocumentKind kind;
};

constexpr KindRow kKinds[] = {
    {" md markdown mdx mkd ", DocumentKind::Markdown},
    {" html htm xhtml svg ", DocumentKind::Html},
    {" csv tsv ", DocumentKind::Csv},
    {" pdf ", DocumentKind::Pdf},
    {" docx ", DocumentKind::Docx},
    {" c h cc cpp cxx hh hpp hxx cs java kt kts scala go rs py rb php pl pm js jsx mjs cjs ts tsx vue "
     "svelte swift m mm dart lua r jl hs ml mli ex exs erl clj lisp el sh bash zsh fish ps1 bat sql "
     "proto graphql css scss less cmake gradle groovy tf nim zig v sv vhd asm s toml yaml yml json "
     "jsonl xml ini cfg conf properties ",
     DocumentKind::Code},
};

bool is_passed_over(const std::string& name) {
  static const std::set<std::string> kNames = {"node_modules", "__pycache__", "CMakeFiles"};
  return (name.size() > 1 && name[0] == '.') || kNames.contains(name);
}

bool is_inside(const fs::path& path, const fs::path& root) {
  const auto [end, ignored] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return end == root.end();
}

class Walker {
 public:
  Walker(fs::path root, const WalkOptions& options) : root_(std::move(root)), options_(options) {}

  void visit(const fs::path& folder, const std::string& below) {
    std::error_code ec;
    for (fs::directory_iterator entry(folder, ec), end; !ec && entry != end; entry.increment(ec)) {
      const std::string name = entry->path().filename().string();
      if (is_passed_over(name)) continue;
      look_at(*entry, below.empty() ? name : below + "/" + name);
    }
    if (ec) walk_.skipped.push_back({below.empty() ? "." : below, ec.message()});
  }

  Walk finish() {
    const auto by_path = [](const auto& a, const auto& b) { return a.path < b.path; };
    std::sort(walk_.files.begin(), walk_.files.end(), by_path);
    std::sort(walk_.skipped.begin(), walk_.skipped.end(), by_path);
    return std::move(walk_);
  }

 private:
  void skip(const std::string& path, std::string reason) {
    walk_.skipped.push_back({path, std::move(reason)});
  }

  void look_at(const fs::directory_entry& entry, const std::string& path) {
    std::error_code ec;
    if (entry.is_symlink(ec)) {
      const fs::path real = fs::canonical(entry.path(), ec);
      if (ec) return skip(path, "a link to nothing");
      if (!is_inside(real, root_)) return skip(path, "a link out of the folder");
      return;  // what it leads to is visited under its own name
    }
    if (entry.is_directory(ec)) return visit(entry.path(), path);
    struct stat info{};
    if (::stat(entry.path().c_str(), &info) != 0) return skip(path, "cannot be read");
    if (!S_ISREG(info.st_mode)) return skip(path, "not a plain file");
    const auto bytes = static_cast<std::uint64_t>(info.st_size);
    if (bytes > options_.max_file_bytes)
      return skip(path, fmt::format("too large: {} MB", bytes >> 20U));
    if (walk_.files.size() >= options_.max_files) return skip(path, "too many files");
    const std::int64_t modified =
        info.st_mtim.tv_sec * 1'000'000'000LL + static_cast<std::int64_t>(info.st_mtim.tv_nsec);
    walk_.files.push_back({path, kind_of(path), bytes, modified});
  }

  fs::path root_;
  WalkOptions options_;
  Walk walk_;
};

}  // namespace

DocumentKind kind_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos || path.find('/', dot) != std::string::npos) return DocumentKind::Text;
  std::string ending = " " + path.substr(dot + 1) + " ";
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  for (const KindRow& row : kKinds) {
    if (row.endings.find(ending) != std::string_view::npos) return row.kind;
  }
  return DocumentKind::Text;
}

Result<Walk> walk_files(const std::string& root, const WalkOptions& options) {
  std::error_code ec;
  const fs::path real = fs::canonical(root, ec);
  if (ec || !fs::is_directory(real)) return fail(ErrorCode::NotFound, root + ": no such folder");
  Walker walker(real, options);
  walker.visit(real, "");
  return walker.finish();
}

}  // namespace signalbox
