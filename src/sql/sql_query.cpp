#include "sql/sql_query.h"

#include <fmt/format.h>

#include <algorithm>

#include "sql/join_plan.h"
#include "sql/word_forms.h"

namespace signalbox {
namespace {

class QueryWriter {
 public:
  QueryWriter(const SqlSchema& schema, const SqlQuery& query) : schema_(schema), query_(query) {}

  Sure<std::string> write() {
    auto plan = plan_joins(schema_, root(), tables());
    if (!plan) return tl::unexpected(plan.error());
    plan_ = *std::move(plan);
    if (auto fine = counts_once(); !fine) return tl::unexpected(fine.error());
    const bool is_aggregate = !query_.groups.empty() || has_aggregate();
    const bool multiplies = std::any_of(plan_.steps.begin(), plan_.steps.end(),
                                        [](const JoinStep& step) { return step.multiplies; });
    const bool is_distinct = query_.is_distinct || (!is_aggregate && multiplies);
    if (!is_aggregate && multiplies && shows_figures_of_many()) return doubt("add_or_average");
    std::vector<std::string> items;
    for (const SqlTerm& term : query_.select) items.push_back(written(term) + alias(term));
    if (!query_.topic.empty()) items.push_back(likeness() + " AS similarity");
    std::string sql = fmt::format("SELECT {}{} FROM {}", is_distinct ? "DISTINCT " : "",
                                  fmt::join(items, ", "), name(plan_.root));
    for (const JoinStep& step : plan_.steps) {
      sql += fmt::format(" JOIN {} ON {} = {}", name(step.table),
                         column({step.link.table, step.link.column}),
                         column({step.link.to_table, step.link.to_column}));
    }
    sql += where();
    if (is_aggregate && !query_.groups.empty()) sql += " GROUP BY " + list(query_.groups);
    sql += having();
    if (!query_.topic.empty()) {
      if (is_aggregate || query_.order || is_distinct) return doubt("topic_order");
      return sql + fmt::format(" ORDER BY similarity DESC LIMIT {}",
                               query_.limit > 0 ? std::min(query_.limit, kMostFoundByMeaning)
                                                : kMostFoundByMeaning);
    }
    if (query_.order) {
      // Rows without a value are no extremes.
      const bool by_column = query_.order->aggregate == Aggregate::None && !query_.order->grain;
      if (is_distinct && !selects(*query_.order)) return doubt("order_repeats");
      sql += " ORDER BY " + written(*query_.order) + (query_.is_descending ? " DESC" : "");
      if (by_column || query_.is_descending) sql += " NULLS LAST";
    }
    if (query_.limit > 0) sql += fmt::format(" LIMIT {}", query_.limit);
    return sql;
  }

 private:
  const SqlTable& table(int place) const { return schema_.tables[static_cast<std::size_t>(place)]; }
  std::string name(int place) const { return sql_name(table(place).name); }

  std::string column(const ColumnRef& ref) const {
    const SqlColumn& found = table(ref.table).columns[static_cast<std::size_t>(ref.column)];
    if (found.inside.empty()) return name(ref.table) + "." + sql_name(found.name);
    return json_reading(name(ref.table) + "." + sql_name(found.inside), found.name, schema_.dialect);
  }

  // Numbers of several rows for each row that is asked for.
  bool shows_figures_of_many() const {
    return std::any_of(query_.select.begin(), query_.select.end(), [&](const SqlTerm& term) {
      const SqlColumn& shown = table(term.of.table).columns[static_cast<std::size_t>(term.of.column)];
      return shown.kind == SqlKind::Number && !shown.is_key && plan_.multiplies_for(term.of.table);
    });
  }

  bool has_aggregate() const {
    const auto is = [](const SqlTerm& term) { return term.aggregate != Aggregate::None; };
    return std::any_of(query_.select.begin(), query_.select.end(), is) ||
           (query_.order && is(*query_.order)) || !query_.having.empty();
  }

  bool selects(const SqlTerm& term) const {
    return std::find(query_.select.begin(), query_.select.end(), term) != query_.select.end();
  }

