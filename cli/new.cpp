// signalbox new NAME: writes a commented starter profile.

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "cli/command.h"
#include "pipeline/fleet.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStarter =
    R"yaml(# {name}: a router of your own. `signalbox check {name}` tells every mistake; docs/profiles.md explains each key.
profile: {name}
description: Sends messages of a small shop to the right desk.
languages: [en, es]
mode: cascade            # fast path, then the local classifier; an LLM only where one is configured
fallback: GENERAL        # where a message goes when nothing is sure

routes:
  ORDERS:
    description: Where an order is, changing or cancelling it.
    target: {{kind: agent, name: orders}}
    examples:            # what people say; ten or twenty a route make a good start
      en:
        - where is my package
        - my order has not arrived yet
        - I want to cancel the order I placed yesterday
        - can you change the delivery address
        - when will my parcel be delivered
        - has my order been shipped
      es: [dónde está mi pedido, quiero cancelar mi compra, cuándo llega mi paquete]
  BILLING:
    description: Invoices, payments, refunds.
    target: {{kind: agent, name: billing}}
    examples:
      en:
        - I was charged twice
        - send me the invoice for March
        - I want my money back
        - my card was declined
        - how do I get a refund
        - why is there an extra fee on my bill
      es: [me cobraron dos veces, necesito la factura, quiero un reembolso]
  GENERAL:
    description: Greetings, small talk and everything else.
    examples:
      en: [hello, thanks a lot, what can you do, tell me a joke, good morning, you are very kind]
      es: [hola, gracias, qué puedes hacer, buenos días]

words:                   # whole words, any case, accents optional; (a|b), #, word* and ... are explained in docs/profiles.md
  filler: [please, por favor, there]
  greeting: [hello, hi, "good (morning|evening)", hola, "buenos días"]
patterns:
  order_number: '\bORD-\d{{4,}}\b'

rules:                   # what is certain needs no model
  - id: greeting
    when: only.greeting
    route: GENERAL
    reason: nothing but a greeting
  - id: order_number
    when: pattern.order_number
    route: ORDERS
    confidence: 0.95
    reason: names an order

contract:                # what every decision keeps; breaches are counted
  - id: SHOP-01
    text: A message that names an order goes to the orders desk, and costs no LLM call.
    when: pattern.order_number
    then: {{route: ORDERS, max_llm_calls: 0}}
)yaml";

int write(const std::string& name, const std::string& folder) {
  const bool is_plain =
      !name.empty() &&
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == std::string::npos;
  if (!is_plain) {
    fmt::print(stderr, "signalbox new: '{}': use lower-case letters, digits, - and _\n", name);
    return kExitUsage;
  }
  const fs::path path = fs::path(folder) / (name + ".yaml");
  std::error_code ec;
  if (fs::exists(path, ec)) {
    fmt::print(stderr, "signalbox new: {} is already there; nothing was written\n", path.string());
    return kExitFailed;
  }
  fs::create_directories(folder, ec);
  std::ofstream file(path);
  file << fmt::format(fmt::runtime(kStarter), fmt::arg("name", name));
  file.close();
  if (!file) {
    fmt::print(stderr, "signalbox new: cannot write {}\n", path.string());
    return kExitFailed;
  }
  const bool has_blank = path.string().find(' ') != std::string::npos;
  const std::string shown = has_blank ? fmt::format("'{}'", path.string()) : path.string();
  fmt::print(
      "wrote {0}\n\nnext:\n  signalbox check {0}\n  signalbox route --profile {0} \"where is my "
      "package?\"\n",
      shown);
  return 0;
}

}  // namespace

void add_new_command(CLI::App& app, int& exit_code) {
  struct Options {
    std::string name;
    std::string folder = ".";
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("new", "Write a commented starter profile");
  command->add_option("name", options->name, "Its name")->required();
  command->add_option("--dir", options->folder, "The folder to write to")->capture_default_str();
  command->callback([options, &exit_code] { exit_code = write(options->name, options->folder); });
}

}  // namespace signalbox
