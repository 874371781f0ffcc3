/* SPDX-License-Identifier: MIT */
/* The command line: options by the one table, and the nearest name for a mistyped one. */
#include "unit/lib.h"

#include "cli/commands.h"
#include "options/arguments.h"
#include "report/lens.h"

static struct fail why;

static void options_words_and_the_program_are_told_apart(void **state)
{
	(void)state;
	struct arguments a;
	char *argv[] = {"calls", "--only", "a*", "--only=b*", "-ofile", "--counts", "--", "./prog", "--only", "x", NULL};
	assert_int_equal(arguments_parse(&a, COMMAND_RECORD, argv, &why), 0);
	assert_int_equal(a.word_count, 1);
	assert_string_equal(a.words[0], "calls");
	assert_string_equal(arguments_nth(&a, OPTION_ONLY, 0), "a*");
	assert_string_equal(arguments_nth(&a, OPTION_ONLY, 1), "b*");
	assert_null(arguments_nth(&a, OPTION_ONLY, 2));
	assert_string_equal(arguments_value(&a, OPTION_OUTPUT), "file");
	assert_true(arguments_has(&a, OPTION_COUNTS));
	assert_string_equal(a.program[0], "./prog");
	assert_string_equal(a.program[2], "x");
	arguments_free(&a);
}

static void a_program_needs_no_dashes_before_it(void **state)
{
	(void)state;
	struct arguments a;
	char *argv[] = {"calls", "./prog", "--counts", NULL};
	assert_int_equal(arguments_parse(&a, COMMAND_RECORD, argv, &why), 0);
	assert_false(arguments_has(&a, OPTION_COUNTS));
	assert_string_equal(a.program[1], "--counts");
	arguments_free(&a);
}

static void refused(enum command_id command, char **argv, const char *said)
{
	struct arguments a;
	assert_int_equal(arguments_parse(&a, command, argv, &why), -1);
	assert_int_equal(why.status, FAIL_USAGE);
	if (!strstr(why.text, said))
		fail_msg("'%s' does not say '%s'", why.text, said);
}

static void wrong_options_are_answered_with_a_sentence(void **state)
{
	(void)state;
	refused(COMMAND_REPORT, (char *[]){"--veiw", "x", NULL}, "did you mean --view?");
	refused(COMMAND_REPORT, (char *[]){"--nonsense", NULL}, "skein help report");
	refused(COMMAND_REPORT, (char *[]){"--view", NULL}, "--view needs a value");
	refused(COMMAND_REPORT, (char *[]){"--csv=yes", NULL}, "takes no value");
	refused(COMMAND_REPORT, (char *[]){"a", "b", "c", NULL}, "unexpected argument c");
	refused(COMMAND_DOCTOR, (char *[]){"x", NULL}, "x");
}

static void an_option_of_another_lens_is_refused(void **state)
{
	(void)state;
	struct arguments a;
	char *argv[] = {"span", "--only", "x", "--counts", NULL};
	assert_int_equal(arguments_parse(&a, COMMAND_RECORD, argv, &why), 0);
	assert_int_equal(arguments_fit_lens(&a, "calls", &why), 0);
	assert_int_equal(arguments_fit_lens(&a, "span", &why), -1);
	assert_int_equal(why.status, FAIL_USAGE);
	assert_non_null(strstr(why.text, "--counts"));
	assert_int_equal(arguments_fit_lens(&a, "call", &why), -1);
	arguments_free(&a);
}

static void numbers_are_checked(void **state)
{
	(void)state;
	struct arguments a;
	long number;
	char *argv[] = {"--top", "12x", "--worker", "3", NULL};
	assert_int_equal(arguments_parse(&a, COMMAND_REPORT, argv, &why), 0);
	assert_int_equal(arguments_number(&a, OPTION_TOP, 20, 0, 100, &number, &why), -1);
	assert_int_equal(arguments_number(&a, OPTION_WORKER, -1, 0, 2, &number, &why), -1);
	assert_int_equal(arguments_number(&a, OPTION_WORKER, -1, 0, 10, &number, &why), 0);
	assert_int_equal(number, 3);
	arguments_free(&a);
}

static void the_nearest_name_is_found(void **state)
{
	(void)state;
	static const char *const names[] = {"record", "report", "doctor", NULL};
	assert_string_equal(nearest("reprot", names), "report");
	assert_string_equal(nearest("recrod", names), "record");
	assert_string_equal(nearest("docter", names), "doctor");
	assert_null(nearest("banana", names));
	assert_null(nearest("", names));
	assert_null(nearest("a_name_that_is_far_too_long_to_be_any_of_them", names));
}

static void fits_a_page(const struct command *command, const char *lens)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	help_command(file, command, lens);
	fclose(file);
	int lines = 0;
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		lines++;
		if (strlen(line) > 84) /* bytes; an ellipsis has three */
			fail_msg("too long: %s", line);
	}
	assert_true(lines <= 40);
	free(text);
}

static void help_of_every_command_fits_a_page(void **state)
{
	(void)state;
	for (const struct command *command = commands; command->name; command++) {
		fits_a_page(command, NULL);
		for (size_t i = 0; i < lens_count; i++)
			fits_a_page(command, lenses[i]->name);
	}
}

static void man_pages_and_completion_know_every_option(void **state)
{
	(void)state;
	static const char *const shells[] = {"bash", "zsh", "fish"};
	for (int n = OPTION_NONE + 1; n < OPTIONS; n++)
		for (size_t i = 0; i < 3; i++) {
			char *text = NULL;
			size_t size;
			FILE *file = open_memstream(&text, &size);
			assert_int_equal(help_completion(file, shells[i], &why), 0);
			fclose(file);
			assert_non_null(strstr(text, option_names[n]));
			free(text);
		}
	assert_int_equal(help_completion(stdout, "csh", &why), -1);
}

/* A lens that is misspelt in options.def would hide the option from everybody. */
static void options_are_for_lenses_that_there_are(void **state)
{
	(void)state;
	for (const struct command *command = commands; command->name; command++)
		for (const struct option_row *row = NULL; (row = option_next(command->id, row));) {
			char list[100] = "";
			if (row->lens)
				snprintf(list, sizeof list, "%s", row->lens);
			for (char *word = strtok(list, " "); word; word = strtok(NULL, " "))
				if (!lens_find(word))
					fail_msg("--%s of %s is for a lens %s", option_names[row->is], command->name, word);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_words_and_the_program_are_told_apart),
		cmocka_unit_test(a_program_needs_no_dashes_before_it),
		cmocka_unit_test(wrong_options_are_answered_with_a_sentence),
		cmocka_unit_test(an_option_of_another_lens_is_refused),
		cmocka_unit_test(options_are_for_lenses_that_there_are),
		cmocka_unit_test(numbers_are_checked),
		cmocka_unit_test(the_nearest_name_is_found),
		cmocka_unit_test(help_of_every_command_fits_a_page),
		cmocka_unit_test(man_pages_and_completion_know_every_option),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
