-- Matrices of 4 by 4 blocks: two identity matrices are multiplied, and the product is subtracted from a third.
module Main (main) where

import Data.Array (Array, array, (!))
import Data.Array.Unboxed (UArray)
import qualified Data.Array.Unboxed as U
import Data.List (foldl')
import System.Environment (getArgs)

type Block = UArray (Int, Int) Double

type Matrix = Array (Int, Int) Block

block :: (Int -> Int -> Double) -> Block
block f = U.listArray ((0, 0), (3, 3)) [f i j | i <- [0 .. 3], j <- [0 .. 3]]

matrix :: Int -> (Int -> Int -> Block) -> Matrix
matrix n f = array ((1, 1), (n, n)) [((i, j), f i j) | i <- [1 .. n], j <- [1 .. n]]

identity :: Int -> Matrix
identity n = matrix n (\i j -> if i == j then block (\a b -> if a == b then 1 else 0) else block (\_ _ -> 0))

plus, minus, times :: Block -> Block -> Block
plus a b = block (\i j -> a U.! (i, j) + b U.! (i, j))
minus a b = block (\i j -> a U.! (i, j) - b U.! (i, j))
times a b = block (\i j -> sum [a U.! (i, k) * b U.! (k, j) | k <- [0 .. 3]])

product' :: Int -> Matrix -> Matrix -> Matrix
product' n a b = matrix n (\i j -> foldl' plus (block (\_ _ -> 0)) [times (a ! (i, k)) (b ! (k, j)) | k <- [1 .. n]])

total :: Matrix -> Double
total m = foldl' (\s b -> s + sum (map abs (U.elems b))) 0 m

main :: IO ()
main = do
  args <- getArgs
  let n = read (head args)
      c = product' n (identity n) (identity n)
      rest = matrix n (\i j -> minus (identity n ! (i, j)) (c ! (i, j)))
  print (total c, total rest)
