// Semantic search over a conversation: how close earlier messages are to a new one.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "model/encoder.h"
#include "reference/antecedent.h"
#include "signalbox/request.h"

namespace signalbox::reference {

// Cosines with the last `most` messages of users and assistants, oldest first; empty without an
// encoder. One encoding a message (some 0.1 ms each).
std::vector<double> relevance(std::string_view message, const Request& request, std::size_t most,
                              const Encoder* encoder);

// The user's turn that is closest to the message, by meaning and by the words they share; the number of
// messages when there is none.
std::size_t most_relevant_user_turn(std::string_view message, const Request& request,
                                    const std::vector<EarlierMessage>& messages,
                                    const Encoder* encoder);

}  // namespace signalbox::reference
