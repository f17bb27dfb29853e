// Semantic search over a conversation: how close earlier messages are to a new one.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "reference/antecedent.h"
#include "reference/turn_vectors.h"
#include "signalbox/request.h"

namespace signalbox::reference {

// Whether one of the last `most` messages is at least so close: the newest first, and no further than
// the first that is. True without vectors. `best` is the closest seen.
bool is_near(std::string_view message, const Request& request, std::size_t most, double least,
             TurnVectors* vectors, double& best);

// The user's turn that is closest to the message, by the words they share, and by meaning where they
// share none; the number of messages when there is none.
std::size_t most_relevant_user_turn(std::string_view message, const Request& request,
                                    const std::vector<EarlierMessage>& messages, TurnVectors* vectors);

}  // namespace signalbox::reference