  std::vector<SqlTerm> terms() const {
    std::vector<SqlTerm> out = query_.select;
    out.insert(out.end(), query_.groups.begin(), query_.groups.end());
    if (query_.order) out.push_back(*query_.order);
    for (const SqlHaving& each : query_.having) out.push_back(each.term);
    return out;
  }

  // Figures grow from the table they are of; a count that stands alone from what it counts.
  int root() const {
    int counted = -1;
    for (const SqlTerm& term : terms()) {
      if (term.aggregate == Aggregate::Count && term.of.column < 0 && counted < 0)
        counted = term.of.table;
      if (term.aggregate == Aggregate::Sum || term.aggregate == Aggregate::Average)
        return term.of.table;
    }
    if (counted >= 0) return counted;
    for (const SqlTerm& term : terms()) {
      if (term.aggregate != Aggregate::None) return term.of.table;
    }
    if (query_.subject >= 0) return query_.subject;
    return query_.select.empty() ? 0 : query_.select.front().of.table;
  }

  std::vector<int> tables() const {
    std::vector<int> out;
    for (const SqlTerm& term : terms()) out.push_back(term.of.table);
    for (const SqlFilter& filter : query_.filters) out.push_back(filter.column.table);
    out.insert(out.end(), query_.with.begin(), query_.with.end());
    if (!query_.without.empty()) out.push_back(query_.subject);
    return out;
  }

  bool is_on_the_way_to_a_group(int wanted) const {
    return std::any_of(query_.groups.begin(), query_.groups.end(), [&](const SqlTerm& group) {
      int at = group.of.table;
      while (at != plan_.root) {
        if (at == wanted) return true;
        const auto step = std::find_if(plan_.steps.begin(), plan_.steps.end(),
                                       [&](const JoinStep& each) { return each.table == at; });
        if (step == plan_.steps.end()) return false;
        at = step->link.table == at ? step->link.to_table : step->link.table;
      }
      return false;
    });
  }

  // Sums and averages over rows that a join repeats are wrong, unless each group repeats them on
  // purpose.
  Sure<void> counts_once() const {
    for (const SqlTerm& term : terms()) {
      const bool adds = term.aggregate == Aggregate::Sum || term.aggregate == Aggregate::Average;
      if (!adds) continue;
      if (term.of.table != plan_.root)
        return doubt("figures_apart", table(plan_.root).name, table(term.of.table).name);
      for (const JoinStep& step : plan_.steps) {
        if (step.multiplies && !is_on_the_way_to_a_group(step.table))
          return doubt("counted_twice", table(plan_.root).name);
      }
    }
    for (const SqlTerm& term : terms()) {
      if (term.aggregate == Aggregate::Count && term.of.column < 0 && needs_key(term) &&
          table(term.of.table).key() < 0)
        return doubt("no_key", table(term.of.table).name);
    }
    return {};
  }

  bool needs_key(const SqlTerm& term) const {
    return term.is_distinct || term.of.table != plan_.root ||
           std::any_of(plan_.steps.begin(), plan_.steps.end(), [&](const JoinStep& step) {
             return step.multiplies && !is_on_the_way_to_a_group(step.table);
           });
  }

  std::string written(const SqlTerm& term) const {
    if (term.aggregate == Aggregate::Count && term.of.column < 0) {
      if (!needs_key(term)) return "COUNT(*)";
      return fmt::format("COUNT(DISTINCT {})", column({term.of.table, table(term.of.table).key()}));
    }
    std::string value = column(term.of);
    if (term.grain) value = grained(value, *term.grain);
    switch (term.aggregate) {
      case Aggregate::None:
        return value;
      case Aggregate::Count:
        return fmt::format("COUNT({}{})", term.is_distinct ? "DISTINCT " : "", value);
      case Aggregate::Sum:
        return fmt::format("SUM({})", number(term, value));
      case Aggregate::Average:
        return fmt::format("AVG({})", number(term, value));
      case Aggregate::Minimum:
        return fmt::format("MIN({})", value);
      case Aggregate::Maximum:
        return fmt::format("MAX({})", value);
    }
    return value;
  }

