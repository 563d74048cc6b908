" AC: C, the qualifier dist, and the library of Split-C.
if exists("b:current_syntax")
  finish
endif
runtime! syntax/c.vim
syntax keyword acQualifier dist
syntax keyword acStatement barrier
syntax keyword acConstant MYPROC PROCS
highlight default link acQualifier StorageClass
highlight default link acStatement Statement
highlight default link acConstant Constant
let b:current_syntax = "ac"
