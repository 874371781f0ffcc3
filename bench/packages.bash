# SPDX-License-Identifier: MIT
# packages.bash: how Debian's source packages are built for benches.
#
#     build_PACKAGE CC CXX      in a fresh copy of the source, by its own makefile, at its own flags; $jobs goes to make
build_lua5.4() { # with its authors' makefile, not Debian's
	cp .pc/0001-build-system.patch/src/Makefile src/Makefile
	echo '#define DEB_HOST_MULTIARCH "."' >src/lua5.4-deb-multiarch.h
	make -C src $jobs linux CC="$1" MYCFLAGS="${lua_flags:-}"
}

build_lua5.1() { # without readline, which the authors' target linux wants
	cp .pc/0001-debian_make.patch/src/Makefile src/Makefile
	echo '#define DEB_HOST_MULTIARCH "."' >src/lua5.1-deb-multiarch.h
	make -C src $jobs all CC="$1" MYCFLAGS='-DLUA_USE_POSIX -DLUA_USE_DLOPEN' MYLIBS='-Wl,-E -ldl'
}

build_bzip2() { make $jobs bzip2 bzip2recover CC="$1"; }

build_libzstd() { make -C programs $jobs zstd CC="$1" HAVE_ZLIB=0 HAVE_LZMA=0 HAVE_LZ4=0 BACKTRACE=0; }

build_original-awk() { make $jobs CC="$1 -g"; }

build_json-c() { cmake -S . -B b -DCMAKE_C_COMPILER="$1" -DCMAKE_BUILD_TYPE=Release -DDISABLE_WERROR=ON && cmake --build b $jobs; }

build_xz-utils() { { [ -x configure ] || autoreconf -i; } && ./configure -q CC="$1" --disable-nls --disable-doc --disable-scripts && make $jobs; }

build_ninja-build() { cmake -S . -B b -DCMAKE_C_COMPILER="$1" -DCMAKE_CXX_COMPILER="$2" -DCMAKE_BUILD_TYPE=Release && cmake --build b $jobs; }

build_hmmer2() { # one thread; prototypes that its sources forgot
	echo 'extern double IncompleteGamma(double, double), Gammln(double);' >src/forgotten.h
	./configure -q CC="$1" CFLAGS='-O2 -g' --disable-threads && make -C src $jobs CC="$1" CFLAGS='-O2 -g -include forgotten.h' hmmsearch hmmpfam hmmcalibrate hmmbuild
}

build_sqlite3() { # one file of 250,000 lines, and the shell
	./configure -q CC=cc --disable-tcl --disable-readline && make sqlite3.c shell.c &&
		"$1" -O2 -g -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION sqlite3.c shell.c -o sqlite3.shell -lm
}

build_redis() { make $jobs MALLOC=libc CC="$1" CXX="$2" OPTIMIZATION=-O2 REDIS_CFLAGS=-g redis-server; }

build_z3() { # 600,000 lines of C++; four mistakes in templates that nothing instantiates, which clang 19 finds
	sed -i 's/m_low_bound/m_lower_bound/' src/math/lp/column_info.h
	sed -i 's/v\.m_matrix\.get(/v.m_matrix.get_elem(/' src/math/lp/static_matrix.h
	sed -i 's/get_value_of_column_cell(col)/get_val(col)/' src/math/lp/static_matrix_def.h
	sed -i 's/m_A\.get_elem(m_row, j)/T()/' src/math/lp/tail_matrix.h
	cmake -S . -B b -DCMAKE_C_COMPILER="$1" -DCMAKE_CXX_COMPILER="$2" -DCMAKE_BUILD_TYPE=RelWithDebInfo && cmake --build b $jobs --target shell
}

build_expat() { (cd expat && ./buildconf.sh && ./configure -q CC="$1" CXX="$2" --without-docbook && make $jobs && make $jobs -C tests runtests runtestspp); }

build_jq() { autoreconf -i && ./configure -q CC="$1" --without-oniguruma --disable-docs && make $jobs; }

build_pcre2() { ./configure -q CC="$1" --enable-jit && make $jobs; }

build_leveldb() { # with Debian's GoogleTest in the place of the submodule
	rmdir third_party/googletest && ln -s /usr/src/googletest third_party/googletest &&
		cmake -S . -B b -DCMAKE_C_COMPILER="$1" -DCMAKE_CXX_COMPILER="$2" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DLEVELDB_BUILD_BENCHMARKS=OFF && cmake --build b $jobs
}

build_yaml-cpp() {
	cmake -S . -B b -DCMAKE_C_COMPILER="$1" -DCMAKE_CXX_COMPILER="$2" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DYAML_BUILD_SHARED_LIBS=ON -DYAML_CPP_BUILD_TESTS=ON &&
		cmake --build b $jobs
}

# What the own tests of a package need beyond its programs, for bench/real-suites.
#
#     test_build_PACKAGE CC CXX      in the same folder, afterwards
test_build_libzstd() { make -C tests $jobs fuzzer zstreamtest datagen CC="$1"; }

test_build_redis() { make $jobs MALLOC=libc CC="$1" CXX="$2" OPTIMIZATION=-O2 REDIS_CFLAGS=-g; }

test_build_sqlite3() { make distclean && ./configure -q CC="$1" && make testfixture; }
