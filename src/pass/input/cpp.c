/* SPDX-License-Identifier: MIT */
/* cpp.c: what functions of libstdc++ read and write: strings, streams, trees, lists. As in library.c, by linkage names.
 * Words are read at run time, but for those behind a =; a dot or a = comes first if the function neither synchronises
 * nor waits. */
#include "pass/input/input.h"

#include <string.h>

struct known {
	const char *name, *words;
};

#define STRING "St7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE"
#define IN "St13basic_istreamIT_T0_"
#define STRING_OF "RNSt7__cxx1112basic_stringIS4_S5_T1_EE"

static const struct known functions[] = {
	/* from streams */
	{"_ZStrsIcSt11char_traitsIcESaIcEER" IN "ES7_" STRING_OF, "string_filled1"},
	{"_ZSt7getlineIcSt11char_traitsIcESaIcEER" IN "ES7_" STRING_OF "S4_", "string_filled1"},
	{"_ZSt7getlineIcSt11char_traitsIcESaIcEER" IN "ES7_" STRING_OF, "string_filled1"},
	{"_ZStrsIcSt11char_traitsIcEER" IN "ES6_RS3_", "S1#1"},
	{"_ZStrsISt11char_traitsIcEERSt13basic_istreamIcT_ES5_Ra", "S1#1"},
	{"_ZStrsISt11char_traitsIcEERSt13basic_istreamIcT_ES5_Rh", "S1#1"},
	{"_ZStrsIcSt11char_traitsIcEER" IN "ES6_PS3_", "S1t1"},
	{"_ZSt17__istream_extractRSiPcl", "S1t1"},
	{"_ZNSi4readEPcl", "gathered1"},
	{"_ZNSi8readsomeEPcl", "S1r"},
	{"_ZNSi3getERc", "S1#1"},
	{"_ZNSi3getEPcl", "S1t1"},
	{"_ZNSi3getEPclc", "S1t1"},
	{"_ZNSi7getlineEPcl", "S1t1"},
	{"_ZNSi7getlineEPclc", "S1t1"},
	/* to streams */
	{"_ZNSo5writeEPKcl", "R12"},
	{"_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l", "R12"},
	{"_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", "R1t1"},
	{"_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c", ""},
	{"_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE", "string_read1"},
	{"_ZNKSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE3strEv", "string_made0"},
	{"_ZNKSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEE3strEv", "string_made0"},
	{"_ZNKSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEE3strEv", "string_made0"},
	{"_ZNKSt7__cxx1119basic_istringstreamIcSt11char_traitsIcESaIcEE3strEv", "string_made0"},
	/* containers */
	{"_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", "= tree_next"},
	{"_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base", "= tree_next"},
	{"_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base", "= tree_before"},
	{"_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base", "= tree_before"},
	{"_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_", ". tree_entered1"},
	{"_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_", ". R0#32"},
	{"_ZNSt8__detail15_List_node_base7_M_hookEPS0_", "= list_hooked"},
	{"_ZNSt8__detail15_List_node_base9_M_unhookEv", "= list_unhooked"},
	{"_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_", ". R0#16 R1#16 W0#16 W1#16"},
	{"_ZNSt8__detail15_List_node_base4swapERS0_S1_", ". R0#16 R1#16 W0#16 W1#16"},
	{"_ZNSt8__detail15_List_node_base10_M_reverseEv", ". R0#16 W0#16"},
	{"_ZSt11_Hash_bytesPKvmm", ". R01"},
	{"_ZSt15_Fnv_hash_bytesPKvmm", ". R01"},
	{"_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm", ". R0#16 W0#16"},
	{"_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm", ". R0#16 W0#16"}};

