" UPC: C and the words of UPC 1.3.
if exists("b:current_syntax")
  finish
endif
runtime! syntax/c.vim
syntax keyword upcQualifier shared strict relaxed
syntax keyword upcStatement upc_barrier upc_notify upc_wait upc_fence
syntax keyword upcRepeat upc_forall
syntax keyword upcOperator upc_blocksizeof upc_elemsizeof upc_localsizeof
syntax keyword upcConstant MYTHREAD THREADS UPC_MAX_BLOCK_SIZE
syntax keyword upcType upc_lock_t upc_op_t upc_flag_t upc_handle_t upc_tick_t upc_file_t upc_atomicdomain_t
highlight default link upcQualifier StorageClass
highlight default link upcStatement Statement
highlight default link upcRepeat Repeat
highlight default link upcOperator Operator
highlight default link upcConstant Constant
highlight default link upcType Type
let b:current_syntax = "upc"
