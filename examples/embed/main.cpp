// Signalbox inside a program of your own: open a profile once, route as often as you like.

#include <signalbox/open.h>

#include <iostream>

int main(int argc, char** argv) {
  const auto router = signalbox::open_profile(argc > 2 ? argv[2] : "assistant");
  if (!router) {
    std::cerr << router.error().message << '\n';
    return 2;
  }
  signalbox::Request request;
  request.query = argc > 1 ? argv[1] : "how much of my quota is left?";
  const auto decision = (*router)->route(request);
  if (!decision) {
    std::cerr << decision.error().message << '\n';
    return 1;
  }
  std::cout << decision->route.value_or("(asks back)") << ' ' << decision->confidence << ' '
            << decision->reason << '\n';
  return 0;
}
