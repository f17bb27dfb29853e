// Two JSON values, a line each: a schema, and what is tested against it. Then the first as a message
// whose values fill the second's parameters: every argument fits its own schema.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "call/function_file.h"
#include "call/schema_check.h"
#include "call/slot_fill.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace signalbox;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t newline = bytes.find('\n');
  if (newline == std::string_view::npos) return 0;
  const std::string first(bytes.substr(0, newline));
  const std::string second(bytes.substr(newline + 1));
  boost::system::error_code ec;
  const boost::json::value schema = boost::json::parse(first, ec);
  if (ec || !schema.is_object()) return 0;
  const boost::json::value value = boost::json::parse(second, ec);
  if (!ec && check_value(value, schema.get_object()).size() > 17) std::abort();
  static const Result<const SlotWords*> words = shipped_slot_words();
  if (!words) std::abort();
  Function function;
  function.parameters = schema.get_object();
  const FilledSlots filled = fill_slots(function, second, **words, WallTime{});
  for (const auto& [name, argument] : filled.arguments) {
    const boost::json::object* own = function.parameter(name);
    if (!own) std::abort();
    const bool is_default = own->contains("default") && own->at("default") == argument;
    if (!is_default && !check_value(argument, *own).empty()) std::abort();
  }
  return 0;
}
