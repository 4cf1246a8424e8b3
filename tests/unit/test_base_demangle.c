// Names of kernels: what c++filt -p of binutils prints (there "> >" for ">>") for names of g++.
#include "base/demangle.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

typedef struct Row {
  const char *mangled, *demangled; // NULL: not understood, or no mangled name
} Row;

static const Row rows[] = {
    {"_Z3lamIZ3usevEUlvE_EvT_", "lam<use()::{lambda()#1}>"},
    {"_Z3usev", "use"},
    {"_Z5plainiPKc", "plain"},
    {"_ZL4stati", "stat"},
    {"_ZZ9scan_tileE4tile", "scan_tile::tile"},
    {"_ZZN2ns5sweepILi4EEEvPfE4edge", "ns::sweep<4>(float*)::edge"},
    {"_ZN2ns12_GLOBAL__N_12thIdEEvPT_", "ns::(anonymous namespace)::th<double>"},
    {"_ZN2ns12_GLOBAL__N_16hiddenEi", "ns::(anonymous namespace)::hidden"},
    {"_ZN2ns1S1mINS0_2InEEEvT_", "ns::S::m<ns::S::In>"},
    {"_ZN2ns1S1mIPVKiEEvT_", "ns::S::m<int const volatile*>"},
    {"_ZN2ns1gEf", "ns::g"},
    {"_ZN2ns2enILNS_1EE1EEEvv", "ns::en<(ns::E)1>"},
    {"_ZN2ns2fnINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEDnbEEvT_T0_T1_",
     "ns::fn<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>, "
     "decltype(nullptr), bool>"},
    {"_ZN2ns2fnIPFifcEPNS_4TileIiLi8EEERKS4_EEvT_T0_T1_",
     "ns::fn<int (*)(float, char), ns::Tile<int, 8>*, ns::Tile<int, 8> const&>"},
    {"_ZN2ns2fpIXadL_ZNS_1gEfEEEEvv", "ns::fp<&ns::g>"},
    {"_ZN2ns2ttINS_4TileEdEEvT_IT0_Li3EE", "ns::tt<ns::Tile, double>"},
    {"_ZN2ns3arrIA3_PFifEEEvPT_", "ns::arr<int (* [3])(float)>"},
    {"_ZN2ns3arrIA4_iEEvPT_", "ns::arr<int [4]>"},
    {"_ZN2ns3twoINS_4TileIiLi1EEES2_EEvT_T0_NS_2OpIS3_E5InnerIS4_EE",
     "ns::two<ns::Tile<int, 1>, ns::Tile<int, 1>>"},
    {"_ZN2ns3twoIijEEvT_T0_NS_2OpIS1_E5InnerIS2_EE", "ns::two<int, unsigned int>"},
    {"_ZN2ns4litsILl1ELxn2ELm3ELy4ELc97ELsn5EEEvv",
     "ns::lits<1l, -2ll, 3ul, 4ull, (char)97, (short)-5>"},
    {"_ZN2ns4packIJEEEvDpT_", "ns::pack<>"},
    {"_ZN2ns4packIJhamewDsnONS_1S2InEEEEvDpT_",
     "ns::pack<unsigned char, signed char, unsigned long, long double, wchar_t, char16_t, "
     "__int128, ns::S::In&&>"},
    {"_ZN2ns4packIJifNS_4TileIfLi4EEES2_EEEvDpT_",
     "ns::pack<int, float, ns::Tile<float, 4>, ns::Tile<float, 4>>"},
    {"_ZN2ns6reduceILj64ELb1EEEvPf", "ns::reduce<64u, true>"},
    {"_ZNSt11char_traitsIcE6lengthEPKc", "std::char_traits<char>::length"},
    {"_ZSt8distanceIPKcENSt15iterator_traitsIT_E15difference_typeES3_S3_",
     "std::distance<char const*>"},
    {"_ZL4stati", "stat"},
    {"cname", NULL},
    {"_Z", NULL},
    {"_Z9shorti", NULL},
    {"_Z0v", NULL},
    {"_ZN2ns", NULL},
    {"_ZN2nsIJ", NULL},
    {"_Z1fIS9_EvT_", NULL},
    {"_Z1fISZZZZZZZZZZ_EvT_", NULL},
    {"_Z1fILi", NULL},
    {"_Z1fIXsr3fooIT_EE3barEEvv", NULL},
    {"_ZN2nsplEv", NULL},
    {"_Z99999999999999999999f", NULL},
};

static void test_names(void **state) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const char *text = demangle_function(rows[i].mangled, *state);
    if (!rows[i].demangled)
      assert_null(text);
    else
      assert_string_equal(text ? text : "(not understood)", rows[i].demangled);
  }
}

// References to parts can double the length of a name, and names can nest.
// a, declared within a, and so on, of which the outermost is declared within f.
static const char *local_name(Arena *arena, uint32_t depth) {
  const char *text = "1f";
  for (uint32_t i = 0; i < depth; i++)
    text = arena_format(arena, "Z%svE1a", text);
  return arena_format(arena, "_Z%sv", text);
}

static void test_limits(void **state) {
  Arena *arena = *state;
  char doubling[4096] = "_Z1fI1aFvS_S_E", *end = doubling + strlen(doubling);
  for (int i = 0; i < 30; i++)
    end += sprintf(end, "FvS%c_S%c_E", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i],
                   "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i]);
  strcpy(end, "Evv");
  assert_null(demangle_function(doubling, arena));
  char nested[4096] = "_Z1fI";
  memset(nested + 5, 'P', 2000);
  strcpy(nested + 2005, "iEvv");
  assert_null(demangle_function(nested, arena));
  assert_string_equal(demangle_function(local_name(arena, 3), arena), "f()::a()::a()::a");
  assert_null(demangle_function(local_name(arena, 300), arena));
}

static void test_matches(void **state) {
  const char *name = "ns::reduce<64u, true>";
  assert_true(demangle_matches(name, "ns::reduce<64u, true>", *state));
  assert_true(demangle_matches(name, "ns::reduce<64,true>", *state));
  assert_true(demangle_matches(name, "reduce<64, true>", *state));
  assert_true(demangle_matches(name, "reduce", *state));
  assert_true(demangle_matches(name, "ns::reduce", *state));
  assert_false(demangle_matches(name, "duce", *state));
  assert_false(demangle_matches(name, "reduce<64>", *state));
  assert_false(demangle_matches(name, "reduce<6, true>", *state));
  assert_false(demangle_matches(name, "other::reduce", *state));
  assert_false(demangle_matches(name, "", *state));
  assert_true(demangle_matches("f<unsigned int>", "f<unsigned int>", *state));
  assert_false(demangle_matches("f<unsigned int>", "f<unsignedint>", *state));
  assert_true(demangle_matches("f<g<int>>", "f<g<int> >", *state));
  assert_true(demangle_matches("f<v2u>", "f<v2u>", *state));
  assert_false(demangle_matches("f<v2u>", "f<v2>", *state));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(test_names),
      UNIT_TEST(test_limits),
      UNIT_TEST(test_matches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
