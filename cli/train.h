// signalbox train --data F [--valid F] [--oos F] --out MODEL
#pragma once

namespace CLI {
class App;
}

namespace signalbox {

void add_train_command(CLI::App& app, int& exit_code);

}  // namespace signalbox
