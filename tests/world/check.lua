-- A tour of Lua for an interpreter that has been compiled by Meridian: each line checks one part of the
-- language or its library, whose answer is known.
local function check(what, ok) if not ok then error("wrong: " .. what, 2) end end

-- numbers: integers wrap, floats do not; the two are told apart
check("integer wrap", math.maxinteger + 1 == math.mininteger)
check("division", 7 // 2 == 3 and -7 // 2 == -4 and 7 % -3 == -2 and 7 / 2 == 3.5)
check("formats", string.format("%5.2f|%x|%q|%-4d|", math.pi, 255, "a\n", 7) == " 3.14|ff|\"a\\\n\"|7   |")
check("conversions", tonumber("0x10") == 16 and tonumber("1e2") == 100 and tonumber("z", 36) == 35)
check("types of numbers", math.type(1) == "integer" and math.type(1.0) == "float")

-- tables: the array and the hash part, growth, sorting
local t = {}
for i = 1, 100000 do t[i] = (i * 7919) % 100003 end
table.sort(t)
for i = 2, #t do check("sort", t[i - 1] < t[i]) end
local words = {}
for word in ("the quick brown fox jumps over the lazy dog the end"):gmatch("%a+") do
    words[word] = (words[word] or 0) + 1
end
check("hash", words.the == 3 and words.fox == 1)
check("pack", select("#", table.unpack({ 1, 2, nil, 4 }, 1, 4)) == 4)

-- strings: patterns, packing, UTF-8
check("gsub", (("hello world"):gsub("(%w+)", "<%1>")) == "<hello> <world>")
check("balanced", ("f(a(b)c)d"):match("%b()") == "(a(b)c)")
check("string.pack", string.unpack("<i4", string.pack("<i4", -2)) == -2)
check("utf8", utf8.len("åäö") == 3 and utf8.char(229, 8364) == "å€")

-- closures, varargs, goto, integer for loops at the edge
local function counter() local n = 0; return function() n = n + 1; return n end end
local a, b = counter(), counter()
check("closures", a() == 1 and a() == 2 and b() == 1)
local n = 0
for _ = math.maxinteger - 1, math.maxinteger do n = n + 1 end
check("loop at the edge", n == 2)
do local i = 1; ::again:: i = i * 2; if i < 100 then goto again end; check("goto", i == 128) end

-- coroutines, errors through them, and to-be-closed variables
local function tree(d) if d > 0 then tree(d - 1); coroutine.yield(d); tree(d - 1) end end
local sum = 0
for d in coroutine.wrap(function() tree(10) end) do sum = sum + d end
check("coroutines", sum == 2036)
local ok, message = pcall(error, { code = 5 })
check("error values", not ok and message.code == 5)
local closed = false
do local _ <close> = setmetatable({}, { __close = function() closed = true end }) end
check("close", closed)

-- metatables, inheritance, weak tables and the collector
local Point = {}
Point.__index = Point
Point.__add = function(p, q) return setmetatable({ x = p.x + q.x }, Point) end
check("operators", (setmetatable({ x = 1 }, Point) + setmetatable({ x = 2 }, Point)).x == 3)
local weak = setmetatable({}, { __mode = "k" })
weak[{}] = true
collectgarbage()
check("weak keys", next(weak) == nil)

-- chunks: compiled, dumped, loaded again
local f = load(string.dump(load("local x = ... ; return x * x")))
check("dump", f(12) == 144)

-- the classic: primes by sieve, queens by backtracking
local function queens(size)
    local count, columns, up, down = 0, {}, {}, {}
    local function place(row)
        if row > size then count = count + 1; return end
        for c = 1, size do
            if not columns[c] and not up[row + c] and not down[row - c] then
                columns[c], up[row + c], down[row - c] = true, true, true
                place(row + 1)
                columns[c], up[row + c], down[row - c] = nil, nil, nil
            end
        end
    end
    place(1)
    return count
end
check("queens", queens(8) == 92)
print("all of Lua is well")
