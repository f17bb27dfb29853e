// Words as they may be written: plurals and singulars, and the words inside a name.
//
// Pure functions over folded text; linear but for split_joined(), which is cubic in a word's length.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox {

// The word first, then what may be its singular in English, Spanish or Portuguese: "cities": city;
// "canciones": cancion; "transacoes": transacao; "analyses": analysis.
std::vector<std::string> word_forms(std::string_view word);

// "sbCustJoinDate", "sale_price", "IPAddress": their words, in lower case.
std::vector<std::string> split_name(std::string_view name);

// "authorname": author, name, where every part is known; the fewest parts win. Empty: it cannot be.
std::vector<std::string> split_joined(const std::string& word,
                                      const std::function<bool(const std::string&)>& is_known);

}  // namespace signalbox
