// The key file of a running server: keys are made and revoked, and the file keeps up.
//
// The file is written first, beside itself and renamed, so that a crash leaves the old one or the new
// one. Comments and the order of lines stay. One change at a time; thread-safe.
#pragma once

#include <mutex>
#include <string>

#include "server/guard.h"

namespace signalbox {

class KeyRing {
 public:
  KeyRing(std::string path, Guard& guard) : path_(std::move(path)), guard_(guard) {}

  // The key itself is in the answer and nowhere else. InvalidInput: a field that is wrong.
  Result<NewKey> add(const std::string& name, const std::string& scopes, const std::string& rate,
                     int concurrency);

  // NotFound: there is none of that id. InvalidInput: it is the last that may do this.
  Result<void> revoke(const std::string& id);

  std::vector<KeyLine> keys() const { return guard_.keys(); }

 private:
  Result<std::string> read() const;
  Result<void> write(const std::string& text) const;

  std::string path_;
  Guard& guard_;
  std::mutex changing_;
};

}  // namespace signalbox
