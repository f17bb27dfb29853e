// Reads the items of a question into a frame: which table is asked about, what is shown, counted,
// compared, ordered and left out.
//
// The order of the words decides, as in the languages it reads: a figure belongs to the name that
// follows it, a comparison to the number after it and the column before it. Whatever finds no place is
// a doubt.
#pragma once

#include <vector>

#include "sql/question_frame.h"
#include "sql/question_items.h"

namespace signalbox {

Sure<QuestionFrame> read_question(const std::vector<QuestionItem>& items, const SqlSchema& schema,
                                  NameChoice& choice);

}  // namespace signalbox
