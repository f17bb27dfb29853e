// One row a command: its file registers it with the program's parser.
#pragma once

#include <CLI/CLI.hpp>

namespace signalbox {

// Exit codes: 0 done, 1 the work failed or fell short of a gate, 2 wrong usage or profile.
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;

void add_route_command(CLI::App& app, int& exit_code);
void add_check_command(CLI::App& app, int& exit_code);
void add_profiles_command(CLI::App& app, int& exit_code);
void add_new_command(CLI::App& app, int& exit_code);
void add_chat_command(CLI::App& app, int& exit_code);
void add_allowlist_command(CLI::App& app, int& exit_code);
void add_index_command(CLI::App& app, int& exit_code);
void add_search_command(CLI::App& app, int& exit_code);
void add_serve_command(CLI::App& app, int& exit_code);
void add_keys_command(CLI::App& app, int& exit_code);
void add_export_command(CLI::App& app, int& exit_code);
void add_call_command(CLI::App& app, int& exit_code);
void add_models_command(CLI::App& app, int& exit_code);
void add_replay_command(CLI::App& app, int& exit_code);
void add_sql_command(CLI::App& app, int& exit_code);

}  // namespace signalbox
