// Bytes as what a search server answered: what is taken from them keeps its promises.

#include <boost/json.hpp>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "plan/llm_decompose.h"
#include "retrieve/opensearch_client.h"
#include "retrieve/opensearch_schema.h"
#include "wire/search_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace signalbox;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (auto address = parse_opensearch_address(bytes)) {
    if (address->index.empty() || address->url.ends_with('/')) std::abort();
  }
  boost::system::error_code ec;
  const boost::json::value value = boost::json::parse(bytes, ec);
  if (ec) return 0;
  opensearch_reason(value);
  if (auto ids = ids_of(value)) {
    for (const ScoredId& id : *ids) {
      if (id.id.empty()) std::abort();
    }
  }
  if (auto settings = settings_of(value); settings && settings->dimensions < 0) std::abort();
  Hit hit;
  if (hit_of(value, hit) && (hit.first_line < 0 || hit.last_line < 0)) std::abort();
  if (!value.is_object()) return 0;
  if (auto parts = read_sub_questions("how does the ledger work", value.get_object())) {
    if (parts->size() == 1 || parts->size() > 12) std::abort();
  }
  for (const ToolDescription& tool : search_tools()) {
    if (auto call = tool_call_from_json(tool.name, value.get_object()); call && call->tool != tool.name)
      std::abort();
  }
  return 0;
}
