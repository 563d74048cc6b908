-- How many ways n queens stand on a board without attacking each other.
module Main (main) where

import System.Environment (getArgs)

safe :: Int -> [Int] -> Bool
safe queen board = and [q /= queen && abs (q - queen) /= d | (d, q) <- zip [1 ..] board]

place :: Int -> Int -> [Int] -> Int
place _ 0 _ = 1
place n left board = sum [place n (left - 1) (queen : board) | queen <- [1 .. n], safe queen board]

main :: IO ()
main = do
  args <- getArgs
  let n = if null args then 6 else read (head args)
  print (place n n [])
