-- Paraffins as molecules: all isomers of C(n)H(2n+2) for each n up to a limit are built, and counted. The lists
-- of all sizes stand in an array until the end: GHC otherwise counts the elements of a comprehension, and builds nothing.
module Main (main) where

import Data.Array (Array, listArray, (!))
import Data.List (tails)
import System.Environment (getArgs)

data Radical = H | C Radical Radical Radical

data Molecule = Bond Radical Radical | Carbon Radical Radical Radical Radical

-- The rest of a list from each of its elements on.
remainders :: [a] -> [[a]]
remainders = init . tails

threeParts :: Int -> [(Int, Int, Int)]
threeParts m = [(i, j, m - i - j) | i <- [0 .. m `quot` 3], j <- [i .. (m - i) `quot` 2]]

fourParts :: Int -> Int -> [(Int, Int, Int, Int)]
fourParts m most =
  [ (i, j, k, m - i - j - k)
  | i <- [0 .. m `quot` 4],
    j <- [i .. (m - i) `quot` 3],
    k <- [max j (m - i - j - most) .. (m - i - j) `quot` 2]
  ]

-- Where two sizes are equal the second radical is not before the first.
from :: Int -> Int -> [Radical] -> Array Int [Radical] -> [Radical]
from i j rest r = if i == j then rest else r ! j

radicals :: Int -> Array Int [Radical]
radicals limit = r
  where
    r = listArray (0, limit) ([H] : map ofSize [1 .. limit])
    ofSize n =
      [ C a b c
      | (i, j, k) <- threeParts (n - 1),
        as@(a : _) <- remainders (r ! i),
        bs@(b : _) <- remainders (from i j as r),
        c <- from j k bs r
      ]

bondCentred, carbonCentred :: Array Int [Radical] -> Int -> [Molecule]
bondCentred r n
  | odd n = []
  | otherwise = [Bond a b | as@(a : _) <- remainders (r ! (n `quot` 2)), b <- as]
carbonCentred r n =
  [ Carbon a b c d
  | (i, j, k, l) <- fourParts (n - 1) ((n - 1) `quot` 2),
    as@(a : _) <- remainders (r ! i),
    bs@(b : _) <- remainders (from i j as r),
    cs@(c : _) <- remainders (from j k bs r),
    d <- from k l cs r
  ]

count :: ([Molecule], [Molecule]) -> Int
count (bonds, carbons) = length bonds + length carbons

-- As Id writes a list.
shown :: [Int] -> String
shown = foldr (\x rest -> shows x (':' : rest)) "Nil"

main :: IO ()
main = do
  args <- getArgs
  let limit = read (head args)
      r = radicals (limit `quot` 2)
      molecules = listArray (1, limit) [(bondCentred r n, carbonCentred r n) | n <- [1 .. limit]]
  putStrLn (shown [count (molecules ! n) | n <- [1 .. limit]])