  // A property of PostgreSQL's JSON is text until it is told otherwise.
  std::string number(const SqlTerm& term, const std::string& value) const {
    const SqlColumn& found = table(term.of.table).columns[static_cast<std::size_t>(term.of.column)];
    const bool is_text = schema_.dialect == SqlDialect::Postgres && !found.inside.empty();
    return is_text ? fmt::format("CAST({} AS numeric)", value) : value;
  }

  std::string grained(const std::string& value, DateGrain grain) const {
    if (schema_.dialect == SqlDialect::Postgres) {
      const char* form = grain == DateGrain::Year      ? "YYYY"
                         : grain == DateGrain::Quarter ? "YYYY-\"Q\"Q"
                         : grain == DateGrain::Week    ? "IYYY-\"W\"IW"
                         : grain == DateGrain::Month   ? "YYYY-MM"
                                                       : "YYYY-MM-DD";
      return fmt::format("to_char({}, '{}')", value, form);
    }
    if (grain == DateGrain::Quarter)
      return fmt::format("strftime('%Y', {0}) || '-Q' || ((strftime('%m', {0}) + 2) / 3)", value);
    const char* form = grain == DateGrain::Year    ? "%Y"
                       : grain == DateGrain::Week  ? "%Y-%W"
                       : grain == DateGrain::Month ? "%Y-%m"
                                                   : "%Y-%m-%d";
    return fmt::format("strftime('{}', {})", form, value);
  }

  std::string alias(const SqlTerm& term) const {
    if (term.grain) {
      const char* said = *term.grain == DateGrain::Year      ? "year"
                         : *term.grain == DateGrain::Quarter ? "quarter"
                         : *term.grain == DateGrain::Week    ? "week"
                         : *term.grain == DateGrain::Month   ? "month"
                                                             : "day";
      return fmt::format(" AS {}", said);
    }
    const SqlTable& owner = table(term.of.table);
    const std::string of =
        term.of.column < 0 ? owner.name : owner.columns[static_cast<std::size_t>(term.of.column)].name;
    switch (term.aggregate) {
      case Aggregate::None:
        return term.of.column >= 0 &&
                       !owner.columns[static_cast<std::size_t>(term.of.column)].inside.empty()
                   ? " AS " + sql_name(of)
                   : "";
      case Aggregate::Count:
        return " AS " + sql_name("count_" + of);
      case Aggregate::Sum:
        return " AS " + sql_name("total_" + of);
      case Aggregate::Average:
        return " AS " + sql_name("average_" + of);
      case Aggregate::Minimum:
        return " AS " + sql_name("lowest_" + of);
      case Aggregate::Maximum:
        return " AS " + sql_name("highest_" + of);
    }
    return "";
  }

  std::string list(const std::vector<SqlTerm>& terms) const {
    std::vector<std::string> out;
    for (const SqlTerm& term : terms) out.push_back(written(term));
    return fmt::format("{}", fmt::join(out, ", "));
  }

  static const char* sign(Compare compare) {
    switch (compare) {
      case Compare::NotEqual:
        return "<>";
      case Compare::Less:
        return "<";
      case Compare::LessEqual:
        return "<=";
      case Compare::Greater:
        return ">";
      case Compare::GreaterEqual:
        return ">=";
      case Compare::Like:
        return "LIKE";
      default:
        return "=";
    }
  }

  std::string condition(const SqlFilter& filter) const {
    const std::string value = column(filter.column);
    switch (filter.compare) {
      case Compare::Null:
        return value + " IS NULL";
      case Compare::NotNull:
        return value + " IS NOT NULL";
      case Compare::During: {
        std::vector<std::string> parts;
        if (filter.span.from)
          parts.push_back(fmt::format("{} >= {}", value, sql_text(day_text(*filter.span.from))));
        if (filter.span.to)
          parts.push_back(fmt::format("{} < {}", value, sql_text(day_text(*filter.span.to))));
        return fmt::format("{}", fmt::join(parts, " AND "));
      }
      default:
        break;
    }
    if (filter.values.size() > 1)
      return fmt::format("{} {}IN ({})", value, filter.compare == Compare::NotEqual ? "NOT " : "",
                         fmt::join(filter.values, ", "));
    return fmt::format("{} {} {}", value, sign(filter.compare), filter.values.front());
  }

