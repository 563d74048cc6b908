-- Quicksort of a list of numbers of a linear congruential generator.
module Main (main) where

import System.Environment (getArgs)

numbers :: Int -> [Int]
numbers n = take n (iterate (\x -> (x * 1103 + 12345) `mod` 65536) 42)

sort :: [Int] -> [Int]
sort [] = []
sort (p : xs) = sort [x | x <- xs, x < p] ++ p : sort [x | x <- xs, x >= p]

-- As Id writes a list.
shown :: [Int] -> String
shown = foldr (\x rest -> shows x (':' : rest)) "Nil"

main :: IO ()
main = do
  args <- getArgs
  putStrLn (shown (sort (numbers (read (head args)))))
