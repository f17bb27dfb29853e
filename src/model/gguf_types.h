// How GGUF names things by number: how many bytes a tensor's elements take, and what a file's mix is
// called.
#pragma once

#include <cstdint>
#include <string_view>

namespace signalbox {

struct GgufBlock {
  std::uint32_t elements = 0;  // 0: a type this program does not know
  std::uint32_t bytes = 0;
};

inline constexpr GgufBlock kGgufBlocks[] = {
    {1, 4},    {1, 2},    {32, 18},  {32, 20},   {},         {},         {32, 22},   {32, 24},
    {32, 34},  {32, 36},  {256, 84}, {256, 110}, {256, 144}, {256, 176}, {256, 210}, {256, 292},
    {256, 66}, {256, 74}, {256, 98}, {256, 50},  {32, 18},   {256, 110}, {256, 82},  {256, 136},
    {1, 1},    {1, 2},    {1, 4},    {1, 8},     {1, 8},     {256, 56},  {1, 2},     {},
    {},        {},        {256, 54}, {256, 66},  {},         {},         {},         {32, 17},
};

inline constexpr std::string_view kGgufMixes[] = {
    "F32",    "F16",    "Q4_0",   "Q4_1",    "",       "",       "",       "Q8_0",   "Q5_0",  "Q5_1",
    "Q2_K",   "Q3_K_S", "Q3_K_M", "Q3_K_L",  "Q4_K_S", "Q4_K_M", "Q5_K_S", "Q5_K_M", "Q6_K",  "IQ2_XXS",
    "IQ2_XS", "Q2_K_S", "IQ3_XS", "IQ3_XXS", "IQ1_S",  "IQ4_NL", "IQ3_S",  "IQ3_M",  "IQ2_S", "IQ2_M",
    "IQ4_XS", "IQ1_M",  "BF16",   "",        "",       "",       "TQ1_0",  "TQ2_0",  "MXFP4", "NVFP4",
};

}  // namespace signalbox