  // The rows of `absent` that belong to a row of the subject.
  std::string missing(int absent) const {
    const auto way = plan_joins(schema_, query_.subject, {absent});
    if (!way || way->steps.empty()) return "1 = 0";  // planned before: cannot be
    const JoinStep& first = way->steps.front();
    const bool is_ours = first.link.table == query_.subject;
    const ColumnRef own = is_ours ? ColumnRef{first.link.table, first.link.column}
                                  : ColumnRef{first.link.to_table, first.link.to_column};
    const ColumnRef theirs = is_ours ? ColumnRef{first.link.to_table, first.link.to_column}
                                     : ColumnRef{first.link.table, first.link.column};
    std::string sql = fmt::format("NOT EXISTS (SELECT 1 FROM {}", name(first.table));
    for (std::size_t i = 1; i < way->steps.size(); ++i) {
      const JoinStep& step = way->steps[i];
      sql += fmt::format(" JOIN {} ON {} = {}", name(step.table),
                         column({step.link.table, step.link.column}),
                         column({step.link.to_table, step.link.to_column}));
    }
    return sql + fmt::format(" WHERE {} = {})", column(theirs), column(own));
  }

  std::string likeness() const {
    return fmt::format("1 - vec_distance_cosine({}, embedding({}))", column(query_.vectors),
                       sql_text(query_.topic));
  }

  std::string where() const {
    std::vector<std::string> parts;
    for (const SqlFilter& filter : query_.filters) parts.push_back(condition(filter));
    for (const int absent : query_.without) parts.push_back(missing(absent));
    if (!query_.topic.empty()) parts.push_back(fmt::format("{} > {}", likeness(), query_.similarity));
    return parts.empty() ? "" : fmt::format(" WHERE {}", fmt::join(parts, " AND "));
  }

  std::string having() const {
    std::vector<std::string> parts;
    for (const SqlHaving& each : query_.having)
      parts.push_back(fmt::format("{} {} {}", written(each.term), sign(each.compare), each.value));
    return parts.empty() ? "" : fmt::format(" HAVING {}", fmt::join(parts, " AND "));
  }

  const SqlSchema& schema_;
  const SqlQuery& query_;
  JoinPlan plan_;
};

}  // namespace

std::vector<int> display_columns(const SqlSchema& schema, int place) {
  const SqlTable& table = schema.tables[static_cast<std::size_t>(place)];
  std::string own;
  for (const std::string& word : split_name(table.name)) own += word;
  int first = -1;
  int last = -1;
  int best = -1;
  int best_rank = 0;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const SqlColumn& column = table.columns[i];
    if (column.kind != SqlKind::Text || !column.inside.empty()) continue;
    std::string called;
    for (const std::string& word : split_name(column.name)) called += word;
    const int at = static_cast<int>(i);
    if (called == "firstname") first = at;
    if (called == "lastname") last = at;
    int rank = 0;
    if (called == "name" || called == "title") rank = called == "name" ? 6 : 5;
    for (const std::string& form : word_forms(own)) {
      if (called == form + "name" || called == form + "title" || called == form)
        rank = std::max(rank, 5);
    }
    if (rank == 0 && (called.ends_with("name") || called.ends_with("title")) && best_rank == 0)
      rank = 2;
    if (rank > best_rank) {
      best = at;
      best_rank = rank;
    }
  }
  if (best_rank < 6 && first >= 0 && last >= 0) return {first, last};
  if (best >= 0) return {best};
  if (table.key() >= 0) return {table.key()};
  std::vector<int> all;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].inside.empty() && table.columns[i].kind != SqlKind::Bytes)
      all.push_back(static_cast<int>(i));
  }
  return all;
}

Sure<std::string> sql_text_of(const SqlSchema& schema, const SqlQuery& query) {
  if (query.select.empty()) return doubt("nothing_asked");
  for (const int absent : query.without) {
    if (query.subject < 0) return doubt("without_what");
    auto way = plan_joins(schema, query.subject, {absent});
    if (!way) return tl::unexpected(way.error());
  }
  return QueryWriter(schema, query).write();
}

}  // namespace signalbox
