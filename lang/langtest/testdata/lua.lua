#!/usr/bin/env lua
-- Keeps tasks.
local json = require("json")

--[[ A block
comment. ]]
--[==[ one more ]] of them ]==]

local LIMIT <const> = 0xff
local ratio, half = 1.5e-3, .5
local raw = [[raw "text"
on two lines]]
local nested = [==[a ]] b]==]
local last = nil

local Board = {}
Board.__index = Board

function Board.new(name, ...)
  local self = setmetatable({}, Board)
  self.name, self.tasks = name, { ... }
  self["open"] = true
  return self
end

-- BEGIN fragment
function Board:collect(names, limit)
  local total = 0
  for i, task in ipairs(self.tasks) do
    if i >= limit or task.name == "" then
      error("task " .. i .. " is bad")
    elseif task.done and not names[task.name] then
      total = total + 1 -- once each
    else
      names[#names + 1] = task.name
      total = total - task.value * 2
    end
    while #names > limit and total ~= 0 do
      table.remove(names)
      total = total // 1 - 1
    end
  end
  return total, names
end
-- END fragment

local function walk(t, depth)
  for i = 1, 10, 2 do
    if i % 3 == 0 then goto continue end
    t[i] = (i << 1 | 2) & ~3
    ::continue::
  end
  repeat
    depth = depth - 1
    if depth <= 0 then break end
  until t == nil or false
  local s = t and 'single\n' or json.null
  print(("%d tasks"):format(#t), -depth ^ 2, s)
  return function(...) return select("#", ...) end
end

do
  local b = Board.new("all", { name = "x", done = false, value = 2 }, 3)
  b:collect({}, LIMIT)
  walk { 1, 2; n = 2 }
  last = b.name ~= raw and nested or last
end
return Board
