-- SPDX-License-Identifier: MIT
-- schema.sql: a recording. This file is embedded into skein and checked, statement by statement, against every
-- recording that is opened. Times are nanoseconds; `worker` counts over all processes of a run; NULL is "not measured".
-- A table that belongs to one lens begins with the lens's name.

CREATE TABLE meta (
	key TEXT PRIMARY KEY, -- build_id and program: of the subject; skein: the version that wrote the file
	value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE run (
	run INTEGER PRIMARY KEY,
	lens TEXT NOT NULL,
	mode TEXT NOT NULL,               -- calls: times or counts; span: insn, whole or general; idle: sampled; input: blocks or instructions; paths: paths
	command TEXT NOT NULL,
	started_real_ns INTEGER NOT NULL, -- since 1970
	wall_ns INTEGER NOT NULL,
	cpu_ns INTEGER NOT NULL,          -- of all processes
	own_cpu_ns INTEGER NOT NULL,      -- of the profiler's helper threads, part of cpu_ns
	series INTEGER NOT NULL,          -- runs of one `skein record --repeat` have the same number; 0: it was recorded alone
	turn INTEGER NOT NULL,            -- which of them it is, from 1
	exit_code INTEGER,                -- of the program; NULL: a signal ended it, or not known
	stopped INTEGER NOT NULL,         -- 1: skein ended the program, since its time was over
	died_of INTEGER,                  -- number of the signal that ended the program, 0: it ended by itself
	lasted_ns INTEGER,                -- from its start to its end; wall_ns is what was recorded of that
	ran_ns INTEGER,                   -- its threads were on a core, as far as skein saw
	wanted_ns INTEGER,                -- they were ready to run and had no core
	crowd_ns INTEGER,                 -- part of wanted_ns: more of them were ready than the program has cores
	user_ns INTEGER,                  -- CPU time of the program's own code, as the kernel counted it, with what skein took
	system_ns INTEGER,                -- the same of the kernel's code, for the program
	faults INTEGER,                   -- page faults
	samples INTEGER,                  -- input, paths: how often skein looked where the program was
	hook_samples INTEGER,             -- how often that was in a hook
	snapshots INTEGER NOT NULL,
	lost_events INTEGER NOT NULL
);

-- Of a run that was one of several ranks, a task of a job array, or initialised MPI.
CREATE TABLE rank (
	run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,
	rank INTEGER,                     -- by the launcher; NULL: it numbered none
	ranks INTEGER,                    -- 0: not known
	task INTEGER,                     -- of a job array
	mpi_rank INTEGER,                 -- by MPI itself; NULL: not initialised, or not seen
	mpi_ranks INTEGER,
	job TEXT NOT NULL,                -- what the launcher calls it; empty: not known
	node TEXT NOT NULL,
	launcher TEXT NOT NULL            -- Open MPI, PMIx, PMI, PALS, Slurm, job array; empty: none
);

-- Calls of MPI, by peer, tag and communicator. A call that failed is not there.
CREATE TABLE message (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	call TEXT NOT NULL,               -- MPI_Recv
	kind TEXT NOT NULL,               -- message or collective, as in table wait; start: the call returns at once
	comm INTEGER,                     -- communicators in the order of first use, 0: MPI_COMM_WORLD; NULL: not known
	peer INTEGER,                     -- rank in it that sent or receives, or the root; NULL: none, or not known
	tag INTEGER,
	calls INTEGER NOT NULL,
	bytes INTEGER NOT NULL,           -- of the messages, as the calls say
	wait_ns INTEGER NOT NULL,
	longest_ns INTEGER NOT NULL       -- of one call
);

CREATE TABLE process (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	process INTEGER NOT NULL,
	pid INTEGER NOT NULL,
	parent_pid INTEGER NOT NULL,
	flags INTEGER NOT NULL,           -- enum raw_flag of src/raw/format.h
	workers INTEGER NOT NULL,
	threads INTEGER NOT NULL,
	start_ns INTEGER NOT NULL,        -- since the start of the run
	wall_ns INTEGER NOT NULL,
	cpu_ns INTEGER NOT NULL,
	own_cpu_ns INTEGER NOT NULL,
	snapshots INTEGER NOT NULL,
	period_ns INTEGER NOT NULL,       -- between snapshots
	hook_ns INTEGER NOT NULL,         -- what the hooks of one call take; already taken off the times of routines and arcs
	untimed_ns INTEGER NOT NULL,      -- the same for a call that is not timed
	PRIMARY KEY (run, process)
) WITHOUT ROWID;

CREATE TABLE lost (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	process INTEGER NOT NULL,
	cause INTEGER NOT NULL,           -- enum raw_lost of src/raw/format.h
	events INTEGER NOT NULL,
	text TEXT NOT NULL,
	PRIMARY KEY (run, process, cause)
) WITHOUT ROWID;

CREATE TABLE worker (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	worker INTEGER NOT NULL,
	process INTEGER NOT NULL,
	lane INTEGER NOT NULL,            -- within its process
	threads INTEGER NOT NULL,
	alive_ns INTEGER NOT NULL,
	PRIMARY KEY (run, worker)
) WITHOUT ROWID;

CREATE TABLE wait (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	worker INTEGER NOT NULL,
	kind TEXT NOT NULL,               -- lock, condition, semaphore, barrier, join, io, sleep, task, message, collective
	waits INTEGER NOT NULL,
	wait_ns INTEGER NOT NULL,
	PRIMARY KEY (run, worker, kind)
) WITHOUT ROWID;

CREATE TABLE thread (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	process INTEGER NOT NULL,
	thread INTEGER NOT NULL,          -- 0 ran main
	tid INTEGER NOT NULL,
	worker INTEGER NOT NULL,
	creator INTEGER NOT NULL,
	start_ns INTEGER NOT NULL,
	end_ns INTEGER NOT NULL,
	cpu_ns INTEGER NOT NULL,
	wait_ns INTEGER NOT NULL,
	name TEXT NOT NULL,
	PRIMARY KEY (run, process, thread)
) WITHOUT ROWID;

CREATE TABLE note (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	note INTEGER NOT NULL,
	text TEXT NOT NULL,
	PRIMARY KEY (run, note)
) WITHOUT ROWID;

-- Objects and routines are shared by all runs and lenses of a recording.
CREATE TABLE object (
	object INTEGER PRIMARY KEY,
	build_id TEXT NOT NULL UNIQUE,    -- of the native file
	path TEXT NOT NULL
);

CREATE TABLE routine (
	routine INTEGER PRIMARY KEY,
	object INTEGER REFERENCES object, -- NULL: a region that the user marked, or "(outside)", or "(unknown)"
	linkage TEXT NOT NULL,
	name TEXT NOT NULL,
	file TEXT NOT NULL,
	line INTEGER NOT NULL,
	kind TEXT NOT NULL                -- routine, openmp, openmp-parallel, openmp-task, unprofiled, region, outside, unknown
);

CREATE TABLE site (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	caller INTEGER NOT NULL REFERENCES routine,
	callee INTEGER NOT NULL REFERENCES routine,
	file TEXT NOT NULL,
	line INTEGER NOT NULL,
	column INTEGER NOT NULL
);

CREATE TABLE inlined (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	name TEXT NOT NULL,
	file TEXT NOT NULL,
	line INTEGER NOT NULL,
	into_routine INTEGER REFERENCES routine -- NULL: removed, nothing can reach it
);

-- A merged recording (skein merge) has no runs, but parts: one for each recording and lens that went into it, with its figures.
CREATE TABLE part (
	part INTEGER PRIMARY KEY,         -- in the order of rank and task
	lens TEXT NOT NULL,
	file TEXT NOT NULL,               -- name of the recording
	rank INTEGER NOT NULL,            -- by the launcher, else its place
	ranks INTEGER NOT NULL,           -- 0: not known
	task INTEGER,
	mpi_rank INTEGER,
	mpi_ranks INTEGER,
	job TEXT NOT NULL,
	node TEXT NOT NULL,
	launcher TEXT NOT NULL,
	program TEXT NOT NULL,
	build_id TEXT NOT NULL,
	command TEXT NOT NULL,
	started_real_ns INTEGER NOT NULL,
	exit_code INTEGER,                -- NULL: a signal ended it, or not known
	died_of INTEGER
);

CREATE TABLE part_figure (
	figure INTEGER PRIMARY KEY,
	lens TEXT NOT NULL,
	name TEXT NOT NULL,               -- as in CSV of the lens; of messages, "MPI_Recv wait_ns"
	of TEXT NOT NULL                  -- run, routine or call
);

-- Values that are 0 are left out.
CREATE TABLE part_value (
	figure INTEGER NOT NULL REFERENCES part_figure,
	routine INTEGER NOT NULL REFERENCES routine, -- 0: of the run, or of a call of MPI
	part INTEGER NOT NULL REFERENCES part,
	value INTEGER NOT NULL,
	PRIMARY KEY (figure, routine, part)
) WITHOUT ROWID;

-- What is missing or doubtful, a sentence each.
CREATE TABLE part_note (
	note INTEGER PRIMARY KEY,
	text TEXT NOT NULL
);

-- The calls lens: cprof's profile data (sections 3.4.2 and 3.4.3).
CREATE TABLE calls_routine (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	routine INTEGER NOT NULL REFERENCES routine,
	worker INTEGER NOT NULL,
	entry TEXT NOT NULL,              -- sequential or concurrent: the state when the routine was entered; unknown: calls made, in counts mode
	calls INTEGER NOT NULL,
	elapsed_ns INTEGER,               -- of activations that are outermost in their worker
	direct_ns INTEGER,                -- without callees, waiting and displacement
	callee_calls INTEGER,
	callee_ns INTEGER,
	wait_ns INTEGER,
	nested_ns INTEGER,                -- of elapsed_ns: recursive by ancestry, the routine runs in another worker too
	same_calls INTEGER,               -- estimate: made while another worker was inside the same routine
	timed_calls INTEGER,
	error_ns INTEGER,                 -- 95 % of direct times are nearer to direct_ns than this; 0: every call was timed
	PRIMARY KEY (run, routine, worker, entry)
) WITHOUT ROWID;

CREATE TABLE calls_arc (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	caller INTEGER NOT NULL REFERENCES routine,
	callee INTEGER NOT NULL REFERENCES routine,
	entry TEXT NOT NULL,              -- the caller's
	callee_call TEXT NOT NULL,        -- concurrent: the caller had itself forked
	arc TEXT NOT NULL,                -- the state when the callee was entered
	calls INTEGER NOT NULL,
	elapsed_ns INTEGER,               -- of every call
	same_calls INTEGER,
	timed_calls INTEGER,
	error_ns INTEGER,                 -- of elapsed_ns
	outer_ns INTEGER,                 -- of calls that are outermost in their worker
	PRIMARY KEY (run, caller, callee, entry, callee_call, arc)
) WITHOUT ROWID;

-- Calls that a routine made, by the worker in which the callees ran: cprof's Figure 6.
CREATE TABLE calls_callee (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	caller INTEGER NOT NULL REFERENCES routine,
	worker INTEGER NOT NULL,
	entry TEXT NOT NULL,              -- the caller's; unknown in counts mode
	callee_call TEXT NOT NULL,        -- concurrent: the caller had itself forked; unknown in counts mode
	calls INTEGER NOT NULL,
	elapsed_ns INTEGER,               -- of every call
	outer_ns INTEGER,                 -- of calls that are outermost in their worker
	PRIMARY KEY (run, caller, worker, entry, callee_call)
) WITHOUT ROWID;

-- What routines waited for while they were the innermost one. A lane knows a limited number of objects: table wait has all.
CREATE TABLE calls_wait (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	routine INTEGER NOT NULL REFERENCES routine,
	worker INTEGER NOT NULL,
	kind TEXT NOT NULL,               -- as in table wait
	object TEXT NOT NULL,             -- the variable that is, or contains, the lock or the like, or "a child process"; empty: not known
	file TEXT NOT NULL,               -- where the routine first waited for it; empty: not known
	line INTEGER NOT NULL,
	waits INTEGER NOT NULL,           -- that ended
	wait_ns INTEGER NOT NULL,
	longest_ns INTEGER NOT NULL       -- of one wait
);

-- From snapshots of all workers at one instant.
CREATE TABLE calls_inside (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	routine INTEGER NOT NULL REFERENCES routine,
	snapshots INTEGER NOT NULL,
	union_ns INTEGER NOT NULL,        -- wall time with at least one worker inside
	same_ns INTEGER NOT NULL,         -- wall time with at least two
	running_ns INTEGER NOT NULL,      -- sum over workers: innermost routine of a working thread
	off_cpu_ns INTEGER NOT NULL,      -- of that, without a core
	PRIMARY KEY (run, routine)
) WITHOUT ROWID;

CREATE TABLE calls_together (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	routine_a INTEGER NOT NULL REFERENCES routine,
	routine_b INTEGER NOT NULL REFERENCES routine,
	snapshots INTEGER NOT NULL,
	together_ns INTEGER NOT NULL,     -- wall time, both innermost
	PRIMARY KEY (run, routine_a, routine_b)
) WITHOUT ROWID;

CREATE TABLE calls_level (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	working INTEGER NOT NULL,         -- n_working
	routine INTEGER REFERENCES routine, -- that was innermost at this level; NULL: wall time at the level
	snapshots INTEGER NOT NULL,
	ns INTEGER NOT NULL
);

-- The span lens: Cilkprof's profiles (sections 4 and 6). Work and span are in ticks of `clock`.
CREATE TABLE span_total (
	run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,
	work INTEGER NOT NULL,
	span INTEGER NOT NULL,
	burdened_span INTEGER NOT NULL,
	program_work INTEGER NOT NULL,    -- the same as work, unless `under` is set
	program_span INTEGER NOT NULL,
	under TEXT NOT NULL,              -- the site that everything is relative to, or empty
	under_count INTEGER NOT NULL,     -- its topmost invocations
	clock TEXT NOT NULL,              -- insn, tsc, ns, or the name of an event
	burden INTEGER NOT NULL,          -- of each spawn's child and continuation
	cores INTEGER NOT NULL,           -- of the machine that it was recorded on
	spawns INTEGER NOT NULL,
	tasks INTEGER NOT NULL,
	loops INTEGER NOT NULL,
	threads INTEGER NOT NULL,         -- that were created
	joined INTEGER NOT NULL,
	locks INTEGER NOT NULL,
	conditions INTEGER NOT NULL,
	atomic_routines INTEGER NOT NULL, -- routines that were called and have atomic instructions
	other_work INTEGER NOT NULL,      -- of further processes
	running INTEGER NOT NULL,         -- threads that had not ended when the program did
	open_work INTEGER NOT NULL,       -- estimated part of work: their calls that had not returned
	open_span INTEGER NOT NULL        -- estimated part of span
);

CREATE TABLE span_site (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	site INTEGER NOT NULL,
	file TEXT NOT NULL,
	line INTEGER NOT NULL,
	column INTEGER NOT NULL,
	caller INTEGER NOT NULL REFERENCES routine, -- 0: where the program, a constructor or a thread starts
	callee INTEGER REFERENCES routine,          -- NULL: foreign, inlined, a loop, or called through a pointer
	callee_name TEXT NOT NULL,
	kind TEXT NOT NULL,               -- call, spawn or loop
	flags TEXT NOT NULL,              -- f: foreign, i: inlined
	real_ns INTEGER,                  -- estimate of what a foreign callee took
	iterations INTEGER NOT NULL,      -- of a loop
	PRIMARY KEY (run, site)
) WITHOUT ROWID;

CREATE TABLE span_sum (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	site INTEGER NOT NULL,
	profile TEXT NOT NULL,            -- work or span
	measure TEXT NOT NULL,            -- top-call-site, top-caller or local
	count INTEGER NOT NULL,
	work INTEGER NOT NULL,
	span INTEGER NOT NULL,
	PRIMARY KEY (run, site, profile, measure)
) WITHOUT ROWID;

CREATE TABLE span_what_if (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	what_if INTEGER NOT NULL,
	site TEXT NOT NULL,               -- as it was asked for
	factor REAL NOT NULL,             -- by which its strands were scaled
	work REAL NOT NULL,
	span REAL NOT NULL,
	PRIMARY KEY (run, what_if)
) WITHOUT ROWID;

-- Regions that the user marked, by name: the outermost ones, one after another.
CREATE TABLE span_region (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	name TEXT NOT NULL,
	file TEXT NOT NULL,
	line INTEGER NOT NULL,            -- of the mark that came first
	begun INTEGER NOT NULL,
	count INTEGER NOT NULL,           -- regions that have ended; the figures are theirs
	work INTEGER NOT NULL,
	span INTEGER NOT NULL,
	burdened_span INTEGER NOT NULL,
	PRIMARY KEY (run, name)
) WITHOUT ROWID;

-- What sites called through a pointer.
CREATE TABLE span_target (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	site INTEGER NOT NULL,
	place INTEGER NOT NULL,           -- among the targets of the site, most calls first
	target INTEGER REFERENCES routine, -- NULL: all targets that there was no room for
	count INTEGER NOT NULL,           -- of calls that began
	PRIMARY KEY (run, site, place)
) WITHOUT ROWID;

-- Sites on the critical path, in the order in which their first calls ended.
CREATE TABLE span_path (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	place INTEGER NOT NULL,
	site INTEGER NOT NULL,
	PRIMARY KEY (run, place)
) WITHOUT ROWID;

-- The idle lens: work, idleness and overhead (Tallent and Mellor-Crummey, PPoPP'09, sections 2 and 3).
CREATE TABLE idle_total (
	run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,
	cores INTEGER NOT NULL,           -- n: of the affinity mask and the quota
	period_ns INTEGER NOT NULL,       -- of CPU time, between the samples of a thread
	timer_clock INTEGER NOT NULL,     -- 1: there were no perf events
	rings INTEGER NOT NULL,           -- threads whose context switches could be seen,
	no_rings INTEGER NOT NULL,        -- and those whose could not
	unsampled INTEGER NOT NULL,       -- threads that could not be sampled at all
	nodes_lost INTEGER NOT NULL,      -- samples whose path found no room
	gomp INTEGER NOT NULL,            -- 1: gcc's OpenMP runtime was there
	unnamed INTEGER NOT NULL          -- samples of work in code that no symbol names
);

CREATE TABLE idle_thread (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	sampled INTEGER NOT NULL,         -- its number in idle_cost and idle_event
	process INTEGER NOT NULL,
	thread INTEGER NOT NULL,
	cpu_ns INTEGER NOT NULL,          -- while it was sampled: work, dropped and own are what was seen of it
	work_ns INTEGER NOT NULL,         -- overhead too
	dropped_ns INTEGER NOT NULL,      -- of samples in which it was idle
	own_ns INTEGER NOT NULL,          -- of samples in the profiler itself
	unseen_ns INTEGER NOT NULL,       -- of work_ns: no sample of its own stood for it
	samples INTEGER NOT NULL,
	dropped INTEGER NOT NULL,
	own INTEGER NOT NULL,
	paths_cut INTEGER NOT NULL,       -- samples whose path ends before the root
	PRIMARY KEY (run, sampled)
) WITHOUT ROWID;

CREATE TABLE idle_file (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	file INTEGER NOT NULL,
	name TEXT NOT NULL,
	PRIMARY KEY (run, file)
) WITHOUT ROWID;

-- Parents have lower numbers than their children. Scope 0 is the root of the logical tree, scope 1 that of the physical one.
CREATE TABLE idle_scope (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	scope INTEGER NOT NULL,
	parent INTEGER,                   -- NULL: a root
	kind INTEGER NOT NULL,            -- 0 root, 1 process, 2 routine, 3 inlined, 4 loop, 5 line
	routine INTEGER NOT NULL REFERENCES routine, -- itself, or the one that the loop or line is in
	file INTEGER NOT NULL,            -- in idle_file: where it is called from; of a line, itself; of a loop, its head; of a process, its program
	line INTEGER NOT NULL,            -- of a process: its number
	PRIMARY KEY (run, scope)
) WITHOUT ROWID;

-- Exclusive: what was spent in a scope and in no other below it.
CREATE TABLE idle_cost (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	logical INTEGER NOT NULL,         -- scope in the one tree,
	physical INTEGER NOT NULL,        -- and in the other
	sampled INTEGER NOT NULL,         -- the thread
	overhead INTEGER NOT NULL,        -- 0 work, 1 synchronisation, 2 scheduling, 3 task creation, 4 memory management, 5 other overhead
	samples INTEGER NOT NULL,
	serial_ns INTEGER NOT NULL,       -- of work or overhead, while one thread worked,
	under_ns INTEGER NOT NULL,        -- several, but fewer than cores,
	full_ns INTEGER NOT NULL,         -- as many as cores,
	over_ns INTEGER NOT NULL,         -- or more
	idle_ns INTEGER NOT NULL,
	PRIMARY KEY (run, logical, physical, sampled, overhead)
) WITHOUT ROWID;

-- Why cores were idle while a thread worked in a scope. What no row accounts for: there were too few threads.
CREATE TABLE idle_why (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	logical INTEGER NOT NULL,
	sampled INTEGER NOT NULL,
	why TEXT NOT NULL,                -- what another thread waited for, as in table wait; held: a lock of this thread; blocked: the kernel stopped it; ready: not idle_ns, but
	                                  -- what it would be more if threads that were ready, without a core, were idle
	ns INTEGER NOT NULL
);

-- Where threads waited, by samples. Waits of a runtime for parallel work are not here.
CREATE TABLE idle_wait (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	logical INTEGER NOT NULL,         -- the call
	physical INTEGER NOT NULL,        -- the function that waits
	sampled INTEGER NOT NULL,
	kind TEXT NOT NULL,               -- as in table wait
	object TEXT NOT NULL,             -- the variable that was waited for; empty: not known
	waits INTEGER NOT NULL,           -- samples
	wait_ns INTEGER NOT NULL,
	quiet_ns INTEGER NOT NULL,        -- no thread worked meanwhile
	held_ns INTEGER NOT NULL          -- other threads waited meanwhile for a lock that this one held
);

CREATE TABLE idle_event_name (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	event INTEGER NOT NULL,
	name TEXT NOT NULL,
	PRIMARY KEY (run, event)
) WITHOUT ROWID;

CREATE TABLE idle_event (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	logical INTEGER NOT NULL,
	physical INTEGER NOT NULL,
	sampled INTEGER NOT NULL,
	event INTEGER NOT NULL,
	count INTEGER NOT NULL,
	PRIMARY KEY (run, logical, physical, sampled, event)
) WITHOUT ROWID;

-- The input lens: cost of activations by the size of their input (Coppa, Demetrescu, Finocchi and Marotta, aprof-trms). A lens of which a recording keeps every run.
CREATE TABLE input_how (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	process INTEGER NOT NULL,
	producer INTEGER NOT NULL,        -- 0 Valgrind, 1 compiled
	cost INTEGER NOT NULL,            -- 0 basic blocks, 1 instructions
	options INTEGER NOT NULL,         -- enum raw_input_option of src/raw/format.h
	cell_bytes INTEGER NOT NULL,      -- 0: the process left no word about itself
	sizes_max INTEGER NOT NULL,       -- different sizes of a routine, before they are put in bins
	reads INTEGER NOT NULL,
	writes INTEGER NOT NULL,
	kernel_reads INTEGER NOT NULL,
	kernel_writes INTEGER NOT NULL,
	switches INTEGER NOT NULL,        -- of threads
	renumberings INTEGER NOT NULL,
	forgotten INTEGER NOT NULL,       -- pieces of memory that were given back
	binned INTEGER NOT NULL,          -- routines, by metric and thread, whose sizes are bins
	cut INTEGER NOT NULL,             -- activations that no return ended
	unseen INTEGER NOT NULL,          -- requests to the kernel that cannot be seen (io_uring)
	PRIMARY KEY (run, process)
) WITHOUT ROWID;

-- Callers have lower numbers. Context 0 is a thread itself. Where contexts were not recorded, all are below 0 and a context is a routine.
CREATE TABLE input_context (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	context INTEGER NOT NULL,
	parent INTEGER NOT NULL,
	routine INTEGER NOT NULL REFERENCES routine,
	PRIMARY KEY (run, context)
) WITHOUT ROWID;

-- Activations of one context in one thread that have one input size.
CREATE TABLE input_point (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	context INTEGER NOT NULL,
	process INTEGER NOT NULL,
	thread INTEGER NOT NULL,
	chosen INTEGER NOT NULL,          -- number of a set of input_chosen; 0: they called nothing through a pointer
	metrics INTEGER NOT NULL,         -- 1 rms, 2 rms+external, 4 trms, or their sum: the row counts for each
	bits INTEGER NOT NULL,            -- sizes agree in so many leading binary digits; 0: the size is exact
	size INTEGER NOT NULL,            -- in cells; the smallest of the bin
	size_sum INTEGER NOT NULL,
	calls INTEGER NOT NULL,
	cost_min INTEGER NOT NULL,
	cost_max INTEGER NOT NULL,
	cost_sum INTEGER NOT NULL,
	cost_norm REAL NOT NULL,          -- square root of the sum of the squares
	cost_outermost INTEGER NOT NULL,  -- of activations that had no other one of the same below them
	self_sum INTEGER NOT NULL,        -- without what they called
	thread_induced INTEGER NOT NULL,  -- induced first accesses: of what other threads wrote,
	external INTEGER NOT NULL,        -- and of what the kernel wrote
	PRIMARY KEY (run, context, process, thread, chosen, metrics, bits, size)
) WITHOUT ROWID;

-- Sets of functions that activations called through pointers, themselves or by a library.
CREATE TABLE input_chosen (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	chosen INTEGER NOT NULL,          -- from 1
	routine INTEGER NOT NULL REFERENCES routine,
	PRIMARY KEY (run, chosen, routine)
) WITHOUT ROWID;

-- How many cells a thread read that another one had written, each induced first access once.
CREATE TABLE input_matrix (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	process INTEGER NOT NULL,
	reader INTEGER NOT NULL,          -- number of the thread
	writer INTEGER NOT NULL,          -- so, or -1: the kernel, -2: threads that could not be told apart
	cells INTEGER NOT NULL,
	PRIMARY KEY (run, process, reader, writer)
) WITHOUT ROWID;

-- The paths lens: acyclic paths, in Ball and Larus's sense, and how often they were taken (Afraz, Saha and Kanade, P3). Blocks and edges of a function count from 0; an edge is
-- named by its number within its function.
CREATE TABLE paths_how (
	run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,
	copies INTEGER NOT NULL,
	share TEXT NOT NULL,              -- how functions were divided among copies: all, best, p3, pbl
	threshold INTEGER NOT NULL,       -- of p3, if one was asked for; otherwise 0
	undecoded INTEGER NOT NULL        -- counts that belong to no path: the recording was damaged
);

CREATE TABLE paths_copy (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	copy INTEGER NOT NULL,
	wall_ns INTEGER NOT NULL,
	cpu_ns INTEGER NOT NULL,
	entries INTEGER NOT NULL,         -- calls that it counted to be compared by
	lost_events INTEGER NOT NULL,
	PRIMARY KEY (run, copy)
) WITHOUT ROWID;

CREATE TABLE paths_file (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	file INTEGER NOT NULL,
	name TEXT NOT NULL,
	PRIMARY KEY (run, file)
) WITHOUT ROWID;

CREATE TABLE paths_function (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	function INTEGER NOT NULL,
	routine INTEGER NOT NULL REFERENCES routine, -- may have several: copies that the compiler made of a static function
	blocks INTEGER NOT NULL,
	edges INTEGER NOT NULL,
	flags TEXT NOT NULL,              -- t by turns, s split over copies, c cut, p only some paths were asked for, r those that were not executed before, n none was, m planned with measured weights, f frames that ended nobody knows where
	entries INTEGER NOT NULL,         -- calls
	possible REAL NOT NULL,           -- paths that there are
	executed INTEGER NOT NULL,
	sequential_increments REAL NOT NULL, -- operations that one copy alone would execute for it, without a plan; 0, as all hits, if only some paths were asked for
	sequential_updates REAL NOT NULL,
	sequential_zeroed REAL NOT NULL,
	sequential_probes INTEGER NOT NULL, -- increments in the code of that copy, and updates
	sequential_probes_update INTEGER NOT NULL,
	others INTEGER NOT NULL,          -- paths that nobody asked for, counted on the way and not listed
	others_taken INTEGER NOT NULL,    -- how often these were taken
	PRIMARY KEY (run, function)
) WITHOUT ROWID;

-- If only some paths of a function were asked for (p in its flags): these; or those that were not, since they were executed before (r).
CREATE TABLE paths_asked (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	function INTEGER NOT NULL,
	path INTEGER NOT NULL,            -- as in paths_path
	PRIMARY KEY (run, function, path)
) WITHOUT ROWID;

CREATE TABLE paths_block (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	function INTEGER NOT NULL,
	block INTEGER NOT NULL,
	instructions INTEGER NOT NULL,
	stops INTEGER NOT NULL,           -- 1: it holds a call that may not come back
	count INTEGER NOT NULL,
	lines TEXT NOT NULL,              -- FILE:LINE,LINE;FILE:LINE in the order of the code; files are those of paths_file, or -
	shown TEXT,                       -- as lines: where the program's own source has code that was inlined from the system's headers; NULL: the same
	PRIMARY KEY (run, function, block)
) WITHOUT ROWID;

CREATE TABLE paths_edge (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	function INTEGER NOT NULL,
	edge INTEGER NOT NULL,
	origin INTEGER NOT NULL,          -- block
	target INTEGER,                   -- NULL: the end of the frame
	flags INTEGER NOT NULL,           -- enum paths_edge_flags of src/core/paths/graph.h
	count INTEGER NOT NULL,
	PRIMARY KEY (run, function, edge)
) WITHOUT ROWID;

CREATE TABLE paths_path (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	function INTEGER NOT NULL,
	path INTEGER NOT NULL,            -- its number by Ball and Larus; a hash where the function has 2^62 paths or more
	kind INTEGER NOT NULL,            -- 0 entry to exit, 1 entry to back edge, 2 back edge to back edge, 3 back edge to exit
	count INTEGER NOT NULL,
	blocks INTEGER NOT NULL,
	instructions INTEGER NOT NULL,
	copy INTEGER NOT NULL,            -- that counted it
	begin INTEGER,                    -- the block behind the back edge with which it begins; NULL: the function's beginning
	edges TEXT NOT NULL               -- their numbers
);

-- Frames that never ended: exit, longjmp, exceptions, threads that were cancelled.
CREATE TABLE paths_stop (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	function INTEGER NOT NULL,
	block INTEGER NOT NULL,           -- of the call that did not come back
	count INTEGER NOT NULL,
	ways INTEGER NOT NULL,            -- 1: the way is known; else that there may be, or 0
	begin INTEGER,                    -- as in paths_path
	edges TEXT                        -- since then; NULL: not known
);

-- What each copy does for each function that it counts.
CREATE TABLE paths_part (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	function INTEGER NOT NULL,
	copy INTEGER NOT NULL,
	arcs INTEGER NOT NULL,            -- of the acyclic graph, chosen for this copy
	of_arcs INTEGER NOT NULL,
	increments REAL NOT NULL,         -- operations that it executed
	updates REAL NOT NULL,
	zeroed REAL NOT NULL,
	probes INTEGER NOT NULL,          -- arcs with an increment in the code, as P3 counts
	probes_update INTEGER NOT NULL,   -- updates of counters in the code
	probes_overlapping INTEGER NOT NULL, -- probes that a path which another copy counts may execute
	PRIMARY KEY (run, function, copy)
) WITHOUT ROWID;

-- The flow lens: what waited for what, and how long the run would have taken otherwise (cprof, section 5). A traced thread has its place among
-- the threads of the run; the place behind the last one stands for all threads without a row of their own.
CREATE TABLE flow_total (
	run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,
	wall_ns INTEGER NOT NULL,         -- minimum_ns + load_ns + latency_ns
	minimum_ns INTEGER NOT NULL,      -- longest path over the recorded dependencies, without the machine's load
	load_ns INTEGER NOT NULL,
	latency_ns INTEGER NOT NULL,
	cores INTEGER NOT NULL,           -- that the program could use
	skipped_ns INTEGER NOT NULL,      -- the run's first part, of which nothing is known here
	idle_ns INTEGER NOT NULL,         -- what the run would take if no other program used them
	events INTEGER NOT NULL,
	unexplained INTEGER NOT NULL,     -- waits for which no event of the recording is known that ended them
	bad INTEGER NOT NULL,             -- parts of logs that could not be read
	switches INTEGER,                 -- context switches; NULL: the kernel did not show them
	switches_lost INTEGER,
	slices INTEGER NOT NULL,          -- that the run is divided into
	ended INTEGER NOT NULL,           -- 1: the program ended by itself
	orders INTEGER NOT NULL,          -- 1: events have an order and no times: all columns of nanoseconds are 0
	stretches INTEGER NOT NULL,       -- of the critical path, of which flow_stretch has the longest
	kept TEXT NOT NULL                -- yes: the events themselves are in the tables behind flow_cores; too-many, unwanted
);

CREATE TABLE flow_object (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	object INTEGER NOT NULL,
	name TEXT NOT NULL,
	kind TEXT NOT NULL,               -- of the object: lock, rwlock, semaphore, condition, barrier, pipe, pipe room, atomic, once, dependence, eventfd
	routine INTEGER NOT NULL REFERENCES routine, -- of the call that first did anything with it,
	file TEXT NOT NULL,
	line INTEGER NOT NULL,
	members INTEGER NOT NULL,         -- objects of this name
	acquisitions INTEGER NOT NULL,
	contended INTEGER NOT NULL,
	refused INTEGER NOT NULL,         -- tries that failed
	waited_ns INTEGER NOT NULL,
	held_ns INTEGER NOT NULL,
	longest_queue INTEGER NOT NULL,
	holder INTEGER NOT NULL REFERENCES routine, -- took it for most of the time that others waited,
	holder_file TEXT NOT NULL,
	holder_line INTEGER NOT NULL,
	holder_ns INTEGER NOT NULL,
	minimum_if_free_ns INTEGER,       -- NULL: not computed
	idle_if_free_ns INTEGER,          -- likewise, of idle_ns
	PRIMARY KEY (run, object)
) WITHOUT ROWID;

CREATE TABLE flow_wait (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	traced INTEGER NOT NULL,          -- the thread
	routine INTEGER NOT NULL REFERENCES routine,
	file TEXT NOT NULL,
	line INTEGER NOT NULL,
	callers TEXT NOT NULL,            -- routines of the program behind that one, innermost first
	kind TEXT NOT NULL,               -- as in table wait; kernel: the kernel stopped the thread
	object INTEGER,                   -- in flow_object; NULL: none
	for_traced INTEGER,               -- the thread that ended the wait; NULL: none that is known
	for_routine INTEGER NOT NULL REFERENCES routine,
	for_file TEXT NOT NULL,
	for_line INTEGER NOT NULL,
	outcome TEXT NOT NULL,            -- acquired, signalled, timed-out, passed, joined, ended, unfinished
	count INTEGER NOT NULL,
	waited_ns INTEGER NOT NULL,
	longest_ns INTEGER NOT NULL,
	late_ns INTEGER NOT NULL          -- of waited_ns: behind the event that ended the wait
);

CREATE TABLE flow_thread (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	traced INTEGER NOT NULL,
	work_ns INTEGER NOT NULL,
	load_ns INTEGER NOT NULL,         -- had work to do, and no core
	waited_ns INTEGER NOT NULL,       -- for other threads
	outside_ns INTEGER NOT NULL,      -- for something that is not in the recording: input, a clock, the kernel
	late_ns INTEGER NOT NULL,
	critical_ns INTEGER NOT NULL,     -- on the critical path
	slack_ns INTEGER,                 -- on average, as in flow_slack
	events INTEGER NOT NULL,
	creator INTEGER NOT NULL REFERENCES routine, -- of the call that created it
	creator_file TEXT NOT NULL,
	creator_line INTEGER NOT NULL,
	PRIMARY KEY (run, traced)
) WITHOUT ROWID;

-- The critical path, in the order of time.
CREATE TABLE flow_stretch (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	stretch INTEGER NOT NULL,
	traced INTEGER NOT NULL,
	at_ns INTEGER NOT NULL,           -- in a run that takes the minimum
	ns INTEGER NOT NULL,
	count INTEGER NOT NULL,           -- 1; else so many short ones, between this place and the next
	outside_ns INTEGER NOT NULL,      -- of ns
	recorded_ns INTEGER NOT NULL,     -- when it began in the recorded run
	begins TEXT NOT NULL,             -- begin, join, acquire, share, take, hear, pass, enter, follow
	object INTEGER,
	from_routine INTEGER NOT NULL REFERENCES routine,
	from_file TEXT NOT NULL,
	from_line INTEGER NOT NULL,
	to_routine INTEGER NOT NULL REFERENCES routine,
	to_file TEXT NOT NULL,
	to_line INTEGER NOT NULL,
	PRIMARY KEY (run, stretch)
) WITHOUT ROWID;

-- Stretches of a thread's work between two calls. Slack: by so much one of them could be longer without making the run longer; NULL: by
-- anything.
CREATE TABLE flow_slack (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	number INTEGER NOT NULL,          -- most critical_ns first
	traced INTEGER NOT NULL,
	from_routine INTEGER NOT NULL REFERENCES routine,
	from_file TEXT NOT NULL,
	from_line INTEGER NOT NULL,
	to_routine INTEGER NOT NULL REFERENCES routine,
	to_file TEXT NOT NULL,
	to_line INTEGER NOT NULL,
	count INTEGER NOT NULL,
	work_ns INTEGER NOT NULL,         -- of all of them
	critical_ns INTEGER NOT NULL,     -- of those that have no slack
	least_ns INTEGER,
	average_ns INTEGER,               -- a stretch counts for as much as it takes
	PRIMARY KEY (run, number)
) WITHOUT ROWID;

-- Threads, processes or tasks of OpenMP that one call created, without the tasks that ran in them.
CREATE TABLE flow_task (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	task INTEGER NOT NULL,
	kind TEXT NOT NULL,               -- thread, process or task
	routine INTEGER NOT NULL REFERENCES routine, -- of the call
	file TEXT NOT NULL,
	line INTEGER NOT NULL,
	count INTEGER NOT NULL,
	most INTEGER NOT NULL,            -- at once
	work_ns INTEGER NOT NULL,
	load_ns INTEGER NOT NULL,
	waited_ns INTEGER NOT NULL,
	outside_ns INTEGER NOT NULL,
	longest_ns INTEGER NOT NULL,      -- work of one
	PRIMARY KEY (run, task)
) WITHOUT ROWID;

-- `task` created `other`, or waited for it.
CREATE TABLE flow_edge (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	task INTEGER NOT NULL,
	other INTEGER NOT NULL,
	kind TEXT NOT NULL,               -- creates, or of the wait
	count INTEGER NOT NULL,
	ns INTEGER NOT NULL,
	PRIMARY KEY (run, task, other, kind)
) WITHOUT ROWID;

-- What the program said under one name (include/skein/skein.h), in one thread.
CREATE TABLE flow_mark (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	number INTEGER NOT NULL,
	kind TEXT NOT NULL,               -- part, message or value
	traced INTEGER NOT NULL,
	routine INTEGER NOT NULL REFERENCES routine, -- the name
	file TEXT NOT NULL,
	line INTEGER NOT NULL,
	count INTEGER NOT NULL,
	ns INTEGER NOT NULL,              -- in parts: so are the following
	longest_ns INTEGER NOT NULL,
	work_ns INTEGER NOT NULL,
	load_ns INTEGER NOT NULL,
	waited_ns INTEGER NOT NULL,
	outside_ns INTEGER NOT NULL,
	least INTEGER NOT NULL,           -- of values: so are the following
	most INTEGER NOT NULL,
	last INTEGER NOT NULL,
	PRIMARY KEY (run, number)
) WITHOUT ROWID;

CREATE TABLE flow_slice (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	worker INTEGER NOT NULL,
	slice INTEGER NOT NULL,
	work_ns INTEGER NOT NULL,
	load_ns INTEGER NOT NULL,
	wait_ns INTEGER NOT NULL,         -- for whatever
	PRIMARY KEY (run, worker, slice)
) WITHOUT ROWID;

CREATE TABLE flow_level (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	working INTEGER NOT NULL,         -- threads that work, or have work to do and no core
	ns INTEGER NOT NULL,
	PRIMARY KEY (run, working)
) WITHOUT ROWID;

-- Routines, where they were recorded. Times of a routine are of its outermost activations.
CREATE TABLE flow_routine (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	routine INTEGER NOT NULL REFERENCES routine,
	calls INTEGER NOT NULL,
	total_ns INTEGER NOT NULL,        -- on a core, including callees
	self_ns INTEGER NOT NULL,         -- excluding callees
	wait_ns INTEGER NOT NULL,         -- meanwhile, for whatever
	no_core_ns INTEGER NOT NULL,      -- meanwhile: had work to do, and no core
	critical_ns INTEGER NOT NULL,     -- of self_ns: on the critical path
	concurrent INTEGER NOT NULL,      -- of calls: while more than one thread of the process worked
	PRIMARY KEY (run, routine)
) WITHOUT ROWID;

CREATE TABLE flow_arc (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	caller INTEGER NOT NULL REFERENCES routine,
	callee INTEGER NOT NULL REFERENCES routine,
	calls INTEGER NOT NULL,
	total_ns INTEGER NOT NULL,        -- of all its calls, recursive ones too
	concurrent INTEGER NOT NULL,      -- of calls
	PRIMARY KEY (run, caller, callee)
) WITHOUT ROWID;

-- What the run would take on so many cores that no other program uses.
CREATE TABLE flow_cores (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	cores INTEGER NOT NULL,
	ns INTEGER NOT NULL,
	PRIMARY KEY (run, cores)
) WITHOUT ROWID;

-- The events themselves, as they were recorded (src/core/flow/log.h): what `skein report flow --view events` and `--what-if` read, and
-- `skein export chrome-trace`. All of a run or none.
CREATE TABLE flow_process (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	process INTEGER NOT NULL,
	pid INTEGER NOT NULL,
	parent_pid INTEGER NOT NULL,
	flags INTEGER NOT NULL,
	start_tick INTEGER NOT NULL,      -- of the cycle counter, as all times in logs,
	start_ns INTEGER NOT NULL,        -- and of the monotonic clock, as those of switches
	ns_per_tick REAL NOT NULL,
	from_tick INTEGER NOT NULL,       -- events before that are left out
	PRIMARY KEY (run, process)
) WITHOUT ROWID;

-- A chunk of a lane's log, compressed by zlib.
CREATE TABLE flow_log (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	process INTEGER NOT NULL,
	lane INTEGER NOT NULL,
	chunk INTEGER NOT NULL,
	bytes INTEGER NOT NULL,           -- before it was compressed
	log BLOB NOT NULL,
	PRIMARY KEY (run, process, lane, chunk)
);

-- Context switches of all threads, piece by piece.
CREATE TABLE flow_switches (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	piece INTEGER NOT NULL,
	bytes INTEGER NOT NULL,
	log BLOB NOT NULL,
	PRIMARY KEY (run, piece)
);

-- What a log calls a place.
CREATE TABLE flow_place (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	process INTEGER NOT NULL,
	place INTEGER NOT NULL,
	path INTEGER NOT NULL,            -- number of its row in flow_path among those of its process, from 1; 0: of the place alone
	routine INTEGER NOT NULL REFERENCES routine,
	file TEXT NOT NULL,
	line INTEGER NOT NULL,
	PRIMARY KEY (run, process, place, path)
) WITHOUT ROWID;

-- What a log calls a routine.
CREATE TABLE flow_number (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	process INTEGER NOT NULL,
	number INTEGER NOT NULL,
	routine INTEGER NOT NULL REFERENCES routine,
	PRIMARY KEY (run, process, number)
) WITHOUT ROWID;

-- A frame of the call path of a wait.
CREATE TABLE flow_path (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	process INTEGER NOT NULL,
	frame INTEGER NOT NULL,           -- from 0
	lane INTEGER NOT NULL,
	place INTEGER NOT NULL,
	parent INTEGER NOT NULL,          -- number among the frames of the lane, from 1; 0: this is the outermost one
	PRIMARY KEY (run, process, frame)
) WITHOUT ROWID;

-- What a log calls an object.
CREATE TABLE flow_member (
	run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
	process INTEGER NOT NULL,
	number INTEGER NOT NULL,          -- in logs, less 1
	object INTEGER,                   -- in flow_object; NULL: none
	first_thread INTEGER NOT NULL,    -- had it alone, at first,
	released INTEGER NOT NULL,        -- and released it at this tick, which no log has; 0: logs have all
	site INTEGER NOT NULL,            -- place of the first call that did anything with it; 0: the number is not in use
	pipe INTEGER NOT NULL,            -- of a pipe: its name, which is the same in all processes; else 0
	PRIMARY KEY (run, process, number)
) WITHOUT ROWID;
