-- SPDX-License-Identifier: MIT
-- view.sql: puts made-up call paths into the idle lens of a recording, for bench/view.sh: :contexts of them, of :routines routines, with the
-- shape of a large C++ program: a random tree, so that most paths are 8 to 20 calls deep, and costs of which few are large.
--
--     sqlite3 -cmd '.param set :contexts 200000' -cmd '.param set :routines 5000' prog.skein <bench/view.sql
PRAGMA foreign_keys = OFF;
BEGIN;
CREATE TEMP TABLE base AS SELECT run FROM run WHERE lens = 'idle' LIMIT 1;
CREATE TEMP TABLE first AS SELECT 1 + max(routine) AS routine FROM routine;
DELETE FROM idle_scope WHERE run = (SELECT run FROM base) AND scope > 2;
DELETE FROM idle_cost;
DELETE FROM idle_why;
DELETE FROM idle_wait;
DELETE FROM idle_event;
DELETE FROM idle_file;
UPDATE idle_scope SET file = 0, parent = CASE WHEN scope < 2 THEN NULL ELSE 0 END, kind = min(kind, 1);

-- Numbers that look like chance, the same ones each time.
CREATE TEMP TABLE chance AS
	WITH RECURSIVE n(i, x) AS (
		SELECT 3, 88172645463325252 % 2147483647
		UNION ALL SELECT i + 1, (x * 48271) % 2147483647 FROM n WHERE i < 2 + :contexts
	)
	SELECT i, x, (x * 16807) % 2147483647 AS y FROM n;

WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 199)
INSERT INTO idle_file SELECT (SELECT run FROM base), i, '/src/library/part' || (i % 20) || '/module_' || i || '.cpp' FROM n;

WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < :routines - 1)
INSERT INTO routine(routine, object, linkage, name, file, line, kind)
	SELECT (SELECT routine FROM first) + i, (SELECT min(object) FROM object),
		'_ZN7library' || length('do_step_' || i) || 'do_step_' || i || 'Em', 'library::do_step_' || i || '(unsigned long)',
		'/src/library/part' || (i % 20) || '/module_' || (i % 200) || '.cpp', 10 + i * 37 % 4000, 'routine'
	FROM n;

INSERT INTO idle_scope
	SELECT (SELECT run FROM base), i, CASE WHEN i = 3 THEN 2 ELSE 3 + x % (i - 3) END, 2, (SELECT routine FROM first) + y % :routines,
		y % 200, 10 + y % 4000
	FROM chance;

INSERT INTO idle_cost
	SELECT (SELECT run FROM base), i, 1, 0, CASE WHEN y % 19 = 0 THEN 4 ELSE 0 END, samples, 0, samples * 1000000 + y % 1000, 0, 0,
		CASE WHEN y % 3 = 0 THEN samples * (x % 900000) ELSE 0 END
	FROM (SELECT i, x, y, 1 + (1000000 / (1 + x % 1000003)) % 20000 AS samples FROM chance);
COMMIT;
VACUUM;