/* Members of strings, by what follows the class; those that are not here change the string, or read it if they are const. */
static const struct known members[] = {{"9_M_appendEPKcm", "R12 string_grown0"},
                                       {"6appendEPKcm", "R12 string_grown0"},
                                       {"6appendEPKc", "R1t1 string_grown0"},
                                       {"6appendERKS4_", "string_read1 string_grown0"},
                                       {"6appendEmc", "string_grown0"},
                                       {"pLEPKc", "R1t1 string_grown0"},
                                       {"pLERKS4_", "string_read1 string_grown0"},
                                       {"pLEc", "string_grown0"},
                                       {"9push_backEc", "string_grown0"},
                                       {"9_M_assignERKS4_", "string_read1 string_assigned0"},
                                       {"aSERKS4_", "string_read1 string_assigned0"},
                                       {"6assignERKS4_", "string_read1 string_assigned0"},
                                       {"aSEPKc", "R1t1 string_assigned0"},
                                       {"6assignEPKc", "R1t1 string_assigned0"},
                                       {"6assignEPKcm", "R12 string_assigned0"},
                                       {"10_M_replaceEmmPKcm", "R34 string_changed0"},
                                       {"9_M_mutateEmmPKcm", "R34 string_changed0"},
                                       {"7replaceEmmPKcm", "R34 string_changed0"},
                                       {"6insertEmPKcm", "R23 string_changed0"},
                                       {"6insertEmPKc", "R2t2 string_changed0"},
                                       {"9_M_createERmm", "made R1#8 W1#8"},
                                       {"4swapERS4_", "R0#32 R1#32 W0#32 W1#32"},
                                       {"12_M_constructEmc", "string_made0"},
                                       {"C1ERKS4_", "string_read1 string_made0"},
                                       {"C2ERKS4_", "string_read1 string_made0"},
                                       {"C1EPKcRKS3_", "R1t1 string_made0"},
                                       {"C2EPKcRKS3_", "R1t1 string_made0"},
                                       {"C1EPKcmRKS3_", "R12 string_made0"},
                                       {"C2EPKcmRKS3_", "R12 string_made0"},
                                       {"C1EOS4_", "R1#32 string_made0 W1#32"},
                                       {"C2EOS4_", "R1#32 string_made0 W1#32"},
                                       {"4sizeEv", "string_size0"},
                                       {"6lengthEv", "string_size0"},
                                       {"5emptyEv", "string_size0"},
                                       {"4dataEv", "R0#8"},
                                       {"5c_strEv", "R0#8"},
                                       {"5beginEv", "R0#8"},
                                       {"3endEv", "R0#16"},
                                       {"6cbeginEv", "R0#8"},
                                       {"4cendEv", "R0#16"},
                                       {"ixEm", "R0#8"},
                                       {"2atEm", "R0#16"},
                                       {"5frontEv", "R0#8"},
                                       {"4backEv", "R0#16"},
                                       {"8capacityEv", "R0#8"},
                                       {"8max_sizeEv", ""},
                                       {"7_M_dataEv", "R0#8"},
                                       {"13_M_local_dataEv", ""},
                                       {"11_M_is_localEv", "R0#8"},
                                       {"16_M_get_allocatorEv", ""},
                                       {"7_S_copyEPcPKcm", "R12 W02"},
                                       {"7_S_moveEPcPKcm", "R12 W02"},
                                       {"10_S_compareEmm", ""},
                                       {"D1Ev", ""},
                                       {"D2Ev", ""},
                                       {"10_M_disposeEv", ""},
                                       {"10_M_destroyEm", ""},
                                       {"7_M_dataEPc", "W0#8"},
                                       {"11_M_capacityEm", "W2#8"},
                                       {"13_M_set_lengthEm", "string_grown0"},
                                       {"4findEPKcmm", "R13 string_read0"},
                                       {"5rfindEPKcmm", "R13 string_read0"},
                                       {"7compareEPKc", "R1t1 string_read0"},
                                       {"7compareERKS4_", "string_read1 string_read0"},
                                       {"7compareEmmPKc", "R3t3 string_read0"},
                                       {"4copyEPcmm", "string_read0 W1r"},
                                       {"6substrEmm", "string_read1 string_made0"}};

static const char *find(const struct known *known, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].words;
	return NULL;
}

static const char *behind(const char *name, const char *start)
{
	size_t bytes = strlen(start);
	return strncmp(name, start, bytes) == 0 ? name + bytes : NULL;
}

/* istream::operator>>(int &) and its kin: by the letter of the type. */
static const char *number(const char *name)
{
	const char *type = behind(name, "_ZNSirsER");
	type = type ? type : behind(name, "_ZNSi10_M_extractI");
	if (!type)
		return NULL;
	switch (*type) {
	case 'b': return "S1#1";
	case 's':
	case 't': return "S1#2";
	case 'i':
	case 'j':
	case 'f': return "S1#4";
	case 'e': return "S1#10";
	default: return "S1#8";
	}
}

static const char *member(const char *name)
{
	static const char changing[] = "_ZN" STRING, reading[] = "_ZNK" STRING;
	const char *rest = behind(name, changing), *constant = behind(name, reading);
	const char *words = rest || constant ? find(members, sizeof members / sizeof *members, rest ? rest : constant) : NULL;
	if (words)
		return words;
	if (rest && (rest[0] == 'C' || behind(rest, "12_M_construct")))
		return "string_made0";
	return rest ? "string_changed0" : constant ? "string_read0" : NULL;
}

bool input_model_cpp(const char *name, struct input_model *model)
{
	if (strncmp(name, "_Z", 2) != 0)
		return false;
	const char *words = find(functions, sizeof functions / sizeof *functions, name);
	if (!words)
		words = number(name);
	bool is_member = !words && (words = member(name));
	if (!words)
		return false;
	bool in_line = *words == '=', is_quiet = in_line || *words == '.';
	*model = (struct input_model){.words = is_quiet ? words + 2 : words, .is_call = !in_line, .is_quiet = is_member || is_quiet};
	return true;
}
