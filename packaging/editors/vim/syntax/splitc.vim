" Split-C: C, the qualifiers of global pointers, and the operators := and :-.
if exists("b:current_syntax")
  finish
endif
runtime! syntax/c.vim
syntax keyword splitcQualifier global spread
syntax keyword splitcStatement sync barrier splitc_main
syntax keyword splitcConstant MYPROC PROCS
syntax match splitcOperator ":[=-]"
syntax match splitcSpread "::"
highlight default link splitcQualifier StorageClass
highlight default link splitcStatement Statement
highlight default link splitcConstant Constant
highlight default link splitcOperator Operator
highlight default link splitcSpread Operator
let b:current_syntax = "splitc"
