autocmd BufRead,BufNewFile *.upc,*.upch setfiletype upc
autocmd BufRead,BufNewFile *.sc if getline(1) !~# '^(' | setfiletype splitc | endif
autocmd BufRead,BufNewFile *.ac if getline(1) !~# '^\(dnl\|A[CM]_\)' | setfiletype ac | endif
