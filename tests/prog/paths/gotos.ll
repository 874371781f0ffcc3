; SPDX-License-Identifier: MIT
; Three computed gotos in one function, one of which lists a block twice: clang makes one for a function, others may not.
target triple = "x86_64-pc-linux-gnu"
@ways = internal constant [3 x ptr] [ptr blockaddress(@walk, %a), ptr blockaddress(@walk, %b), ptr blockaddress(@walk, %end)]
@text = internal constant [10 x i8] c"\00\01\00\00\01\01\00\01\00\02"
@format = internal constant [4 x i8] c"%d\0A\00"
declare i32 @printf(ptr, ...)
define i32 @walk(ptr %p) noinline {
entry:
  %c0 = load volatile i8, ptr %p
  %i0 = zext i8 %c0 to i64
  %w0 = getelementptr [3 x ptr], ptr @ways, i64 0, i64 %i0
  %t0 = load ptr, ptr %w0
  indirectbr ptr %t0, [label %a, label %b, label %end, label %a]
a:
  %pa = phi ptr [%p, %entry], [%p, %entry], [%na, %a], [%nb, %b]
  %sa = phi i32 [0, %entry], [0, %entry], [%xa, %a], [%xb, %b]
  %xa = add i32 %sa, 1
  %na = getelementptr i8, ptr %pa, i64 1
  %c1 = load volatile i8, ptr %na
  %i1 = zext i8 %c1 to i64
  %w1 = getelementptr [3 x ptr], ptr @ways, i64 0, i64 %i1
  %t1 = load ptr, ptr %w1
  indirectbr ptr %t1, [label %a, label %b, label %end]
b:
  %pb = phi ptr [%p, %entry], [%na, %a], [%nb, %b]
  %sb = phi i32 [0, %entry], [%xa, %a], [%xb, %b]
  %xb = add i32 %sb, 10
  %nb = getelementptr i8, ptr %pb, i64 1
  %c2 = load volatile i8, ptr %nb
  %i2 = zext i8 %c2 to i64
  %w2 = getelementptr [3 x ptr], ptr @ways, i64 0, i64 %i2
  %t2 = load ptr, ptr %w2
  indirectbr ptr %t2, [label %a, label %b, label %end]
end:
  %r = phi i32 [0, %entry], [%xa, %a], [%xb, %b]
  ret i32 %r
}
define i32 @main() {
  %r = call i32 @walk(ptr @text)
  %x = call i32 (ptr, ...) @printf(ptr @format, i32 %r)
  ret i32 0
}
