#include <sqlite3.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include "model/encoder.h"
#include "store/guarded_sqlite.h"

namespace signalbox {
namespace {

// Blobs lie anywhere in memory, so each number is copied out.
float number_at(const unsigned char* bytes, std::size_t i) {
  float out;
  std::memcpy(&out, bytes + i * sizeof(float), sizeof(float));
  return out;
}

void distance(sqlite3_context* context, int, sqlite3_value** values) {
  if (sqlite3_value_type(values[0]) == SQLITE_NULL || sqlite3_value_type(values[1]) == SQLITE_NULL)
    return sqlite3_result_null(context);
  for (int i = 0; i < 2; ++i) {
    if (sqlite3_value_type(values[i]) != SQLITE_BLOB)
      return sqlite3_result_error(context, "vec_distance_cosine takes blobs of float32", -1);
  }
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(values[0]));
  if (size == 0 || size % sizeof(float) != 0 ||
      size != static_cast<std::size_t>(sqlite3_value_bytes(values[1])))
    return sqlite3_result_error(context, "vec_distance_cosine: the vectors differ in length", -1);
  const auto* a = static_cast<const unsigned char*>(sqlite3_value_blob(values[0]));
  const auto* b = static_cast<const unsigned char*>(sqlite3_value_blob(values[1]));
  double dot = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t i = 0; i < size / sizeof(float); ++i) {
    const double x = number_at(a, i);
    const double y = number_at(b, i);
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  if (!(aa > 0) || !(bb > 0)) return sqlite3_result_null(context);  // no direction, no distance
  sqlite3_result_double(context, 1.0 - dot / std::sqrt(aa * bb));
}

void embedding(sqlite3_context* context, int, sqlite3_value** values) {
  const auto& encoder = *static_cast<const Encoder*>(sqlite3_user_data(context));
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(values[0]));
  if (!text) return sqlite3_result_null(context);
  std::vector<float> vector(encoder.dimensions());
  encoder.encode({text, static_cast<std::size_t>(sqlite3_value_bytes(values[0]))}, vector);
  sqlite3_result_blob64(context, vector.data(), vector.size() * sizeof(float), SQLITE_TRANSIENT);
}

}  // namespace

void add_vector_functions(sqlite3* database, const Encoder* encoder) {
  if (encoder) {
    sqlite3_create_function_v2(database, "embedding", 1,
                               SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                               const_cast<Encoder*>(encoder), &embedding, nullptr, nullptr, nullptr);
  }
  sqlite3_create_function_v2(database, "vec_distance_cosine", 2,
                             SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nullptr, &distance,
                             nullptr, nullptr, nullptr);
}

}  // namespace signalbox
